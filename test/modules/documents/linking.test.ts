// Documents are linked to shipments by number, before or after the shipments are tracked. A person can overrule the
// link. Webhooks get the events.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { writeNotification } from '../../../src/api/notifications/notification-document.ts'
import type { Context } from '../../../src/modules/access/context.ts'
import { foldBy } from '../../../src/pipeline/ledger/fold.ts'
import { rebuildProjections } from '../../../src/pipeline/ledger/rebuild-projections.ts'
import { readRules } from '../../../src/pipeline/ledger/rules.ts'
import { uuidV7 } from '../../../src/platform/ids.ts'
import { openTestApi, type TestApi, type WireResource } from '../../support/api.ts'
import { type Carrier, openCarrier } from '../../support/carrier.ts'
import { paper, testReaders } from '../../support/document-readers.ts'
import { handIn, make, upload } from '../../support/hand-in.ts'
import { forgetLabels } from '../../support/labels.ts'
import { seededAt, seedShipment } from '../../support/seed.ts'

let api: TestApi
let carrier: Carrier
let account: Context
let key: string
before(async () => {
  api = await openTestApi({ startAt: seededAt })
  carrier = await openCarrier()
  testReaders(api.service)
})
after(async () => {
  await carrier.close()
  await api.close()
})
beforeEach(async () => {
  account = await api.newAccount()
  key = await api.newKey(account, ['read', 'write'])
})

const seed = (bill: string) => seedShipment(api, { bill, key, carrier })
const get = async (id: string) => (await api.call({ url: `/v2/documents/${id}`, key })).one()
const linkedIds = (document: WireResource, relation: 'shipments' | 'cargos') =>
  ((document.relationships?.[relation]?.data ?? []) as readonly { id: string }[]).map(({ id }) => id)
const link = (type: string, ids: readonly string[]) => ({ data: ids.map((id) => ({ type, id })) })
const patchLinks = (id: string, relationships: object) =>
  api.call({ method: 'PATCH', url: `/v2/documents/${id}`, key, body: { data: { relationships } } })
const post = (url: string) => api.call({ method: 'POST', url, key })
const metaOf = (document: WireResource) => (document as unknown as { meta: Record<string, unknown> }).meta

test('links a document to the shipment and containers that it names, and includes them', async () => {
  const { shipmentId, containerIds, numbers } = await seed('CNSH10000001')
  const id = await handIn(api, key, paper('arrival_notice', 'bill=CNSH 1000 0001', `box=${numbers[0]}`))
  await api.drain()
  const document = await get(id)
  assert.deepEqual(linkedIds(document, 'shipments'), [shipmentId])
  assert.deepEqual(linkedIds(document, 'cargos'), [containerIds[0]])
  assert.deepEqual(metaOf(document)['links'], [
    { shipment_id: shipmentId, container_id: null, found_by: 'bill_of_lading' },
    { shipment_id: shipmentId, container_id: containerIds[0], found_by: 'container' },
  ])
  const { body } = await api.call({ url: `/v2/documents/${id}?include=shipments.port_of_lading,cargos`, key })
  assert.deepEqual(
    body.included?.map(({ type }) => type).filter((type) => type !== 'port'),
    ['shipment', 'container'],
  )
})

test('links a document that came before its shipment was tracked when it is tracked', async () => {
  const id = await handIn(api, key, paper('arrival_notice', 'bill=CNSH10000002'))
  await api.drain()
  assert.deepEqual(linkedIds(await get(id), 'shipments'), [])
  const { shipmentId } = await seed('CNSH10000002')
  assert.deepEqual(linkedIds(await get(id), 'shipments'), [shipmentId])
})

