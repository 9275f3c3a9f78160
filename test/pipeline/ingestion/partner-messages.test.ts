// A message of a partner is used for the shipments that it is about, whether it comes before or after the request:
// once, and for no other shipment.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listRawEvents } from '../../../src/modules/provenance/list-raw-events.ts'
import { listEventIds } from '../../../src/modules/transport-events/list-transport-events.ts'
import { readJourney, writeStatements } from '../../../tools/edi-samples/statements.ts'
import { box, journey, unknown } from '../../support/tracking-harness.ts'
import { openIntake } from './ingestion-harness.ts'

const bill = 'HLCUSHA260100077'

test('uses events that a line pushes about a tracked shipment, and sends them to subscribers', async (t) => {
  const stage = await openIntake(t)
  await stage.open({})
  stage.carrier.answers({ json: journey(bill, 'sailed') })
  await stage.track(bill)
  await stage.drain()
  const taken = await stage.send('hapag', journey(bill, 'arrived').slice(-1))
  assert.deepEqual(
    taken.items.map(({ result }) => result),
    ['accepted'],
  )
  await stage.drain()
  const eventNames = await stage.heard()
  assert.ok(eventNames.includes('container.transport.vessel_arrived'), eventNames.join(', '))
  const entries = await stage.rows<{ kind: string }>('select kind from ledger order by position')
  assert.equal(entries.filter(({ kind }) => kind === 'heard').length, 1)
})

test('uses a repeated delivery once, with or without an idempotency key', async (t) => {
  const stage = await openIntake(t)
  await stage.open({})
  stage.carrier.answers({ json: journey(bill, 'sailed') })
  await stage.track(bill)
  await stage.drain()
  const events = journey(bill, 'arrived').slice(-1)
  const first = await stage.send('hapag', events, 'one')
  const again = await stage.send('hapag', events, 'one')
  assert.equal(again.messageId, first.messageId)
  assert.ok(again.isRepeated)
  const unkeyed = await stage.send('hapag', events)
  assert.deepEqual(
    unkeyed.items.map(({ result }) => result),
    ['repeated'],
  )
  await stage.drain()
  assert.equal((await stage.rows(`select 1 from ledger where kind = 'heard'`)).length, 1)
  const eventNames = await stage.heard()
  assert.equal(eventNames.filter((name) => name === 'container.transport.vessel_arrived').length, 1)
})

test('a pushed event resolves a tracking request, whether the event or the request came first', async (t) => {
  const stage = await openIntake(t)
  await stage.open({})
  const [early, late] = ['HLCUSHA260100081', 'HLCUSHA260100082']
  await stage.send('hapag', journey(early, 'sailed', ['LDFU1000018']))
  await stage.drain()
  const before = await stage.track(early)
  const after = await stage.track(late)
  await stage.drain()
  await stage.send('hapag', journey(late, 'sailed', ['LDFU1000023']).map(withOtherId))
  await stage.drain()
  for (const id of [before, after]) assert.equal((await stage.request(id)).status, 'created')
  assert.equal((await stage.rows('select 1 from shipments')).length, 2)
  assert.deepEqual(await stage.milestones(), ['empty_out', 'full_in', 'vessel_departed', 'vessel_loaded'])
})

test('an account channel serves one account, and an installation channel serves all that track the document', async (t) => {
  const stage = await openIntake(t)
  const other = await stage.newAccount()
  await stage.open({ name: 'mine' })
  await stage.open({ name: 'all', as: null })
  stage.carrier.answers({ json: journey(bill, 'sailed') })
  await stage.track(bill)
  await stage.track(bill, { as: other })
  await stage.drain()
  await stage.send('mine', journey(bill, 'arrived').slice(-1))
  await stage.drain()
  assert.ok((await stage.heard()).includes('container.transport.vessel_arrived'))
  assert.ok(!(await stage.heard(other)).includes('container.transport.vessel_arrived'))
  await stage.send('all', journey(bill, 'arrived').slice(-1))
  const discharged = journey(bill, 'discharged').find((event) => event['equipmentEventTypeCode'] === 'DISC')
  await stage.send('all', [{ ...discharged, documentReferences: [] }])
  await stage.drain()
  const eventNames = await stage.heard(other)
  assert.ok(eventNames.includes('container.transport.vessel_arrived'))
  assert.ok(!eventNames.includes('container.transport.vessel_discharged'), 'it names a box alone')
})

test('does not use an event for a shipment if the event names the container with another document', async (t) => {
  const stage = await openIntake(t)
  await stage.open({})
  stage.carrier.answers({ json: journey(bill, 'sailed') })
  await stage.track(bill)
  await stage.drain()
  await stage.send('hapag', journey('HLCUSHA269999999', 'arrived').slice(-1).map(withOtherId))
  await stage.drain()
  assert.ok(!(await stage.heard()).includes('container.transport.vessel_arrived'))
  assert.equal((await stage.rows('select 1 from hearings')).length, 0)
  assert.equal((await stage.rows('select 1 from mentions where matched_at is not null')).length, 1)
})

function withOtherId(event: Readonly<Record<string, unknown>>) {
  return { ...event, eventID: String(event['eventID']).replace('0000-4000', '0001-4000') }
}

