// A file is announced, uploaded to a signed address and made a document: it is checked, stored encrypted, and stored
// once.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { unsentUploadsMax } from '../../../src/modules/documents/uploads/prepare-upload.ts'
import { fileStoreOf } from '../../../src/pipeline/response-archive/file-store.ts'
import { FileStoreError } from '../../../src/platform/files/file-store.ts'
import { openTestApi, type TestApi } from '../../support/api.ts'
import { paper, testReaders } from '../../support/document-readers.ts'
import { blobOf, handIn, make, prepare, put, upload } from '../../support/hand-in.ts'

let api: TestApi
let key: string
before(async () => {
  api = await openTestApi({
    env: {
      LANDFALL_DOCUMENT_MB_MAX: '1',
      LANDFALL_DOCUMENT_MB_PER_DAY: '3',
      LANDFALL_CORS_ORIGINS: 'https://app.example',
    },
  })
  testReaders(api.service)
})
after(() => api.close())

/** Each test has an account of its own. */
async function newKey(): Promise<string> {
  key = await api.newKey(await api.newAccount(), ['read', 'write'])
  return key
}

let made = 0
const newPaper = (): Buffer => {
  made += 1
  return paper('arrival_notice', `bill=UPLD${made}`)
}

const filesOnDisk = (): readonly string[] => {
  const folder = api.service.config.documents.folder ?? ''
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((each) => each.isFile())
      .map((each) => join(each.parentPath, each.name))
  } catch {
    return []
  }
}