test('finds the shipment of a document by a reference of the customer', async () => {
  const { shipmentId } = await seed('CNSH10000003')
  const id = await handIn(api, key, paper('commercial_invoice', 'ref=po-77'))
  await api.drain()
  assert.deepEqual(linkedIds(await get(id), 'shipments'), [shipmentId])
  // After an upgrade it is found as well before the older rows have their labels.
  await forgetLabels(api.service.pool, account.account.id)
  const later = await handIn(api, key, paper('commercial_invoice', 'ref=Po-77'))
  await api.drain()
  assert.deepEqual(linkedIds(await get(later), 'shipments'), [shipmentId])
})

test('suggests a shipment of the customer that a document names, and leaves the link to a person', async () => {
  const body = { data: { type: 'party', attributes: { company_name: 'Kestrel Imports' } } }
  const party = (await api.call({ method: 'POST', url: '/v2/parties', key, body })).one().id
  const customer = { customer: { data: { type: 'party', id: party } } }
  const { shipmentId } = await seedShipment(api, {
    bill: 'CNSH10000011',
    key,
    carrier,
    relationships: customer,
  })
  const id = await handIn(api, key, paper('arrival_notice', 'consignee=KESTREL IMPORTS'))
  await api.drain()
  const document = await get(id)
  assert.deepEqual(linkedIds(document, 'shipments'), [])
  assert.deepEqual(metaOf(document)['link_candidates'], [
    {
      shipment_id: shipmentId,
      because: 'customer',
      detail: 'The document names Kestrel Imports, the customer of this shipment.',
    },
  ])
})

test('links no document to a shipment of another account', async () => {
  await seed('CNSH10000004')
  const foreign = await api.newKey(await api.newAccount(), ['read', 'write'])
  const id = await handIn(api, foreign, paper('arrival_notice', 'bill=CNSH10000004', 'box=MSCU4000005'))
  await api.drain()
  const document = (await api.call({ url: `/v2/documents/${id}`, key: foreign })).one()
  assert.deepEqual(linkedIds(document, 'shipments'), [])
})

test('keeps links that a person added or removed when the document is linked again', async () => {
  const { shipmentId, containerIds } = await seed('CNSH10000005')
  const id = await handIn(api, key, paper('arrival_notice', 'bill=CNSH10000005'))
  await api.drain()
  const taken = await patchLinks(id, { shipments: link('shipment', []) })
  assert.deepEqual(linkedIds(taken.one(), 'shipments'), [])
  assert.equal((await post(`/v2/documents/${id}/relink`)).status, 202)
  await post(`/v2/documents/${id}/reextract`)
  await api.drain()
  assert.deepEqual(linkedIds(await get(id), 'shipments'), [])
  const boxes = await patchLinks(id, { cargos: link('container', [containerIds[1] ?? '']) })
  assert.deepEqual(linkedIds(boxes.one(), 'shipments'), [shipmentId])
  assert.deepEqual(linkedIds(boxes.one(), 'cargos'), [containerIds[1]])
  await post(`/v2/documents/${id}/relink`)
  await api.drain()
  assert.deepEqual(linkedIds(await get(id), 'cargos'), [containerIds[1]])
})

test('a person may link a document when submitting it', async () => {
  const { shipmentId } = await seed('CNSH10000006')
  const attributes = {
    attached_document: await upload(api, key, paper('other', 'handed in with its shipment')),
  }
  const made = await make(api, key, attributes, { shipments: link('shipment', [shipmentId]) })
  assert.deepEqual(linkedIds(made.one(), 'shipments'), [shipmentId])
  await api.drain()
  assert.deepEqual(linkedIds(await get(made.one().id), 'shipments'), [shipmentId])
})

