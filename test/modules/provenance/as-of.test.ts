// `as_of` gives what was served then, byte for byte. Provenance and history come from the same ledger.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApi, type TestApi } from '../../support/api.ts'
import { type Carrier, openCarrier } from '../../support/carrier.ts'
import { giveAccess } from '../../support/service.ts'
import { box, event, journey, otherBox } from '../../support/tracking-harness.ts'

let api: TestApi
let carrier: Carrier
let shipmentId: string
let containerId: string
let foreignKey: string

interface Served {
  readonly at: string
  readonly url: string
  readonly text: string
}
const served: Served[] = []

const bill = 'HLCUASOF00000001'
const urls = () => [
  `/v2/shipments/${shipmentId}?include=containers,port_of_discharge`,
  `/v2/containers/${containerId}?include=shipment,transport_events,raw_events`,
  `/v2/containers/${containerId}/transport_events?show_invalidated=true&include=location,vessel,previous_version`,
  `/v2/containers/${containerId}/raw_events`,
]
/** Without the requested address, which the answer repeats. */
const body = (text: string): string => {
  const { links: _, ...rest } = JSON.parse(text) as Record<string, unknown>
  return JSON.stringify(rest)
}
function assertSame(shown: string, was: string, what: string): void {
  const flat = (text: string) => new Map(leaves(JSON.parse(body(text))))
  const [now, then] = [flat(shown), flat(was)]
  const other = [...new Set([...now.keys(), ...then.keys()])].filter((path) => now.get(path) !== then.get(path))
  assert.deepEqual(
    other.slice(0, 10).map((path) => [path, then.get(path), now.get(path)]),
    [],
    what,
  )
  assert.equal(body(shown), body(was), what)
}
function leaves(value: unknown, path = ''): [string, unknown][] {
  if (value === null || typeof value !== 'object') return [[path, value]]
  return Object.entries(value).flatMap(([name, each]) => leaves(each, `${path}/${name}`))
}
const with_ = (url: string, more: string): string => `${url}${url.includes('?') ? '&' : '?'}${more}`

async function keepWhatIsServed(): Promise<void> {
  // A separate moment, because everything in the same millisecond belongs to it.
  const at = new Date(api.clock.now()).toISOString()
  for (const url of urls()) {
    const answer = await api.call({ url })
    assert.equal(answer.status, 200, answer.text)
    served.push({ at, url, text: answer.text })
  }
  api.clock.advance(60_000)
}

const eta = (nth: number, at: string, said: string) => ({
  ...event({ told: nth, bill, code: 'ARRI', at, place: 'USLAX', classifier: 'EST', boxes: [box, otherBox] }),
  eventCreatedDateTime: said,
})

