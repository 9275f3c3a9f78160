// DCSA Track & Trace 2.2 as we serve it: requests of a standard client, and their answers.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { closeLoop } from '../../qa/dcsa/loop.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { type Seeded, seededAt, seedShipment } from '../support/seed.ts'
import { faultOfError2, faultOfEvent2 } from './rules-2.ts'

let api: TestApi
let seeded: Seeded

before(async () => {
  // Real clocks are never at a whole second.
  api = await openTestApi({ startAt: seededAt.replace('Z', '.417Z') })
  seeded = await seedShipment(api)
})
after(async () => {
  await seeded.carrier.close()
  await api.close()
})

interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly events: readonly Event[]
  readonly text: string
}
type Event = Readonly<Record<string, unknown>> & {
  readonly transportCall?: Readonly<Record<string, unknown>>
}

async function ask(query: string, key: string | null = api.key, headers = {}): Promise<Answered> {
  const {
    statusCode,
    headers: answered,
    body,
  } = await api.app.inject({
    url: `/dcsa/v2/${query}`,
    headers: {
      host: 'landfall.test',
      ...(key === null ? {} : { authorization: `Token ${key}` }),
      ...headers,
    },
  })
  const parsed: unknown = JSON.parse(body)
  return {
    status: statusCode,
    headers: answered,
    events: (Array.isArray(parsed) ? parsed : []) as Event[],
    text: body,
  }
}

const codeOf = (event: Event): string =>
  [event['eventClassifierCode'], event['transportEventTypeCode'] ?? event['equipmentEventTypeCode']].join(' ')
const idsOf = ({ events }: Answered): readonly unknown[] => events.map((event) => event['eventID'])

test('a bill returns all valid events, in the form of the standard', async () => {
  const answer = await ask(`events?transportDocumentReference=${seeded.bill.toLowerCase()}`)
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.headers['content-type'], 'application/json')
  assert.equal(answer.headers['api-version'], '2.2.0')
  assert.equal(answer.headers['landfall-left-out'], '0')
  for (const event of answer.events) assert.equal(faultOfEvent2(event), null, JSON.stringify(event))
  const box = seeded.numbers[0]
  const ofBox = answer.events.filter(
    ({ references }) => (references as readonly { referenceValue: string }[])[0]?.referenceValue === box,
  )
  assert.deepEqual(
    ofBox.toSorted((a, b) => String(a['eventDateTime']).localeCompare(String(b['eventDateTime']))).map(codeOf),
    'GTOT GTIN LOAD DEPA ARRI DISC LOAD DEPA ARRI DISC GTOT'.split(' ').map((code) => `ACT ${code}`),
  )
  const arrival = ofBox.find(
    (event) => codeOf(event) === 'ACT ARRI' && event.transportCall?.['UNLocationCode'] === 'USLAX',
  )
  assert.equal(arrival?.['eventDateTime'], '2026-02-01T11:30:00-08:00')
  const { transportCallID, ...call } = arrival?.transportCall ?? {}
  assert.match(String(transportCallID), /:USLAX#1:VESSEL:9321483$/)
  assert.deepEqual(call, {
    modeOfTransport: 'VESSEL',
    carrierVoyageNumber: '601E',
    importVoyageNumber: '601E',
    UNLocationCode: 'USLAX',
    facilityCode: 'APMT',
    facilityCodeListProvider: 'SMDG',
    facilityTypeCode: 'POTE',
    location: {
      locationName: (call['location'] as { readonly locationName: string }).locationName,
      UNLocationCode: 'USLAX',
      facilityCode: 'APMT',
      facilityCodeListProvider: 'SMDG',
    },
    vessel: { vesselIMONumber: '9321483', vesselName: 'EMMA MAERSK' },
  })
})

