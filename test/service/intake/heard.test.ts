// A message of a partner is used for the shipments that it is about, whether it comes before or after the request:
// once, and for no other shipment.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readJourney, writeStatements } from '../../../tools/edi-samples/statements.ts'
import { box, journey, unknown } from '../tracking-harness.ts'
import { openIntake } from './intake-harness.ts'

const bill = 'HLCUSHA260100077'

test('events that a line pushes about a tracked shipment are used, and subscribers get them', async (t) => {
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
  const heard = await stage.heard()
  assert.ok(heard.includes('container.transport.vessel_arrived'), heard.join(', '))
  const entries = await stage.rows<{ kind: string }>('select kind from ledger order by position')
  assert.equal(entries.filter(({ kind }) => kind === 'heard').length, 1)
})

test('the same delivery sent again is used once, by the key of the sender or by its own ids', async (t) => {
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
  const heard = await stage.heard()
  assert.equal(heard.filter((name) => name === 'container.transport.vessel_arrived').length, 1)
})

test('a searching request is found by an event that its line pushes, whichever came first', async (t) => {
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

test('a channel of one account is used for no other account; one of the installation only by document', async (t) => {
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
  const heard = await stage.heard(other)
  assert.ok(heard.includes('container.transport.vessel_arrived'))
  assert.ok(!heard.includes('container.transport.vessel_discharged'), 'it names a box alone')
})

test('a message with another document of the box is not used for its shipment', async (t) => {
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

test('a number that its line did not know as a bill is found as the bill that a message names, and continues as that', async (t) => {
  const stage = await openIntake(t)
  await stage.open({ name: 'own', source: 'statements', profile: {} })
  stage.carrier.answers(unknown)
  const id = await stage.track(bill)
  await stage.drain()
  const ship = 'via=VESSEL vessel=9321483/"King of the Seas" voyage=601E'
  const say = async (line: string, booking: string | null) => {
    const said = readJourney(`${line} carrier:HLCU box=${box} ${ship}`)
    await stage.send('own', Buffer.from(writeStatements(said, { bill, booking })), line)
    await stage.drain()
  }
  await say('ACT LOAD LADEN CNSHG 2026-01-07T14:00Z', null)
  assert.equal((await stage.request(id)).status, 'created')
  await say('ACT ARRI - USLAX 2026-01-22T14:00Z', 'HLCU77001122')
  assert.deepEqual(await stage.milestones(), ['vessel_arrived', 'vessel_loaded'])
})