test('prepares, uploads and submits a file as a document, under the attribute names that clients know', async () => {
  await newKey()
  const bytes = newPaper()
  const answer = await api.call({
    method: 'POST',
    url: '/rails/active_storage/direct_uploads',
    key,
    body: { blob: { ...blobOf(bytes), metadata: { identified: true } } },
    headers: { 'content-type': 'application/json', accept: 'application/json' },
  })
  assert.equal(answer.status, 200)
  const { id, key: blobKey, signed_id: signedId, direct_upload: direct, ...rest } = answer.body
  assert.equal(typeof signedId, 'string')
  assert.equal(blobKey, id)
  assert.deepEqual(rest, {
    filename: 'arrival-notice.pdf',
    content_type: 'application/pdf',
    metadata: {},
    service_name: 'landfall',
    byte_size: bytes.length,
    checksum: createHash('md5').update(bytes).digest('base64'),
    created_at: rest['created_at'],
  })
  const { url, headers } = direct as { url: string; headers: Record<string, string> }
  assert.deepEqual(headers, { 'Content-Type': 'application/pdf' })
  const sent = await put(api, answer.body as never, bytes)
  assert.equal(sent.statusCode, 204)
  assert.match(url, /\/rails\/active_storage\/disk\//)
  const document = (await make(api, key, { name: 'Notice', attached_document: signedId })).one()
  assert.equal(document.attributes['name'], 'Notice')
  assert.equal(document.attributes['source'], 'api')
  assert.equal(document.attributes['document_type'], 'unknown')
  assert.equal(document.attributes['file_name'], 'arrival-notice.pdf')
  assert.equal(document.attributes['file_size_bytes'], bytes.length)
})

test("a page of an allowed origin may upload with Active Storage's own client", async () => {
  await newKey()
  const prepared = await prepare(api, key, blobOf(newPaper()))
  for (const [url, method, headers] of [
    [
      '/rails/active_storage/direct_uploads',
      'POST',
      ['accept', 'authorization', 'content-type', 'x-csrf-token', 'x-requested-with'],
    ],
    [new URL(prepared.direct_upload.url).pathname, 'PUT', ['content-type']],
  ] as const) {
    const asked = {
      'access-control-request-method': method,
      'access-control-request-headers': headers.join(),
    }
    const preflight = await api.app.inject({
      method: 'OPTIONS',
      url,
      headers: { origin: 'https://app.example', ...asked },
    })
    const promised = String(preflight.headers['access-control-allow-headers']).toLowerCase().split(', ')
    for (const header of headers) assert.ok(promised.includes(header), header)
    assert.match(String(preflight.headers['access-control-allow-methods']), new RegExp(method))
    assert.equal(preflight.headers['access-control-allow-origin'], 'https://app.example')
  }
})

test('accepts the uploaded file under the attribute signed_id or file', async () => {
  await newKey()
  for (const name of ['signed_id', 'file']) {
    const answer = await make(api, key, { [name]: await upload(api, key, newPaper()) })
    assert.equal(answer.status, 201, answer.text)
    assert.equal(answer.one().attributes['name'], 'arrival-notice.pdf')
  }
})

test('refuses a file that differs from its announcement, and stores nothing of it', async () => {
  await newKey()
  const bytes = newPaper()
  const before = filesOnDisk().length
  const cases: readonly (readonly [string, Buffer, number])[] = [
    ['another MD5', Buffer.from(bytes.toString().replace('UPLD', 'UPLX')), 422],
    ['cut off', bytes.subarray(0, bytes.length - 1), 422],
    ['nothing', Buffer.alloc(0), 422],
    ['more', Buffer.concat([bytes, Buffer.from('x')]), 413],
  ]
  for (const [what, sent, status] of cases) {
    const prepared = await prepare(api, key, blobOf(bytes))
    assert.equal((await put(api, prepared, sent)).statusCode, status, what)
    const answer = await make(api, key, { attached_document: prepared.signed_id })
    assert.equal(answer.error().source?.pointer, '/data/attributes/attached_document', what)
  }
  assert.equal(filesOnDisk().length, before)
})

test('an upload requires the content type and MD5 that were announced, and refuses a compressed body', async () => {
  await newKey()
  const bytes = newPaper()
  const prepared = await prepare(api, key, blobOf(bytes))
  const url = new URL(prepared.direct_upload.url).pathname
  const send = (headers: Record<string, string>) => api.app.inject({ method: 'PUT', url, headers, payload: bytes })
  assert.equal((await send({ 'content-type': 'text/html' })).statusCode, 422)
  const wrong = { 'content-type': 'application/pdf', 'content-md5': 'AAAAAAAAAAAAAAAAAAAAAA==' }
  assert.equal((await send(wrong)).statusCode, 422)
  const packed = { 'content-type': 'application/pdf', 'content-encoding': 'gzip' }
  assert.equal((await send(packed)).statusCode, 415)
  const right = { 'content-type': 'application/pdf; charset=binary', 'content-md5': blobOf(bytes).checksum }
  assert.equal((await send(right)).statusCode, 204)
})

test('accepts the same bytes again at the same address', async () => {
  await newKey()
  const bytes = newPaper()
  const prepared = await prepare(api, key, blobOf(bytes))
  assert.equal((await put(api, prepared, bytes)).statusCode, 204)
  assert.equal((await put(api, prepared, bytes)).statusCode, 204)
  assert.equal((await make(api, key, { attached_document: prepared.signed_id })).status, 201)
  assert.equal((await put(api, prepared, bytes)).statusCode, 204)
})

test('an upload address is valid for a short time and for its own file, and invalid if altered', async () => {
  await newKey()
  const bytes = newPaper()
  const prepared = await prepare(api, key, blobOf(bytes))
  const token = new URL(prepared.direct_upload.url).pathname.split('/').at(-1) ?? ''
  for (const altered of [
    token.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')),
    `${token.slice(0, -1)}${token.endsWith('A') ? 'E' : 'A'}`,
    `${token}A`,
    prepared.signed_id,
    'x',
  ]) {
    const url = `/rails/active_storage/disk/${altered}`
    const answer = await api.app.inject({
      method: 'PUT',
      url,
      headers: prepared.direct_upload.headers,
      payload: bytes,
    })
    assert.equal(answer.statusCode, 404, altered)
  }
  assert.equal((await api.app.inject({ url: `/rails/active_storage/blobs/${token}` })).statusCode, 404)
  api.clock.advance(15 * 60_000)
  assert.equal((await put(api, prepared, bytes)).statusCode, 403)
})

test('refuses a `signed_id` of another account like an unknown one', async () => {
  await newKey()
  const foreign = await api.newKey(await api.newAccount(), ['read', 'write'])
  const signedId = await upload(api, foreign, newPaper())
  const answers = [
    await make(api, key, { attached_document: signedId }),
    await make(api, key, { attached_document: 'nothing' }),
  ]
  assert.deepEqual(answers[0]?.body, answers[1]?.body)
  assert.equal(answers[0]?.status, 422)
})

test('refuses an upload naming each invalid field, and writes nothing', async () => {
  await newKey()
  const good = blobOf(newPaper())
  const bad: readonly (readonly [object, string, number])[] = [
    [{ blob: { ...good, checksum: 'short' } }, '/blob/checksum', 422],
    [{ blob: { ...good, checksum: `${good.checksum}x` } }, '/blob/checksum', 422],
    [{ blob: { ...good, byte_size: 0 } }, '/blob/byte_size', 422],
    [{ blob: { ...good, byte_size: '10' } }, '/blob/byte_size', 422],
    [{ blob: { ...good, byte_size: 1_048_577 } }, '/blob/byte_size', 413],
    [{ blob: { ...good, filename: '' } }, '/blob/filename', 422],
    [{ blob: { ...good, content_type: 'text/html' } }, '/blob/content_type', 422],
    [{ blob: { ...good, other: 1 } }, '/blob/other', 422],
    [{}, '/blob', 422],
  ]
  const count = async () => (await api.service.pool.query('select from uploads')).rowCount
  const before = await count()
  for (const [body, pointer, status] of bad) {
    const answer = await api.call({ method: 'POST', url: '/rails/active_storage/direct_uploads', key, body })
    assert.equal(answer.status, status, pointer)
    assert.equal(answer.error().source?.pointer, pointer)
  }
  assert.equal(await count(), before)
})

test('stores the same bytes as one document: 409 names it, also for many concurrent clients', async () => {
  await newKey()
  const bytes = newPaper()
  const signedIds = await Promise.all(Array.from({ length: 6 }, () => upload(api, key, bytes)))
  const answers = await Promise.all(
    signedIds.map((signedId) => make(api, key, { name: 'Same', attached_document: signedId })),
  )
  const statuses = answers.map(({ status }) => status).sort()
  assert.deepEqual(statuses, [201, 409, 409, 409, 409, 409])
  const id = answers.find(({ status }) => status === 201)?.one().id
  for (const answer of answers.filter(({ status }) => status === 409)) {
    assert.equal(answer.error().code, 'duplicate_document')
    assert.deepEqual((answer.error() as unknown as { meta: object }).meta, {
      existing_document_id: id,
      existing_document_name: 'Same',
    })
  }
})

test('accepts a deleted document again, also from the same upload', async () => {
  await newKey()
  const signedId = await upload(api, key, newPaper())
  const first = (await make(api, key, { attached_document: signedId })).one().id
  assert.equal((await make(api, key, { attached_document: signedId })).status, 409)
  assert.equal((await api.call({ method: 'DELETE', url: `/v2/documents/${first}`, key })).status, 204)
  const second = (await make(api, key, { attached_document: signedId })).one().id
  assert.notEqual(second, first)
  const { body } = await api.call({ url: `/v2/documents/${second}/download_url`, key })
  const file = await api.app.inject({ url: new URL(String(body['download_url'])).pathname })
  assert.equal(file.statusCode, 200)
})

test('a retry after a lost answer returns the document that the first POST created', async () => {
  await newKey()
  const signedId = await upload(api, key, newPaper())
  const ask = () =>
    api.call({
      method: 'POST',
      url: '/v2/documents',
      key,
      headers: { 'idempotency-key': 'lost-answer' },
      body: { data: { type: 'document', attributes: { attached_document: signedId } } },
    })
  const first = await ask()
  await api.service.pool.query(
    `update idempotency_keys set status = null, body_sealed = null, lease_token = null, leased_until = '2020-01-01'`,
  )
  const second = await ask()
  assert.deepEqual([first.status, second.status], [201, 201])
  assert.equal(second.one().id, first.one().id)
})

test('limits the documents that an account submits in a day, and resets the limit the next day', async () => {
  await newKey()
  const large = (mark: string) => Buffer.concat([newPaper(), Buffer.alloc(1_000_000, mark)])
  for (const mark of ['a', 'b', 'c']) await upload(api, key, large(mark))
  const one = large('d')
  const prepared = await prepare(api, key, blobOf(one))
  const refused = await put(api, prepared, one)
  assert.equal(refused.statusCode, 429)
  assert.match(String(refused.headers['retry-after']), /^\d+$/)
  api.clock.advance(86_400_000)
  await upload(api, key, one)
})

test('stores files encrypted, and only their owner can read them', async () => {
  await newKey()
  const bytes = Buffer.concat([newPaper(), Buffer.from('(a word that nobody may find)')])
  await handIn(api, key, bytes)
  const files = filesOnDisk()
  assert.ok(files.length > 0)
  for (const path of files) {
    assert.equal(statSync(path).mode & 0o777, 0o600)
    assert.equal(readFileSync(path).includes('a word that nobody may find'), false)
  }
})

test('answers an upload with 503 and a retry time when the disk is full, and then accepts it', async () => {
  await newKey()
  const store = fileStoreOf(api.service) as { put: (id: string, bytes: Buffer) => Promise<void> }
  const { put: write } = store
  const bytes = newPaper()
  const prepared = await prepare(api, key, blobOf(bytes))
  store.put = async () => {
    throw new FileStoreError('full', 'The disk for files is full.')
  }
  try {
    const refused = await put(api, prepared, bytes)
    assert.equal(refused.statusCode, 503)
    assert.equal(refused.headers['retry-after'], '60')
    assert.ok(api.service.operatorIssues.active().includes('data_folder_full'))
  } finally {
    store.put = write
  }
  assert.equal((await put(api, prepared, bytes)).statusCode, 204)
  assert.equal((await make(api, key, { attached_document: prepared.signed_id })).status, 201)
})

test('deletes unused uploads with their files after a day, and keeps those of documents', async () => {
  await newKey()
  const unused = await upload(api, key, newPaper())
  const used = await handIn(api, key, newPaper())
  await api.drain()
  const before = filesOnDisk().length
  await api.pass(25)
  assert.equal((await make(api, key, { attached_document: unused })).status, 422)
  assert.ok(filesOnDisk().length < before)
  const { body } = await api.call({ url: `/v2/documents/${used}/download_url`, key })
  assert.equal((await api.app.inject({ url: new URL(String(body['download_url'])).pathname })).statusCode, 200)
})

test('limits the files that one account announces and never sends, without affecting others', async () => {
  const account = await api.newAccount()
  const [own, other] = [
    await api.newKey(account, ['read', 'write']),
    await api.newKey(await api.newAccount(), ['read', 'write']),
  ]
  const announce = (by: string) =>
    api.call({
      method: 'POST',
      url: '/rails/active_storage/direct_uploads',
      key: by,
      body: { blob: blobOf(newPaper()) },
      headers: { 'content-type': 'application/json' },
    })
  await api.service.pool.query(
    `insert into uploads (account_id, id, file_name, content_type, byte_size, md5, created_at)
     select $1, gen_random_uuid(), 'x', null, 1, decode(repeat('00', 16), 'hex'), now() from generate_series(2, $2::int)`,
    [account.account.id, unsentUploadsMax],
  )
  assert.equal((await announce(own)).status, 200)
  const refused = await announce(own)
  assert.equal(refused.status, 429)
  assert.ok(Number(refused.headers['retry-after']) > 0)
  assert.equal((await announce(other)).status, 200)
})