test('each filter of the standard narrows the answer, and an unknown value matches nothing', async () => {
  const all = (await ask('events?limit=1000')).events
  const count = async (query: string): Promise<number> => {
    const answer = await ask(`events?limit=1000&${query}`)
    assert.equal(answer.status, 200, answer.text)
    return answer.events.length
  }
  assert.equal(all.length, 22)
  assert.equal(await count('eventType=TRANSPORT'), 8)
  assert.equal(await count('eventType=TRANSPORT,EQUIPMENT'), 22)
  assert.equal(await count('eventType=TRANSPORT&eventType=EQUIPMENT'), 22)
  assert.equal(await count('eventType=SHIPMENT'), 0)
  assert.equal(await count('transportEventTypeCode=ARRI'), 4)
  assert.equal(await count('equipmentEventTypeCode=LOAD,DISC'), 8)
  assert.equal(await count('transportEventTypeCode=ARRI,DEPA&equipmentEventTypeCode=GTIN'), 10)
  assert.equal(await count('eventType=EQUIPMENT&transportEventTypeCode=ARRI'), 14)
  assert.equal(await count('shipmentEventTypeCode=RECE'), 0)
  assert.equal(await count('documentTypeCode=BKG'), 0)
  assert.equal(await count(`equipmentReference=${seeded.numbers[0]}`), 11)
  assert.equal(await count('equipmentReference=MSCU9999999'), 0)
  assert.equal(await count('carrierBookingReference=NOBODYS1'), 0)
  assert.equal(await count('vesselIMONumber=9321483'), 16)
  assert.equal(await count('exportVoyageNumber=601E'), 16)
  assert.equal(await count('carrierVoyageNumber=601W'), 0)
  assert.equal(await count('UNLocationCode=KRPUS'), 8)
  assert.equal(await count('UNLocationCode=cnsha'), 8, 'the place is known here under another code')
  assert.equal(await count('carrierServiceCode=AE1'), 0)
  const call = all.find((event) => codeOf(event) === 'ACT ARRI')?.transportCall?.['transportCallID']
  assert.equal(await count(`transportCallID=${encodeURIComponent(String(call))}&eventType=TRANSPORT`), 4)
  assert.equal(await count('transportCallID=someone-elses'), 0)
  assert.equal(await count(`UNLocationCode=USLAX&equipmentEventTypeCode=DISC&vesselIMONumber=9321483`), 2)
})

test('a client that requests the events since its last one gets exactly the new ones', async () => {
  const all = await ask('events?limit=1000')
  const created = all.events.map((event) => String(event['eventCreatedDateTime']))
  assert.deepEqual(created, created.toSorted())
  const last = created.at(-1) ?? ''
  const since = async (operator: string) =>
    (await ask(`events?${encodeURIComponent(`eventCreatedDateTime${operator}`)}=${last}`)).events.length
  const atLast = created.filter((at) => at === last).length
  assert.deepEqual(
    [
      await since(':gte'),
      await since(':gt'),
      await since(':lt'),
      await since(':lte'),
      await since(':eq'),
      await since(''),
    ],
    [atLast, 0, 22 - atLast, 22, atLast, atLast],
  )
  assert.equal((await ask(`events?eventCreatedDateTime=gte:${last}`)).events.length, atLast)
  const newest = await ask('events?sort=eventCreatedDateTime:DESC&limit=1000')
  assert.deepEqual(
    newest.events.map((event) => event['eventCreatedDateTime']),
    created.toReversed(),
  )
})

test('all pages together give the whole event list, with or without the first parameters beside the cursor', async () => {
  const whole = idsOf(await ask('events?limit=1000'))
  for (const beside of ['', 'limit=5&eventType=TRANSPORT,EQUIPMENT&']) {
    const ids: unknown[] = []
    let answer = await ask('events?limit=5&eventType=TRANSPORT,EQUIPMENT')
    const first = answer.headers['current-page']
    for (let page = 0; ; page += 1) {
      ids.push(...idsOf(answer))
      assert.equal(answer.headers['first-page'], first)
      const next = answer.headers['next-page']
      if (next === undefined) break
      assert.ok(page < 10)
      answer = await ask(`events?${beside}cursor=${String(next)}`)
    }
    assert.deepEqual(ids, whole)
  }
})