before(async () => {
  // Real clocks are never at a whole second.
  api = await openTestApi({ startAt: '2026-01-08T12:00:00.417Z' })
  carrier = await openCarrier()
  await giveAccess(api, { scac: 'HLCU', profile: carrier.profile('HLCU') })
  foreignKey = await api.newKey(await api.newAccount(), ['read', 'write'])
  const boxes = [box, otherBox]
  const tell = async (events: readonly unknown[], days: number): Promise<void> => {
    carrier.answers({ json: events })
    await api.pass(days * 24)
  }
  carrier.answers({
    json: [...journey(bill, 'loaded', boxes), eta(501, '2026-01-22T06:00:00-08:00', '2026-01-07T00:00:00Z')],
  })
  const attributes = {
    request_type: 'bill_of_lading',
    request_number: bill,
    scac: 'HLCU',
    ref_numbers: ['PO 1'],
  }
  const made = await api.call({
    method: 'POST',
    url: '/v2/tracking_requests',
    body: { data: { type: 'tracking_request', attributes } },
  })
  assert.equal(made.status, 201, made.text)
  await api.drain()
  const [shipment] = (await api.call({ url: '/v2/shipments?include=containers' })).many()
  assert.ok(shipment !== undefined)
  shipmentId = shipment.id
  const containers = (await api.call({ url: '/v2/containers' })).many()
  containerId = containers.find(({ attributes: { number } }) => number === box)?.id ?? ''
  await keepWhatIsServed()
  await tell([...journey(bill, 'sailed', boxes), eta(501, '2026-01-22T06:00:00-08:00', '2026-01-07T00:00:00Z')], 2)
  await keepWhatIsServed()
  await api.call({
    method: 'PATCH',
    url: `/v2/shipments/${shipmentId}`,
    body: {
      data: {
        id: shipmentId,
        type: 'shipment',
        attributes: { ref_numbers: ['PO 1', 'PO 2'], tags: ['hot'] },
      },
    },
  })
  await keepWhatIsServed()
  await tell(
    [
      ...journey(bill, 'sailed', boxes),
      eta(501, '2026-01-22T06:00:00-08:00', '2026-01-07T00:00:00Z'),
      eta(502, '2026-01-24T18:00:00-08:00', '2026-01-10T00:00:00Z'),
    ],
    2,
  )
  await keepWhatIsServed()
  carrier.answers({ status: 503, json: {} })
  await api.pass(24)
  await keepWhatIsServed()
  await api.call({ method: 'PATCH', url: `/v2/shipments/${shipmentId}/stop_tracking` })
  await keepWhatIsServed()
  await api.call({ method: 'PATCH', url: `/v2/shipments/${shipmentId}/resume_tracking` })
  await tell(journey(bill, 'arrived', boxes), 12)
  await keepWhatIsServed()
  await tell(journey(bill, 'out', boxes), 6)
  await keepWhatIsServed()
})
after(async () => {
  await carrier.close()
  await api.close()
})

test('a request as of now returns the current state, byte for byte', async () => {
  const now = new Date(api.clock.now()).toISOString()
  for (const url of urls()) {
    const [then, stands] = [await api.call({ url: with_(url, `as_of=${now}`) }), await api.call({ url })]
    assertSame(then.text, stands.text, url)
  }
})

test('a request as of a past moment returns what was served at that moment, byte for byte', async () => {
  const texts = new Set(served.map(({ text }) => text))
  assert.ok(texts.size > 16, `only ${texts.size} different documents were served`)
  for (const { at, url, text } of served) {
    const answer = await api.call({ url: with_(url, `as_of=${at}`) })
    assert.equal(answer.status, 200, answer.text)
    assertSame(answer.text, text, `${url} as of ${at}`)
  }
})

test('as_of without a fraction of a second includes the whole second', async () => {
  for (const url of [`/v2/shipments/${shipmentId}`, `/v2/containers/${containerId}`]) {
    const { attributes } = (await api.call({ url })).one()
    const createdAt = String(attributes['created_at'])
    assert.match(createdAt, /:\d\dZ$/)
    for (const asOf of [createdAt, createdAt.replace('Z', '%2B00:00'), createdAt.replace('Z', '')])
      assert.equal((await api.call({ url: `${url}?as_of=${asOf}` })).status, 200, asOf)
    assert.equal((await api.call({ url: `${url}?as_of=${createdAt.replace('Z', '.000Z')}` })).status, 404)
    // The present second has not ended.
    const now = new Date(api.clock.now()).toISOString().replace(/\.\d+/, '')
    assert.equal((await api.call({ url: `${url}?as_of=${now}` })).status, 200)
  }
  const createdAt = String((await api.call({ url: `/v2/shipments/${shipmentId}` })).one().attributes['created_at'])
  for (const [bound, at, count] of [
    ['start', createdAt, 1],
    ['end', createdAt, 1],
    ['end', createdAt.replace('Z', '.000Z'), 0],
  ] as const) {
    const found = await api.call({ url: `/v2/shipments?filter[created_at][${bound}]=${at}` })
    assert.equal(found.many().length, count, `${bound} ${at}`)
  }
  const changes = (await api.call({ url: `/v2/shipments/${shipmentId}/history?page[size]=100` })).many()
  const patched = changes.find(({ attributes }) => attributes['action'] === 'update_shipment')
  const then = await api.call({
    url: `/v2/shipments/${shipmentId}?as_of=${String(patched?.attributes['recorded_at'])}`,
  })
  assert.deepEqual(then.one().attributes['ref_numbers'], ['PO 1', 'PO 2'])
})

