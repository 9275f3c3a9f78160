// Documents over the API: listed, found, corrected by people, deleted and downloaded.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { openTestApi, type TestApi } from '../../support/api.ts'
import { paper, testReaders } from '../../support/document-readers.ts'
import { handIn } from '../../support/hand-in.ts'

let api: TestApi
let key: string
before(async () => {
  api = await openTestApi()
  testReaders(api.service)
})
after(() => api.close())
beforeEach(async () => {
  key = await api.newKey(await api.newAccount(), ['read', 'write'])
})

const get = (url: string) => api.call({ url, key })
const patch = (id: string, attributes: object, headers: Record<string, string> = {}) =>
  api.call({ method: 'PATCH', url: `/v2/documents/${id}`, key, headers, body: { data: { attributes } } })
const post = (url: string, body?: unknown) => api.call({ method: 'POST', url, key, body })
const namesOf = async (query: string) =>
  (await get(`/v2/documents?${query}`)).many().map(({ attributes }) => attributes['file_name'])

async function handInSome(): Promise<Readonly<Record<'invoice' | 'notice' | 'order', string>>> {
  const invoice = await handIn(api, key, paper('commercial_invoice', 'ref=PO-4711'), {
    filename: 'Invoice 2026_03.pdf',
  })
  api.clock.advance(1_000)
  const notice = await handIn(api, key, paper('arrival_notice', 'bill=MEDU 123456-7'), {
    filename: 'Arrival Notice März.pdf',
  })
  api.clock.advance(1_000)
  const order = await handIn(api, key, paper('delivery_order', 'box=MSCU4000005'), {
    filename: 'notice of delivery.pdf',
  })
  await api.drain()
  return { invoice, notice, order }
}

test('lists documents newest first or in the requested order', async () => {
  await handInSome()
  const [invoice, notice, order] = ['Invoice 2026_03.pdf', 'Arrival Notice März.pdf', 'notice of delivery.pdf']
  assert.deepEqual(await namesOf(''), [order, notice, invoice])
  assert.deepEqual(await namesOf('sort=created_at'), [invoice, notice, order])
  assert.deepEqual(await namesOf('sort=document_type'), [notice, invoice, order])
  assert.deepEqual(await namesOf('sort=-document_type'), [order, invoice, notice])
  assert.equal((await namesOf('sort=added_by')).length, 3)
  assert.deepEqual(await namesOf('sort=created_at&page[size]=1&page[number]=2'), [notice])
  assert.equal((await get('/v2/documents?sort=name')).error().source?.parameter, 'sort')
})

test('finds documents by parts of the file name, by a number in any form, and by kind', async () => {
  await handInSome()
  assert.deepEqual(await namesOf('filter[filename]=notice'), ['notice of delivery.pdf', 'Arrival Notice März.pdf'])
  assert.deepEqual(await namesOf('filter[filename]=MÄRZ notice.pdf'), ['Arrival Notice März.pdf'])
  assert.deepEqual(await namesOf('filter[filename]=noti'), [])
  assert.deepEqual(await namesOf('filter[filename]=---'), [])
  assert.deepEqual(await namesOf('filter[reference]=medu1234567'), ['Arrival Notice März.pdf'])
  assert.deepEqual(await namesOf('filter[reference]=MSCU 400000-5'), ['notice of delivery.pdf'])
  assert.deepEqual(await namesOf('filter[document_types]=commercial_invoice,delivery_order&sort=created_at'), [
    'Invoice 2026_03.pdf',
    'notice of delivery.pdf',
  ])
  const unknown = await get('/v2/documents?filter[document_types]=novel')
  assert.equal(unknown.error().source?.parameter, 'filter[document_types]')
})

test('includes the extracted values with their positions on the page', async () => {
  const { notice } = await handInSome()
  for (const include of ['last_document_representation', 'current_extraction']) {
    const { body } = await get(`/v2/documents/${notice}?include=${include},account`)
    const representation = body.included?.find(({ type }) => type === 'document_representation')
    assert.equal(representation?.attributes['schema_version'], '2026-11-25')
    assert.deepEqual(representation?.attributes['payload'], {
      bill_of_lading_number: 'MEDU 123456-7',
      containers: [],
      references: [],
    })
    const { fields } = (representation as unknown as { meta: { fields: readonly object[] } }).meta
    assert.deepEqual(fields, [
      {
        name: 'bill_of_lading_number',
        value: 'MEDU 123456-7',
        text: 'MEDU 123456-7',
        confidence: 0.9,
        by: 'rules',
        page: 1,
        box: { left: 0.1, top: 0.1, right: 0.2, bottom: 0.2 },
      },
    ])
  }
  const document = (await get(`/v2/documents/${notice}`)).one()
  assert.equal(document.attributes['classification_notes'], 'It says arrival_notice.')
  const { links, meta } = document as unknown as { links: object; meta: Record<string, unknown> }
  assert.deepEqual(Object.keys(links), ['self', 'download'])
  assert.equal(meta['state'], 'read')
  assert.equal(meta['page_count'], 1)
})

