// Transport documents are a source for journeys: the last in rank, with the place on the page, and withdrawn when a
// person corrects or deletes the document. The real readers read real PDF files.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { foldBy } from '../../../src/pipeline/ledger/fold.ts'
import { rebuildProjections } from '../../../src/pipeline/ledger/rebuild-projections.ts'
import { readRules } from '../../../src/pipeline/ledger/rules.ts'
import { openTestApi, type TestApi } from '../../support/api.ts'
import { type Carrier, openCarrier } from '../../support/carrier.ts'
import { handIn } from '../../support/hand-in.ts'
import { type Paper, pdfOf } from '../../support/papers.ts'
import { type Seeded, seededAt, seedShipment } from '../../support/seed.ts'

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
  return `CNSH3000000${count}`
}
const seed = (bill: string) => seedShipment(api, { bill, key, carrier })
const notice = (bill: string, ...more: Paper['lines']): Promise<Buffer> =>
  pdfOf({
    title: 'ARRIVAL NOTICE',
    lines: [
      ['Bill of lading no', bill],
      ['Container no', 'MSCU4000005'],
      ['Port of discharge', 'LOS ANGELES, CA'],
      ...more,
    ],
  })
const lfd = '2026-04-09'
const box = async ({ containerIds: [id] }: Seeded) =>
  (await api.call({ url: `/v2/containers/${id}?provenance=true`, key })).one()
const lineLfd = async (seeded: Seeded): Promise<unknown> =>
  ((await box(seeded)).attributes['import_deadlines'] as Record<string, unknown>)['pickup_lfd_line']
const patch = (id: string, attributes: object) =>
  api.call({
    method: 'PATCH',
    url: `/v2/documents/${id}`,
    key,
    body: { data: { type: 'document', id, attributes } },
  })

test('uses the last free day of an arrival notice, and shows it with its page and position', async () => {
  const bill = newBill()
  const seeded = await seed(bill)
  assert.equal(await lineLfd(seeded), null)
  const id = await handIn(api, key, await notice(bill, ['Last free day', '09 APR 2026']))
  await api.drain()
  assert.equal(await lineLfd(seeded), `${lfd}T07:00:00Z`, 'midnight in Los Angeles')
  const { meta } = (await box(seeded)) as unknown as { meta: { provenance: Record<string, Explained> } }
  const statements = meta.provenance['import_deadlines.pickup_lfd_line']?.said
  assert.equal(statements?.source.kind, 'document')
  assert.equal(statements?.document?.id, id)
  assert.equal(statements?.document?.page, 1)
  assert.equal(statements?.document?.text, '09 APR 2026')
  const { left = 1, right = 0 } = statements?.document?.box ?? {}
  assert.ok(left > 0.05 && left < right && right < 0.6, 'where it stands on the page')
})

interface Explained {
  readonly said: {
    readonly source: { readonly kind: string }
    readonly document?: {
      readonly id: string
      readonly page: number | null
      readonly text: string
      readonly box: Readonly<Record<string, number>> | null
      readonly by: string
    }
  } | null
}

test('shows the cut-offs of a booking confirmation as printed, until the document is deleted', async () => {
  const bill = newBill()
  const { shipmentId, containerIds } = await seed(bill)
  const paper = await pdfOf({
    title: 'BOOKING CONFIRMATION',
    lines: [
      ['Bill of lading no', bill],
      ['VGM cut-off', '20 MAR 2026 12:00'],
      ['SI cut-off', '19 MAR 2026 18:00'],
      ['CY cut-off', '21 MAR 2026'],
    ],
  })
  const id = await handIn(api, key, paper)
  await api.drain()
  const shown = async (url: string) => {
    const { meta } = (await api.call({ url: `${url}?provenance=true`, key })).one() as unknown as {
      meta: { provenance: Record<string, { said: { document?: { id: string; text: string } } | null }> }
    }
    return ['vgm_cut_off', 'documentation_cut_off', 'cargo_cut_off'].map(
      (name) => meta.provenance[name]?.said?.document?.text ?? null,
    )
  }
  const printed = ['20 MAR 2026 12:00', '19 MAR 2026 18:00', '21 MAR 2026']
  for (const url of [`/v2/shipments/${shipmentId}`, `/v2/containers/${containerIds[0]}`])
    assert.deepEqual(await shown(url), printed, url)
  api.clock.advance(1_000)
  await api.call({ method: 'DELETE', url: `/v2/documents/${id}`, key })
  await api.drain()
  assert.deepEqual(await shown(`/v2/shipments/${shipmentId}`), [null, null, null])
})