test('as_of is answered with 404 before the shipment existed, and with 422 for a future or invalid time', async () => {
  const url = `/v2/shipments/${shipmentId}`
  const early = await api.call({ url: `${url}?as_of=2026-01-08T11:59:59Z` })
  assert.equal(early.status, 404)
  assert.match(
    early.error().detail ?? '',
    /^It was not tracked yet at 2026-01-08T11:59:59\.\d+Z\. Its record begins at /,
  )
  const stranger = await api.call({ url: `${url}?as_of=2026-01-08T11:59:59Z`, key: foreignKey })
  assert.match(stranger.error().detail ?? '', /^No such shipment/)
  for (const asOf of ['2026-12-01T00:00:00Z', 'yesterday', '2026-02-30']) {
    const answer = await api.call({ url: `${url}?as_of=${asOf}` })
    assert.equal(answer.status, 422)
    assert.deepEqual(answer.error().source, { parameter: 'as_of' })
  }
})

test('shows neither the past nor the provenance of another account’s shipment', async () => {
  for (const url of [...urls(), `/v2/shipments/${shipmentId}/history`, `/v2/containers/${containerId}/history`]) {
    assert.equal((await api.call({ url, key: foreignKey })).status, 404)
    if (url.includes('history')) continue
    const asOf = with_(url, 'as_of=2026-01-12T00:00:00Z')
    assert.equal((await api.call({ url: asOf, key: foreignKey })).status, 404)
  }
})

interface Explained {
  readonly rule: string
  readonly said: {
    readonly source: { kind: string; code: string }
    readonly value: unknown
    readonly notation: string
  } | null
  readonly losers: readonly { readonly value: unknown; readonly why: string }[]
}

async function provenanceOf(url: string): Promise<Readonly<Record<string, Explained>>> {
  const answer = await api.call({ url })
  assert.equal(answer.status, 200, answer.text)
  return (answer.body.data as { meta: { provenance: Record<string, Explained> } }).meta.provenance
}

test('every attribute shows its source, and rejected values with the reason, and no secret', async () => {
  const explained = await provenanceOf(`/v2/shipments/${shipmentId}?provenance=true&as_of=2026-01-12T12:00:00Z`)
  const { rule, said, losers } = explained['pod_eta_at'] ?? assert.fail('nothing is told of pod_eta_at')
  assert.deepEqual(said?.source, { kind: 'shipping_line', code: 'HLCU' })
  assert.equal(said?.value, '2026-01-25T02:00:00Z')
  assert.match(said?.notation ?? '', /^EST ARRI .*USLAX/)
  assert.match(rule, /expected/)
  assert.deepEqual(
    losers.map(({ value, why }) => [value, why]),
    [['2026-01-22T14:00:00Z', 'the later word']],
  )
  const answer = await api.call({ url: `/v2/shipments/${shipmentId}` })
  assert.deepEqual(Object.keys(answer.one().attributes).toSorted(), Object.keys(explained).toSorted())
  assert.doesNotMatch(JSON.stringify(explained), /127\.0\.0\.1|secret|credential/i)
})

test('a container shows the source of each attribute only on request', async () => {
  const explained = await provenanceOf(
    `/v2/containers/${containerId}?provenance=true&fields[container]=pod_discharged_at,number`,
  )
  assert.deepEqual(Object.keys(explained).toSorted(), ['number', 'pod_discharged_at'])
  assert.match(explained['pod_discharged_at']?.said?.notation ?? '', /^ACT DISC LADEN USLAX/)
  const answer = await api.call({ url: `/v2/containers/${containerId}` })
  assert.doesNotMatch(answer.text, /provenance/)
})