test('a document that cannot be read shows the reason', async () => {
  const id = await handIn(api, key, paper('arrival_notice', 'encrypted'))
  await api.drain()
  const document = (await get(`/v2/documents/${id}`)).one() as unknown as { meta: Record<string, unknown> }
  assert.equal(document.meta['state'], 'failed')
  assert.deepEqual(document.meta['failure'], { reason: 'encrypted', detail: 'The file is encrypted.' })
})

test('a person sets the kind of a document, and its fields are read for that kind', async () => {
  const { notice } = await handInSome()
  const answer = await patch(notice, { document_type_manual: 'bill_of_lading', name: ' Bill ' })
  assert.equal(answer.one().attributes['name'], 'Bill')
  assert.equal(answer.one().attributes['document_type'], 'arrival_notice')
  assert.equal(answer.one().attributes['document_type_manual'], 'bill_of_lading')
  await api.drain()
  assert.deepEqual(await namesOf('filter[document_types]=bill_of_lading'), ['Arrival Notice März.pdf'])
  const { body } = await get(`/v2/documents/${notice}?include=last_document_representation`)
  const meta = (body.included?.[0] as unknown as { meta: Record<string, unknown> } | undefined)?.meta
  assert.equal(meta?.['document_type'], 'bill_of_lading')
  const back = await patch(notice, { document_type_manual: null })
  assert.equal(back.one().attributes['document_type_manual'], null)
})

test('values set by a person have priority until the person withdraws them, whatever is read meanwhile', async () => {
  const { notice } = await handInSome()
  const shown = async () => {
    const { body } = await get(`/v2/documents/${notice}?include=last_document_representation`)
    return body.included?.[0]?.attributes['payload']
  }
  const read = await shown()
  const written = { bill_of_lading_number: 'MEDU7654321' }
  await patch(notice, { extracted_data_manual: written })
  await api.drain()
  assert.deepEqual(await shown(), written)
  assert.deepEqual(await namesOf('filter[reference]=MEDU7654321'), ['Arrival Notice März.pdf'])
  assert.deepEqual(await namesOf('filter[reference]=MEDU1234567'), [])
  assert.equal((await post(`/v2/documents/${notice}/reextract`)).status, 202)
  await api.drain()
  assert.deepEqual(await shown(), written)
  await patch(notice, { extracted_data_manual: null })
  await api.drain()
  assert.deepEqual(await shown(), read)
  assert.deepEqual(await namesOf('filter[reference]=MEDU1234567'), ['Arrival Notice März.pdf'])
})

test('refuses a change naming each invalid field, and writes nothing', async () => {
  const { notice } = await handInSome()
  const before = (await get(`/v2/documents/${notice}`)).text
  const at = '/data/attributes'
  const cases: readonly (readonly [object, readonly string[]])[] = [
    [{ name: '' }, [`${at}/name`]],
    [{ name: 5 }, [`${at}/name`]],
    [{ name: ' \u200b ' }, [`${at}/name`]],
    [{ document_type_manual: 'novel' }, [`${at}/document_type_manual`]],
    [{ document_type: 'bill_of_lading' }, [`${at}/document_type`]],
    [{ extracted_data_manual: [] }, [`${at}/extracted_data_manual`]],
    [
      { extracted_data_manual: { bill_of_lading_number: 5, other: 1, containers: [{ number: 'A' }, {}] } },
      [
        `${at}/extracted_data_manual/other`,
        `${at}/extracted_data_manual/bill_of_lading_number`,
        `${at}/extracted_data_manual/containers/1/number`,
      ],
    ],
    [{ document_type_manual: 'other', extracted_data_manual: {} }, [`${at}/extracted_data_manual`]],
  ]
  for (const [attributes, pointers] of cases) {
    const { status, body } = await patch(notice, attributes)
    assert.equal(status, 422)
    assert.deepEqual(
      body.errors?.map(({ source }) => source?.pointer),
      pointers,
    )
  }
  assert.equal((await get(`/v2/documents/${notice}`)).text, before)
  await patch(notice, { extracted_data_manual: { references: [] } })
  const kind = await patch(notice, { document_type_manual: 'other' })
  assert.equal(kind.error().source?.pointer, `${at}/document_type_manual`)
})

test('refuses a change if the document has changed since its author read it', async () => {
  const { notice } = await handInSome()
  const etag = String((await get(`/v2/documents/${notice}`)).headers['etag'])
  assert.equal((await patch(notice, { name: 'A' }, { 'if-match': etag })).status, 200)
  assert.equal((await patch(notice, { name: 'B' }, { 'if-match': etag })).status, 412)
})