test('an event is found by its id, and a corrected one is 404', async () => {
  const [event] = (await ask('events?transportEventTypeCode=ARRI&UNLocationCode=USLAX')).events
  const found = await ask(`events/${String(event?.['eventID'])}`)
  assert.deepEqual(JSON.parse(found.text), event)
  const { rows } = await api.service.pool.query<{ id: string }>(
    `select id from transport_events where invalidated_at is not null and event = 'container.transport.vessel_arrived'`,
  )
  assert.ok(rows.length > 0)
  for (const id of [...rows.map((row) => row.id), 'no-id', '00000000-0000-4000-8000-000000000000']) {
    const gone = await ask(`events/${id}`)
    assert.equal(gone.status, 404)
    assert.equal(faultOfError2(JSON.parse(gone.text)), null)
  }
})

test('an error has the form of the standard and names the parameter', async () => {
  const cases = [
    ['events?colour=red', 400, 'colour'],
    ['events?eventType=SHIP', 422, 'eventType'],
    ['events?transportEventTypeCode=LOAD', 422, 'transportEventTypeCode'],
    ['events?limit=0', 422, 'limit'],
    ['events?limit=1001', 422, 'limit'],
    ['events?limit=5&limit=6', 400, 'limit'],
    ['events?sort=eventDateTime', 422, 'sort'],
    ['events?eventCreatedDateTime=yesterday', 422, 'eventCreatedDateTime'],
    ['events?eventCreatedDateTime:gte=2026-01-05', 422, 'eventCreatedDateTime:gte'],
    ['events?carrierBookingReference=%00', 422, 'carrierBookingReference'],
    [`events?transportDocumentReference=${'9'.repeat(51)}`, 422, 'transportDocumentReference'],
    ['events?cursor=abc', 400, 'cursor'],
    [`events?eventType=TRANSPORT&cursor=${String((await ask('events')).headers['first-page'])}`, 422, 'cursor'],
    ['nothing', 404, ''],
  ] as const
  for (const [query, status, field] of cases) {
    const answer = await ask(query)
    assert.equal(answer.status, status, `${query}: ${answer.text}`)
    assert.equal(faultOfError2(JSON.parse(answer.text)), null, answer.text)
    assert.ok(answer.text.includes(`"message":"${field}`), answer.text)
  }
  const other = await ask('events', api.key, { 'api-version': '3' })
  assert.deepEqual([other.status, faultOfError2(JSON.parse(other.text))], [400, null])
  assert.equal((await ask('events', api.key, { 'api-version': '2' })).status, 200)
})

test('without a key the answer is 401, and another account sees nothing', async () => {
  const nobody = await ask('events', null)
  assert.deepEqual([nobody.status, faultOfError2(JSON.parse(nobody.text))], [401, null])
  const key = await api.newKey(await api.newAccount(), ['read'])
  const [event] = (await ask('events')).events
  const callId = encodeURIComponent(
    String((await ask('events?eventType=TRANSPORT')).events[0]?.transportCall?.['transportCallID']),
  )
  for (const query of [
    'events',
    `events?transportDocumentReference=${seeded.bill}`,
    `events?equipmentReference=${seeded.numbers[0]}`,
    'events?vesselIMONumber=9321483',
    `events?transportCallID=${callId}`,
    `events?cursor=${String((await ask('events?limit=2')).headers['next-page'])}`,
  ])
    assert.deepEqual((await ask(query, key)).events, [], query)
  assert.equal((await ask(`events/${String(event?.['eventID'])}`, key)).status, 404)
})

test('an event with only a date is omitted and counted, not given an invented time', async () => {
  const { rows } = await api.service.pool.query<{ id: string }>(
    `update transport_events set milestone = jsonb_set(milestone, '{time}', '{"kind":"day","on":"2026-02-06"}')
      where event = 'container.transport.full_out' returning id`,
  )
  const answer = await ask('events?limit=1000')
  assert.equal(answer.headers['landfall-left-out'], String(rows.length))
  assert.equal(answer.events.length, 22 - rows.length)
  const one = await ask(`events/${rows[0]?.id}`)
  assert.equal(one.status, 404)
  assert.match(one.text, /no form of the time/)
})

test('our own reader of these events yields the journey that the carriers sent', async () => {
  const closed = await closeLoop({ journeys: 12, seed: 5, days: 24, stepDays: 12, say: () => {} })
  assert.deepEqual(closed.differences, [])
  assert.ok(closed.shipments === 12 && closed.moves > 100, JSON.stringify(closed))
})
