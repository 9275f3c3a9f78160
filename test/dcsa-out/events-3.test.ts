// DCSA Track & Trace 3.0, behind its setting: stable ids, corrections under the same id, and retractions.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { openRenderer } from '../../src/api/notifications/notification-document.ts'
import { standardProfile } from '../../src/connectors/dcsa/profile.ts'
import { readSnapshot } from '../../src/connectors/dcsa/read-snapshot.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../../src/platform/ids.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { equipment, journey, type Seeded, seededAt, seedShipment } from '../support/seed.ts'

type Event = Readonly<Record<string, unknown>>

let api: TestApi
let seeded: Seeded
const sent: Event[] = []
const versions = new Set<unknown>()
const receiver = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    versions.add(request.headers['api-version'])
    const body = JSON.parse(Buffer.concat(chunks).toString()) as { readonly events: readonly Event[] }
    sent.push(...body.events)
    response.end()
  })
})

before(async () => {
  api = await openTestApi({ startAt: seededAt, render: openRenderer, env: { LANDFALL_DCSA_3: 'on' } })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/events`
  const made = await make(api, { url, format: 'dcsa_3' })
  assert.equal(made.status, 201, made.text)
  seeded = await seedShipment(api)
})
after(async () => {
  receiver.closeAllConnections()
  receiver.close()
  await seeded.carrier.close()
  await api.close()
})

const make = (of: TestApi, attributes: object) =>
  of.call({ method: 'POST', url: '/v2/webhooks', body: { data: { type: 'webhook', attributes } } })

async function ask(
  query: string,
  of = api,
): Promise<{ status: number; headers: Record<string, unknown>; text: string }> {
  const { statusCode, headers, body } = await of.app.inject({
    url: `/dcsa/v3/events${query}`,
    headers: { host: 'landfall.test', authorization: `Token ${of.key}` },
  })
  return { status: statusCode, headers, text: body }
}
const eventsOf = async (query: string): Promise<readonly Event[]> => {
  const answer = await ask(query)
  assert.equal(answer.status, 200, answer.text)
  return (JSON.parse(answer.text) as { readonly events: readonly Event[] }).events
}

test('a bill, a booking or a container returns events in the form of DCSA 3.0', async () => {
  const events = await eventsOf(`?transportDocumentReference=${seeded.bill}`)
  assert.equal(events.length, 22)
  const box = seeded.numbers[0] ?? ''
  const ofBox = await eventsOf(`?equipmentReference=${box}&eventTypes=TRANSPORT`)
  assert.equal(ofBox.length, 4)
  const { eventID, ...arrival } = ofBox.find((event) => JSON.stringify(event).includes('USLAX')) ?? {}
  assert.match(String(eventID), /^[0-9a-f-]{36}:container\.transport\.vessel_arrived:USLAX#1$/)
  const { eventUpdatedDateTime, ...said } = arrival
  assert.match(String(eventUpdatedDateTime), /^2026-03-1\dT[\d:]{8}Z$/)
  const { eventLocation, transportDetails, ...rest } = said as Record<string, Record<string, unknown>>
  assert.deepEqual(rest, {
    eventDateTime: '2026-02-01T11:30:00-08:00',
    eventClassification: {
      eventType: 'TRANSPORT',
      eventClassifier: 'ACTUAL',
      transportEventType: 'ARRIVED',
    },
    shipmentDetails: { documentReference: { type: 'TRANSPORT_DOCUMENT', reference: seeded.bill } },
    equipmentDetails: { equipmentReference: box },
  })
  assert.equal(eventLocation?.['facilityType'], 'PORT_TERMINAL')
  const call = transportDetails?.['transportCall'] as Event | undefined
  assert.deepEqual(call?.['vesselTransport'], {
    vesselIMONumber: '9321483',
    vesselName: 'EMMA MAERSK',
  })
})

test('pages and filters by time work, and invalid parameters are refused', async () => {
  const query = `?transportDocumentReference=${seeded.bill}`
  const ids: unknown[] = []
  let cursor = ''
  do {
    const answer = await ask(`${query}&limit=5${cursor}`)
    ids.push(...(JSON.parse(answer.text) as { events: Event[] }).events.map((event) => event['eventID']))
    const next = answer.headers['next-page-cursor']
    cursor = next === undefined ? '' : `&cursor=${String(next)}`
  } while (cursor !== '')
  assert.deepEqual(
    ids,
    (await eventsOf(query)).map((event) => event['eventID']),
  )
  const last = String((await eventsOf(query)).at(-1)?.['eventUpdatedDateTime'])
  const since = await eventsOf(`${query}&eventUpdatedDateTimeMin=${last}`)
  assert.ok(since.length > 0 && since.length < 22)
  assert.equal((await eventsOf(`${query}&eventUpdatedDateTimeMax=2026-01-01T00:00:00Z`)).length, 0)
  assert.deepEqual((await eventsOf(`${query}&eventTypes=IOT,REEFER`)).length, 0)
  for (const [wrong, status] of [
    ['', 400],
    [`${query}&colour=red`, 400],
    [`${query}&eventTypes=PARTY`, 422],
    [`${query}&eventUpdatedDateTimeMin=today`, 422],
  ] as const) {
    const answer = await ask(wrong)
    assert.equal(answer.status, status, wrong)
    const [feedback] = (JSON.parse(answer.text) as { readonly feedbackElements: readonly Event[] }).feedbackElements
    assert.equal(feedback?.['severity'], 'ERROR', answer.text)
  }
})

test('a correction keeps its id, and an event that the carrier retracts is sent and listed as retracted', async () => {
  const arrivals = sent.filter((event) => String(event['eventID']).includes('vessel_arrived'))
  const [first, second, third, fourth] = arrivals
  assert.equal(arrivals.length, 4, 'two boxes, each told and corrected')
  assert.deepEqual(
    [first?.['eventID'], second?.['eventID']].toSorted(),
    [third?.['eventID'], fourth?.['eventID']].toSorted(),
  )
  assert.deepEqual([...versions], ['3.0.0'])
  const [box = ''] = seeded.numbers
  const taken = {
    ...(equipment('GTIN', 'EMPTY', '2026-03-01T10:00:00-08:00', {
      call: 'C',
      unlocode: 'USLAX',
      facility: null,
      sequence: 3,
      mode: 'TRUCK',
      vessel: null,
      voyage: null,
      number: box,
    }) as object),
    retractedEventID: uuidV5(LANDFALL_NAMESPACE, `seed:E-GTOT-LADEN-C-${box}`),
  }
  const left = journey(seeded.numbers, 'second').filter(
    (event) => (event as Event)['eventID'] !== taken.retractedEventID,
  )
  seeded.carrier.answers({ json: [...left, taken] }, seeded.bill)
  await api.pass(26)
  const isOut = (event: Event): boolean =>
    String(event['eventID']).includes('full_out') && event['isRetracted'] === true
  const listed = (await eventsOf(`?equipmentReference=${box}`)).filter(isOut)
  assert.equal(listed.length, 1, JSON.stringify(await eventsOf(`?equipmentReference=${box}`)))
  assert.deepEqual(Object.keys(listed[0] ?? {}), ['eventID', 'isRetracted', 'eventUpdatedDateTime'])
  assert.deepEqual(sent.filter(isOut), listed)
})

test('our own reader of DCSA 3.0 reads the answer without an issue', async () => {
  const query = `?transportDocumentReference=${seeded.bill}`
  const body = Buffer.from((await ask(query)).text)
  const fetchedAt = new Date(api.clock.now()).toISOString()
  const reading = readSnapshot(
    { status: 200, contentType: 'application/json', body, fetchedAt, truncated: false } as Parameters<
      typeof readSnapshot
    >[0],
    { scac: 'ONEY', kind: 'bill_of_lading', number: seeded.bill },
    { ...standardProfile, scac: 'ONEY', base: 'https://example.com', body: 'any' },
  )
  assert.deepEqual(reading.issues, [])
  const served = (await eventsOf(query)).filter((event) => event['isRetracted'] !== true)
  const read = reading.observations.filter((said) => said.kind === 'event' && !said.isRetracted)
  assert.ok(served.length > 20)
  assert.equal(read.length, served.length)
})

test('the DCSA 3.0 interface exists only if the setting enables it', async () => {
  const off = await openTestApi({ startAt: seededAt })
  try {
    assert.equal((await ask('?equipmentReference=MSCU4000005', off)).status, 404)
    const refused = await make(off, { url: 'https://example.com/', format: 'dcsa_3' })
    assert.deepEqual([refused.status, refused.error().source?.pointer], [422, '/data/attributes/format'])
    assert.match(refused.error().detail, /LANDFALL_DCSA_3/)
  } finally {
    await off.close()
  }
})
