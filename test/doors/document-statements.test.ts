// What a document says is shown with the page and the place on it, by every door that says who said what.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Paper } from '../service/documents/saying-harness.ts'
import { field, handIn } from '../service/documents/saying-harness.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { type Seeded, seededAt, seedShipment } from '../support/seed.ts'

let api: TestApi
let seeded: Seeded
let notice: Paper
let url: string
let readAt: string

const place = { left: 0.62, top: 0.31, right: 0.78, bottom: 0.33 }

before(async () => {
  api = await openTestApi({ startAt: seededAt })
  seeded = await seedShipment(api)
  url = `/v2/containers/${seeded.containerIds[0]}`
  notice = await handIn(api, 'arrival_notice', { as: api.context, name: 'Notice of "Kings".pdf' })
  readAt = new Date(api.clock.now()).toISOString()
  await notice.read(fields())
  await api.drain()
})
after(async () => {
  await seeded.carrier.close()
  await api.close()
})

function fields() {
  return [
    field('issueDate', '2026-03-09'),
    field('transportDocumentReference', seeded.bill),
    field('containers[0].number', seeded.numbers[0] ?? ''),
    field('freeTimes[0].typeCodes[0]', 'DEM'),
    field('freeTimes[0].lastFreeDate', '2026-03-20', {
      page: 2,
      box: place,
      text: '20-MAR-26',
      confidence: 0.93,
    }),
    field('pickupNumber', 'PIN-4711'),
  ]
}

interface Said {
  readonly source: { readonly kind: string; readonly code: string }
  readonly document?: Readonly<Record<string, unknown>>
  readonly [name: string]: unknown
}

async function lfdSaid(query = ''): Promise<Said | null> {
  const answer = await api.call({ url: `${url}?provenance=true&fields[container]=pickup_lfd${query}` })
  assert.equal(answer.status, 200, answer.text)
  const { meta } = answer.one() as unknown as {
    readonly meta: { readonly provenance: Readonly<Record<string, { readonly said: Said | null }>> }
  }
  assert.ok(!answer.text.includes('PIN-4711'))
  return meta.provenance['pickup_lfd']?.said ?? null
}

test('an explanation names the document, the page, the place on it, and what is printed there', async () => {
  const said = await lfdSaid()
  assert.deepEqual(said?.source, { kind: 'document', code: notice.id })
  assert.deepEqual(said.document, {
    id: notice.id,
    name: 'Notice of "Kings".pdf',
    written_on: '2026-03-09',
    field: 'freeTimes[0].lastFreeDate',
    page: 2,
    box: place,
    text: '20-MAR-26',
    confidence: 0.93,
    how: 'read',
    at: readAt.replace('.000Z', 'Z'),
    person: null,
  })
  assert.equal(said['words'], '20-MAR-26')
  assert.equal(said['stated_at'], null, 'a day is no moment')
})

test('after a correction it says that a person wrote it, and as of before that it was read', async () => {
  api.clock.set(api.clock.now() + 3_600_000)
  const corrected = {
    transportDocumentReference: seeded.bill,
    containers: [{ number: seeded.numbers[0] }],
    freeTimes: [{ typeCodes: ['DEM'], lastFreeDate: '2026-03-22' }],
  }
  const before = new Date(api.clock.now() - 1_000).toISOString()
  await notice.correct(corrected, fields(), { kind: 'user', id: '0193b1a2-0000-7000-8000-00000000000a' })
  await api.drain()
  const said = await lfdSaid()
  assert.ok(String(said?.['value']).startsWith('2026-03-2'))
  assert.equal(said?.document?.['how'], 'corrected')
  assert.deepEqual(said.document?.['person'], { kind: 'user', id: '0193b1a2-0000-7000-8000-00000000000a' })
  assert.equal(said.document?.['page'], 2, 'there anybody can see what is printed')
  const then = await lfdSaid(`&as_of=${before}`)
  assert.equal(then?.document?.['how'], 'read')
  assert.equal(then.document?.['text'], '20-MAR-26')
})

test('what no source said any more after a document is deleted is explained by nobody', async () => {
  api.clock.set(api.clock.now() + 3_600_000)
  await notice.remove()
  await api.drain()
  assert.equal(await lfdSaid(), null)
})

test('an expected arrival of a document is a raw event without a source of the contract, and says its page', async () => {
  api.clock.set(api.clock.now() + 3_600_000)
  const confirmation = await handIn(api, 'booking_confirmation', { as: api.context, name: 'booking.pdf' })
  await confirmation.read([
    field('transportDocumentReference', seeded.bill),
    field('portOfDischarge.name', 'Los Angeles, CA'),
    field('portOfDischargeArrivalDate.value', '2026-04-30', { text: 'ETA 30-APR', page: 3 }),
  ])
  await api.drain()
  const raw = (await api.call({ url: `${url}/raw_events?page[size]=100` })).many() as unknown as readonly {
    readonly attributes: Readonly<Record<string, unknown>>
    readonly meta?: Readonly<Record<string, unknown>>
  }[]
  const [said, ...others] = raw.filter(({ meta }) => meta?.['data_source'] === 'document')
  assert.ok(said !== undefined && others.length === 0)
  assert.equal(said.attributes['data_source'], undefined)
  assert.equal(said.attributes['original_event'], 'ETA 30-APR')
  const { page } = (said.meta?.['document'] ?? {}) as { readonly page?: number }
  assert.equal(page, 3)
  await confirmation.remove()
  await api.drain()
  const after = (await api.call({ url: `${url}/raw_events?page[size]=100` })).many() as unknown as typeof raw
  const left = after.filter(({ meta }) => meta?.['data_source'] === 'document')
  assert.equal(left.length, 1, 'it stays on record')
  assert.notEqual(left[0]?.attributes['invalidated_at'], null)
})

test('documents are no channel: nobody sends to them, and they are in no list of channels, sources or messages', async () => {
  const name = `documents:${api.context.account.id}`
  for (const channel of [name, encodeURIComponent(name), 'documents']) {
    const answer = await api.app.inject({
      method: 'POST',
      url: `/v2/inbound/${channel}`,
      payload: '{}',
      headers: {
        'content-type': 'application/json',
        host: 'landfall.test',
        authorization: `Bearer ${api.key}`,
      },
    })
    assert.equal(answer.statusCode, 401, answer.body)
  }
  for (const list of ['/v2/inbound_messages', '/v2/sources']) {
    const answer = await api.call({ url: list })
    assert.equal(answer.status, 200, `${list} ${answer.text}`)
    assert.ok(!answer.text.includes('documents'), answer.text)
  }
})