test('refuses a link to a shipment or container of another account, and creates no document', async () => {
  const foreign = await seed('CNSH10000007')
  key = await api.newKey(await api.newAccount(), ['read', 'write'])
  const signedId = await upload(api, key, paper('other', 'never linked'))
  for (const [relationships, at] of [
    [{ shipments: link('shipment', [foreign.shipmentId]) }, 'shipments/data/0/id'],
    [{ cargos: link('container', foreign.containerIds) }, 'cargos/data/0/id'],
    [{ cargos: link('shipment', foreign.containerIds) }, 'cargos/data/0/type'],
    [{ shipments: { data: null } }, 'shipments/data'],
    [{ account: { data: null } }, 'account'],
  ] as const) {
    const answer = await make(api, key, { attached_document: signedId }, relationships)
    assert.equal(answer.error().source?.pointer, `/data/relationships/${at}`)
  }
  assert.equal((await make(api, key, { attached_document: signedId })).status, 201)
})

test('sends webhooks an event when a document was read or could not be read, with the e-mail and the values', async () => {
  const { shipmentId } = await seed('CNSH10000008')
  const read = await handIn(api, key, paper('arrival_notice', 'bill=CNSH10000008'))
  const failed = await handIn(api, key, paper('encrypted', 'bill=CNSH10000009'))
  await api.drain()
  const { rows } = await api.service.pool.query(
    `select id, name, shipment_id as "shipmentId", sequence from events
      where account_id = $1 and reference_type = 'document' order by ordinal`,
    [account.account.id],
  )
  assert.deepEqual(
    rows.map(({ name, shipmentId: of }) => [name, of]),
    [
      ['document.extracted', shipmentId],
      ['document.extraction_failed', null],
    ],
  )
  for (const [nth, id] of [read, failed].entries()) {
    const { data, included } = await writeNotification(api.service, {
      id: rows[nth].id,
      accountId: account.account.id,
      webhookId: rows[nth].id,
      eventId: rows[nth].id,
      event: rows[nth].name,
      sequence: rows[nth].sequence,
      createdAt: seededAt,
    } as Parameters<typeof writeNotification>[1])
    const { relationships } = data as WireResource
    assert.deepEqual(relationships?.['reference_object']?.data, { type: 'document', id })
    const types = included?.map(({ type }) => type)
    assert.deepEqual(types, ['document', 'document_representation'])
  }
  const feed = await api.call({ url: `/v2/events?filter[shipment_id]=${shipmentId}`, key })
  assert.ok(feed.many().some(({ attributes }) => attributes['event'] === 'document.extracted'))
})

test('a rebuild from the ledger keeps the documents and their links to shipments', async () => {
  const { shipmentId } = await seed('CNSH10000010')
  const ids = [
    await handIn(api, key, paper('arrival_notice', 'bill=CNSH10000010')),
    await handIn(api, key, paper('delivery_order', 'bill=CNSH10000010')),
  ]
  await api.drain()
  const fold = foldBy(readRules(api.service.config))
  const check = (repair: boolean) =>
    rebuildProjections(api.service, fold, { repair, differencesMax: 10, progress: () => {} })
  assert.deepEqual((await check(false)).differences, [])
  // A shipment that does not come out of the ledger is deleted by a rebuild, although a document is linked to it.
  const stray = uuidV7(api.clock.now())
  await api.service.pool.query(
    `with stray as (
       insert into shipments (account_id, id, scac, bill_of_lading_number, normalized_number, projection, created_at, updated_at)
       select account_id, $2, scac, 'STRAY', 'STRAY', projection, created_at, updated_at from shipments where id = $1)
     insert into document_links (account_id, id, document_id, shipment_id, found_by, created_at)
     select account_id, gen_random_uuid(), id, $2, 'person', created_at from documents where id = $3`,
    [shipmentId, stray, ids[0]],
  )
  assert.equal(linkedIds(await get(ids[0] ?? ''), 'shipments').length, 2)
  const repaired = await check(true)
  assert.deepEqual(
    repaired.differences.map(({ id, kind }) => [id, kind]),
    [[stray, 'unexpected']],
  )
  assert.equal(repaired.isRepaired, true)
  assert.deepEqual((await check(false)).differences, [])
  for (const id of ids) assert.deepEqual(linkedIds(await get(id), 'shipments'), [shipmentId])
})