test('transport events show which source was chosen', async () => {
  const url = `/v2/containers/${containerId}/transport_events?provenance=true`
  const events = (await api.call({ url })).many() as readonly {
    meta?: { provenance?: Record<string, Explained> }
  }[]
  const explained = events.flatMap(({ meta }) => meta?.provenance?.['timestamp']?.said ?? [])
  assert.ok(explained.length >= 6)
})

interface Change {
  readonly attributes: {
    readonly recorded_at: string
    readonly cause: string
    readonly action: string | null
    readonly made_by: { readonly kind: string; readonly id: string | null } | null
    readonly changes: readonly {
      readonly attribute: string
      readonly before: unknown
      readonly after: unknown
    }[]
    readonly events: readonly { readonly name: string; readonly sequence: number | null }[]
  }
}

test('the history lists changes newest first, with values before and after, source and sent events', async () => {
  const answer = await api.call({ url: `/v2/shipments/${shipmentId}/history?page[size]=100` })
  const changes = answer.many() as unknown as readonly Change[]
  const at = changes.map(({ attributes }) => attributes.recorded_at)
  assert.deepEqual(at, at.toSorted().toReversed())
  const patched = changes.find(({ attributes: { action } }) => action === 'update_shipment')?.attributes
  assert.deepEqual(
    patched?.changes.map(({ attribute, before: was, after: is }) => [attribute, was, is]),
    [
      ['ref_numbers', ['PO 1'], ['PO 1', 'PO 2']],
      ['tags', [], ['hot']],
    ],
  )
  assert.equal(patched?.made_by?.kind, 'api_key')
  const moved = changes.find(({ attributes }) =>
    attributes.changes.some(({ attribute, before: was }) => attribute === 'pod_eta_at' && was !== null),
  )?.attributes
  assert.deepEqual(moved?.made_by, { kind: 'shipping_line', id: 'HLCU' })
  assert.ok(moved?.events.some(({ name, sequence }) => name.includes('estimated') && sequence !== null))
  const [first] = (await api.call({ url: `/v2/shipments/${shipmentId}/history?page[size]=1` })).many()
  assert.equal(first?.id, answer.many()[0]?.id)
  const own = (await api.call({ url: `/v2/containers/${containerId}/history` })).many() as unknown as readonly Change[]
  assert.ok(own.length >= 3, `${own.length} of ${changes.length}`)
  assert.ok(own.every(({ attributes }) => attributes.action !== 'update_shipment'))
})

test('an as_of request leaves no temporary table in the database', async () => {
  const { rows } = await api.service.pool.query(
    `select count(*)::int as tables from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname like 'pg_temp%' and c.relkind = 'r'`,
  )
  assert.deepEqual(rows, [{ tables: 0 }])
})

test('as_of folds dozens of entries correctly, also after Postgres has changed its query plans', async () => {
  for (let day = 0; day < 60; day += 1) {
    const sent = journey(bill, 'out', [box, otherBox])
    const at = new Date(Date.parse('2026-03-01T00:00:00Z') + day * 86_400_000).toISOString()
    carrier.answers({ json: [...sent, eta(600 + day, at, at)] })
    await api.pass(8)
  }
  const { rows } = await api.service.pool.query('select count(*)::int as n from ledger')
  assert.ok(rows[0].n > 30, `only ${rows[0].n} entries`)
  const url = `/v2/containers/${containerId}?include=shipment,transport_events,raw_events`
  const now = new Date(api.clock.now()).toISOString()
  const [then, stands] = [await api.call({ url: with_(url, `as_of=${now}`) }), await api.call({ url })]
  assertSame(then.text, stands.text, url)
})