test('a message resolves a bill that its line did not know, and a later message adds to it', async (t) => {
  const stage = await openIntake(t)
  await stage.open({ name: 'own', source: 'statements', profile: {} })
  stage.carrier.answers(unknown)
  const id = await stage.track(bill)
  await stage.drain()
  const ship = 'via=VESSEL vessel=9321483/"King of the Seas" voyage=601E'
  const say = async (line: string, booking: string | null) => {
    const statements = readJourney(`${line} carrier:HLCU box=${box} ${ship}`)
    await stage.send('own', Buffer.from(writeStatements(statements, { bill, booking })), line)
    await stage.drain()
  }
  await say('ACT LOAD LADEN CNSHG 2026-01-07T14:00Z', null)
  assert.equal((await stage.request(id)).status, 'created')
  await say('ACT ARRI - USLAX 2026-01-22T14:00Z', 'HLCU77001122')
  assert.deepEqual(await stage.milestones(), ['vessel_arrived', 'vessel_loaded'])
})

/** The raw events of the only container; they are those to which its document links. */
async function rawEventsOf(stage: Awaited<ReturnType<typeof openIntake>>) {
  const { service, account } = stage
  const [container] = await stage.rows<{ id: string }>('select id from containers')
  const containerIds = [container?.id ?? '']
  const listed = await listRawEvents(service, account, { containerIds })
  const [linked] = await listEventIds(service, account, { containerIds, rawMax: 100 })
  assert.deepEqual(linked?.rawEventIds.toSorted(), listed.map(({ event }) => event.id).toSorted())
  assert.deepEqual(
    listed.map(({ event }) => event.index),
    listed.keys().toArray(),
  )
  return listed.map(({ event }) => event)
}

test('stores one raw event for an event that is polled, pushed and sent in another language', async (t) => {
  const stage = await openIntake(t)
  await stage.open({})
  await stage.open({ name: 'own', source: 'statements', profile: {} })
  stage.carrier.answers({ json: journey(bill, 'sailed') })
  await stage.track(bill)
  await stage.drain()
  const asked = await rawEventsOf(stage)
  stage.clock.advance(3_600_000)
  await stage.send('hapag', journey(bill, 'arrived'))
  await stage.drain()
  stage.clock.advance(3_600_000)
  const ship = 'via=VESSEL vessel=9321483/"King of the Seas"'
  const statements = readJourney(`ACT LOAD LADEN CNSHG 2026-01-07T14:00Z carrier:HLCU box=${box} ${ship}`)
  await stage.send('own', Buffer.from(writeStatements(statements, { bill, booking: null })), 'own')
  await stage.drain()
  const events = await rawEventsOf(stage)
  assert.equal(events.length, asked.length + 1)
  assert.deepEqual(
    events.slice(0, asked.length).map(({ id }) => id),
    asked.map(({ id }) => id),
  )
  const waysOf = (code: string) =>
    events.find(({ observation }) => observation.code === code)?.ways.map(({ language, came }) => `${language} ${came}`)
  assert.deepEqual(waysOf('DEPA'), ['dcsa asked', 'dcsa sent'])
  assert.deepEqual(waysOf('LOAD'), ['dcsa asked', 'dcsa sent', 'statements sent'])
  assert.deepEqual(waysOf('ARRI'), ['dcsa sent'])
})

test('a pushed correction or retraction ends the raw event that was polled', async (t) => {
  const stage = await openIntake(t)
  await stage.open({})
  stage.carrier.answers({ json: journey(bill, 'sailed') })
  await stage.track(bill)
  await stage.drain()
  const [departure] = journey(bill, 'sailed').slice(-1)
  stage.clock.advance(7_200_000)
  const writtenAt = new Date(stage.clock.now() - 3_600_000).toISOString()
  const later = { ...departure, eventCreatedDateTime: writtenAt }
  const ship = {
    ...Object(departure?.['transportCall']),
    vessel: { vesselIMONumber: '9456757', vesselName: 'OTHER' },
  }
  await stage.send('hapag', [{ ...later, transportCall: ship }])
  await stage.drain()
  const live = async () => {
    const events = await rawEventsOf(stage)
    return events.filter(({ retiredAt, observation }) => retiredAt === null && observation.code === 'DEPA')
  }
  const [corrected, ...others] = await live()
  assert.deepEqual([corrected?.observation.vessel?.name, others], ['OTHER', []])
  stage.clock.advance(3_600_000)
  const movedAt = new Date(stage.clock.now() - 60_000).toISOString()
  const moving = { eventDateTime: '2026-01-08T03:00:00+08:00', eventCreatedDateTime: movedAt }
  await stage.send('hapag', [{ ...later, ...moving, transportCall: ship }])
  await stage.drain()
  const [moved, ...rest] = await live()
  assert.deepEqual([moved?.ways.map(({ came }) => came), rest], [['sent'], []])
  stage.clock.advance(3_600_000)
  const updatedAt = new Date(stage.clock.now() - 60_000).toISOString()
  await stage.send('hapag', [{ ...later, eventCreatedDateTime: updatedAt, isRetracted: true }])
  await stage.drain()
  assert.deepEqual(await live(), [])
})