test('removes a deleted document from lists and addresses, and deletes its file after a while', async () => {
  const { notice } = await handInSome()
  const { body } = await get(`/v2/documents/${notice}/download_url`)
  const download = () => api.app.inject({ url: new URL(String(body['download_url'])).pathname })
  assert.equal((await download()).statusCode, 200)
  assert.equal((await api.call({ method: 'DELETE', url: `/v2/documents/${notice}`, key })).status, 204)
  for (const url of [`/v2/documents/${notice}`, `/v2/documents/${notice}/download_url`])
    assert.equal((await get(url)).status, 404)
  assert.equal((await post(`/v2/documents/${notice}/reextract`)).status, 404)
  assert.equal((await patch(notice, { name: 'A' })).status, 404)
  assert.equal((await api.call({ method: 'DELETE', url: `/v2/documents/${notice}`, key })).status, 404)
  assert.equal((await download()).statusCode, 404)
  assert.equal((await namesOf('')).length, 2)
  await api.pass(24 * 31)
  const rowsOf = async (text: string): Promise<unknown> => (await api.service.pool.query(text)).rows
  assert.deepEqual(await rowsOf(`select file_id from documents where id = '${notice}'`), [{ file_id: null }])
  assert.deepEqual(await rowsOf(`select from document_pages where document_id = '${notice}'`), [])
  assert.deepEqual(await rowsOf('select from loose_files'), [])
})

test('serves a file only as a download, with a sanitised file name', async () => {
  const bytes = Buffer.concat([paper('arrival_notice'), Buffer.from('<script>alert(1)</script>')])
  const id = await handIn(api, key, bytes, { filename: '../../etc/Fra"chtbrief\u202efdp 100%ü.pdf' })
  const { body, headers: own } = await get(`/v2/documents/${id}/download_url`)
  assert.equal(own['cache-control'], 'private, no-store')
  const url = new URL(String(body['download_url'])).pathname
  const file = await api.app.inject({ url })
  assert.deepEqual(file.rawPayload, bytes)
  const { headers } = file
  assert.equal(headers['content-type'], 'application/pdf')
  assert.equal(
    headers['content-disposition'],
    `attachment; filename="Fra_chtbrieffdp 100__.pdf"; filename*=UTF-8''Fra%22chtbrieffdp%20100%25%C3%BC.pdf`,
  )
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.equal(headers['content-security-policy'], "sandbox; default-src 'none'")
  assert.equal(headers['cross-origin-resource-policy'], 'same-origin')
  assert.equal(headers['set-cookie'], undefined)
  assert.equal((await api.app.inject({ method: 'HEAD', url })).statusCode, 200)
  assert.equal((await api.app.inject({ url: url.replace(/.$/, '_') })).statusCode, 404)
  api.clock.advance(15 * 60_000)
  assert.equal((await api.app.inject({ url })).statusCode, 403)
})

test('does not serve the file of another account, even if a row of a document refers to that file', async () => {
  const id = await handIn(api, key, paper('arrival_notice', 'bill=ALTERED1'))
  const { body } = await get(`/v2/documents/${id}/download_url`)
  const foreign = await api.newAccount()
  const foreignKey = await api.newKey(foreign, ['read', 'write'])
  const theirs = await handIn(api, foreignKey, paper('arrival_notice', 'bill=ALTERED2'))
  const { rows } = await api.service.pool.query('select file_id from documents where id = $1', [theirs])
  await api.service.pool.query('update documents set file_id = $2 where id = $1', [id, rows[0]?.file_id])
  const moved = await api.app.inject({ url: new URL(String(body['download_url'])).pathname })
  assert.equal(moved.statusCode, 404)
  assert.ok(api.logged().some(({ event }) => event === 'files.lost'))
})

test('rotates only images, by a quarter, a half or three quarters', async () => {
  const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), paper('arrival_notice', 'bill=PNG1')])
  const image = await handIn(api, key, png, { filename: 'photo.png', type: 'image/png' })
  const { notice } = await handInSome()
  assert.deepEqual((await post(`/v2/documents/${image}/rotate`, { degrees: 90 })).body, {
    status: 'accepted',
  })
  await api.drain()
  const { body } = await get(`/v2/documents/${image}/download_url`)
  const file = await api.app.inject({ url: new URL(String(body['download_url'])).pathname })
  assert.match(file.body, /turned=90/)
  assert.equal((await post(`/v2/documents/${notice}/rotate`, { degrees: 90 })).status, 422)
  const wrong = await post(`/v2/documents/${image}/rotate`, { degrees: 45 })
  assert.equal(wrong.error().source?.pointer, '/degrees')
  assert.equal((await post(`/v2/documents/${image}/rotate`, {})).error().source?.pointer, '/degrees')
})

test('every kind of document has a label, and each kind that can be read has a schema', async () => {
  const { body } = await get('/v2/documents/types')
  const types = body['document_types'] as readonly { code: string; label: string }[]
  assert.deepEqual(types[0], { code: 'bill_of_lading', label: 'Bill of lading' })
  for (const id of ['arrival_notice@2026-11-25', 'arrival_notice@current', 'arrival_notice']) {
    const schema = (await get(`/v2/document_schemas/${id}`)).one()
    assert.equal(schema.id, 'arrival_notice@2026-11-25')
    assert.equal(schema.attributes['full_version'], 'arrival_notice@2026-11-25')
    assert.equal(schema.attributes['schema_format'], 'json_schema')
  }
  for (const id of ['arrival_notice@1', 'other', 'novel@current', 'a@b@c'])
    assert.equal((await get(`/v2/document_schemas/${id}`)).status, 404)
})
