// The pick-up number that a document prints: shown only at its own address, encrypted wherever it is stored, and
// deleted with the document.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { foldBy } from '../../../src/pipeline/ledger/fold.ts'
import { rebuildProjections } from '../../../src/pipeline/ledger/rebuild-projections.ts'
import { readRules } from '../../../src/pipeline/ledger/rules.ts'
import { openTestApi, type TestApi } from '../../support/api.ts'
import { type Carrier, openCarrier } from '../../support/carrier.ts'
import { findInClear } from '../../support/find-in-clear.ts'
import { handIn } from '../../support/hand-in.ts'
import { type Paper, pdfOf } from '../../support/papers.ts'
import { type Seeded, seededAt, seedShipment } from '../../support/seed.ts'

const secret = 'PX8844112277'
let api: TestApi
let carrier: Carrier
let key: string
let count = 0
before(async () => {
  api = await openTestApi({ startAt: seededAt })
  carrier = await openCarrier()
})
after(async () => {
  await carrier.close()
  await api.close()
})
beforeEach(async () => {
  key = await api.newKey(await api.newAccount(), ['read', 'write'])
})

function newBill(): string {
  count += 1
  return `CNSH3100000${count}`
}
const order = (bill: string, ...more: Paper['lines']): Promise<Buffer> =>
  pdfOf({
    title: 'DELIVERY ORDER',
    lines: [['Bill of lading no', bill], ['Container no', 'MSCU4000005'], ...more],
  })
const pickup = async ({ containerIds: [id] }: Seeded) =>
  JSON.parse((await api.call({ url: `/v2/containers/${id}/pickup_number`, key })).text) as {
    readonly pickup_number: string | null
    readonly said_by: unknown
  }

test('reads the number of a delivery order, and shows it at its own address only', async () => {
  const bill = newBill()
  const seeded = await seedShipment(api, { bill, key, carrier })
  const id = await handIn(api, key, await order(bill, ['Pick-up number', secret]))
  await api.drain()
  const { pickup_number, said_by } = await pickup(seeded)
  assert.equal(pickup_number, secret)
  assert.match(JSON.stringify(said_by), /document/)
  const [containerId] = seeded.containerIds
  for (const url of [
    `/v2/documents/${id}?include=last_document_representation,shipments,cargos`,
    `/v2/containers/${containerId}?provenance=true`,
    `/v2/shipments/${seeded.shipmentId}?include=containers`,
    '/v2/document_schemas/delivery_order@current',
    '/v2/events',
  ])
    assert.ok(!(await api.call({ url, key })).text.includes(secret), url)
  assert.deepEqual(await findInClear(api.service.pool, secret), [])
  assert.ok(!JSON.stringify(api.logged()).includes(secret))
  const stranger = await api.newKey(await api.newAccount(), ['read', 'write'])
  const refused = await api.call({ url: `/v2/containers/${containerId}/pickup_number`, key: stranger })
  assert.equal(refused.status, 404)
  const quietly = { repair: false, differencesMax: 20, progress: () => {} }
  const fold = foldBy(readRules(api.service.config))
  assert.deepEqual((await rebuildProjections(api.service, fold, quietly)).differences, [])
})

test('the pick-up number remains when a person corrects a document, and is withdrawn with the document', async () => {
  const bill = newBill()
  const seeded = await seedShipment(api, { bill, key, carrier })
  const id = await handIn(api, key, await order(bill, ['PIN', secret]))
  await api.drain()
  const patch = (written: object) =>
    api.call({
      method: 'PATCH',
      url: `/v2/documents/${id}`,
      key,
      body: { data: { type: 'document', id, attributes: { extracted_data_manual: written } } },
    })
  const right = { bill_of_lading_number: bill, containers: [{ number: 'MSCU4000005' }] }
  assert.equal((await patch({ ...right, pickup_number: secret })).status, 422)
  api.clock.advance(1_000)
  assert.equal((await patch(right)).status, 200)
  await api.drain()
  assert.equal((await pickup(seeded)).pickup_number, secret)
  api.clock.advance(1_000)
  await patch({ ...right, bill_of_lading_number: newBill(), containers: [] })
  await api.drain()
  assert.equal((await pickup(seeded)).pickup_number, null, 'the paper is of another bill')
  api.clock.advance(1_000)
  await patch(right)
  await api.drain()
  assert.equal((await pickup(seeded)).pickup_number, secret)
  api.clock.advance(1_000)
  await api.call({ method: 'DELETE', url: `/v2/documents/${id}`, key })
  await api.drain()
  assert.equal((await pickup(seeded)).pickup_number, null)
})

test('another kind of document gives no pick-up number', async () => {
  const bill = newBill()
  const seeded = await seedShipment(api, { bill, key, carrier })
  const paper = {
    title: 'SEA WAYBILL',
    lines: [
      ['Bill of lading no', bill],
      ['PIN', secret],
    ],
  } as const
  await handIn(api, key, await pdfOf(paper))
  await api.drain()
  assert.equal((await pickup(seeded)).pickup_number, null)
})