test('uses a document that came before its shipment was tracked once the shipment is tracked', async () => {
  const bill = newBill()
  await handIn(api, key, await notice(bill, ['Last free day', '09 APR 2026']))
  await api.drain()
  assert.equal(await lineLfd(await seed(bill)), `${lfd}T07:00:00Z`)
})

test('values that a person corrects replace the values read from the document', async () => {
  const bill = newBill()
  const seeded = await seed(bill)
  const id = await handIn(api, key, await notice(bill, ['Last free day', '09 APR 2026']))
  await api.drain()
  const shown = { bill_of_lading_number: bill, containers: [{ number: 'MSCU4000005' }] }
  api.clock.advance(1_000)
  await patch(id, { extracted_data_manual: { ...shown, last_free_day: '2026-04-11' } })
  await api.drain()
  assert.equal(await lineLfd(seeded), '2026-04-11T07:00:00Z')
  const { meta } = (await box(seeded)) as unknown as { meta: { provenance: Record<string, Explained> } }
  assert.equal(meta.provenance['import_deadlines.pickup_lfd_line']?.said?.document?.by, 'person')
  api.clock.advance(1_000)
  await patch(id, { extracted_data_manual: shown })
  await api.drain()
  assert.equal(await lineLfd(seeded), null)
})

test('correcting the bill number of a document withdraws its statements about the former shipment', async () => {
  const bill = newBill()
  const seeded = await seed(bill)
  const id = await handIn(api, key, await notice(bill, ['Booking no', '912345678'], ['Last free day', '09 APR 2026']))
  await api.drain()
  api.clock.advance(1_000)
  const corrected = {
    bill_of_lading_number: bill,
    booking_number: '912345679',
    containers: [{ number: 'MSCU4000005' }],
  }
  await patch(id, { extracted_data_manual: { ...corrected, last_free_day: lfd } })
  await api.drain()
  assert.equal(await lineLfd(seeded), `${lfd}T07:00:00Z`)
  api.clock.advance(1_000)
  await patch(id, {
    extracted_data_manual: { bill_of_lading_number: newBill(), last_free_day: lfd },
  })
  await api.drain()
  assert.equal(await lineLfd(seeded), null, 'the paper is of another bill')
})

test('a deleted document withdraws its statements', async () => {
  const bill = newBill()
  const seeded = await seed(bill)
  const id = await handIn(api, key, await notice(bill, ['Last free day', '09 APR 2026']))
  await api.drain()
  assert.equal(await lineLfd(seeded), `${lfd}T07:00:00Z`)
  api.clock.advance(1_000)
  await api.call({ method: 'DELETE', url: `/v2/documents/${id}`, key })
  await api.drain()
  assert.equal(await lineLfd(seeded), null)
})

test('never uses a document of one account for another, whatever numbers it names', async () => {
  const bill = newBill()
  const seeded = await seed(bill)
  const stranger = await api.newKey(await api.newAccount(), ['read', 'write'])
  await handIn(api, stranger, await notice(bill, ['Last free day', '09 APR 2026']))
  await api.drain()
  assert.equal(await lineLfd(seeded), null)
})

test('a rebuild uses documents in the same way', async () => {
  const bill = newBill()
  await seed(bill)
  await handIn(api, key, await notice(bill, ['Last free day', '09 APR 2026'], ['Freight released', 'NO']))
  await api.drain()
  const fold = foldBy(readRules(api.service.config))
  const { differences } = await rebuildProjections(api.service, fold, {
    repair: false,
    differencesMax: 10,
    progress: () => {},
  })
  assert.deepEqual(differences, [])
})
