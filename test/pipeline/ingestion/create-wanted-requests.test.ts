// A channel can create tracking requests for numbers that its account does not know: once, within the account's limit,
// only for this account.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeChannel } from '../../../src/modules/channels/channels.ts'
import { listMessages } from '../../../src/modules/inbound-messages/messages.ts'
import { getTrackingRequest } from '../../../src/modules/tracking-requests/get-tracking-request.ts'
import { makeWantedRequests } from '../../../src/pipeline/ingestion/create-wanted-requests.ts'
import { box, journey, otherBox, unknown } from '../../support/tracking-harness.ts'
import { type IntakeStage, openIntake } from './ingestion-harness.ts'

const bill = 'HLCUSHA260100077'
const creating = { createsRequests: true } as const

async function requests(stage: IntakeStage) {
  return stage.rows<{
    id: string
    status: string
    type: string
    number: string
    scac: string | null
    mine: boolean
  }>(
    `select id, status, request_type as type, number, scac, account_id = $1 as mine from tracking_requests order by created_at, id`,
    [stage.account.account.id],
  )
}

async function results(stage: IntakeStage) {
  const filter = { channel: null, status: null }
  const { rows } = await listMessages(stage.service, stage.account, { filter, page: { number: 1, size: 50 } })
  return rows.flatMap(({ parts }) => parts.flatMap(({ request }) => request ?? []))
}

/** Their own ids, so that each is ingested. */
function say(number: string, index = 0, boxes = [box]) {
  return journey(number, 'sailed', boxes).map((event) => ({
    ...event,
    eventID: String(event['eventID']).replace('0000-4000', `${String(index).padStart(4, '0')}-4000`),
  }))
}

test('a message about an unknown bill creates one tracking request, which uses that message', async (t) => {
  const stage = await openIntake(t)
  await stage.newAccount()
  await stage.open(creating)
  stage.carrier.answers(unknown)
  const { messageId } = await stage.send('hapag', say(bill))
  await stage.drain()
  const made = await requests(stage)
  assert.deepEqual(
    made.map(({ status, type, number, scac, mine }) => ({ status, type, number, scac, mine })),
    [{ status: 'created', type: 'bill_of_lading', number: bill, scac: 'HLCU', mine: true }],
  )
  assert.ok((await stage.milestones()).includes('vessel_departed'))
  const id = made[0]?.id ?? ''
  assert.deepEqual((await getTrackingRequest(stage.service, stage.account, { id })).madeBy, {
    channel: 'hapag',
    messageId,
  })
  const [audit] = await stage.rows<{ actor: string; diff: unknown }>(
    `select actor_type as actor, diff from audit_events where target_id = $1`,
    [id],
  )
  assert.deepEqual(audit, {
    actor: 'system',
    diff: { channel: [null, 'hapag'], inbound_message: [null, messageId] },
  })
  const shown = await results(stage)
  assert.equal(shown.filter(({ status }) => status === 'made').length, 1)
  assert.ok(
    shown.every(({ status, trackingRequestId }) => ['made', 'known'].includes(status) && trackingRequestId === id),
  )
})

test('a channel creates tracking requests only if it is configured to do so', async (t) => {
  const stage = await openIntake(t)
  await stage.open({})
  await assert.rejects(stage.open({ name: 'all', as: null, ...creating }), { code: 'invalid' })
  await stage.open({ name: 'all', as: null })
  await assert.rejects(changeChannel(stage.service, { name: 'all', ...creating }), { code: 'invalid' })
  await stage.send('hapag', say(bill))
  await stage.send('all', say('HLCUSHA260100078', 1))
  await stage.drain()
  assert.deepEqual(await requests(stage), [])
  await changeChannel(stage.service, { name: 'hapag', ...creating })
  await stage.send('hapag', say('HLCUSHA260100079', 2))
  await stage.drain()
  assert.equal((await requests(stage)).length, 1)
})

test('a message that names only a container creates a request, unless that number was requested before', async (t) => {
  const stage = await openIntake(t)
  await stage.open(creating)
  stage.carrier.answers({ json: journey(bill, 'sailed') })
  await stage.track(bill)
  await stage.drain()
  await stage.send('hapag', say(bill, 1))
  const alone = say(bill, 2, [otherBox]).map((event) => ({
    ...event,
    documentReferences: [],
    references: [],
  }))
  await stage.send('hapag', alone.slice(0, 1))
  await stage.drain()
  // The clock does not move between drains: both may have one time.
  assert.deepEqual((await requests(stage)).map(({ type, number }) => `${type} ${number}`).toSorted(), [
    `bill_of_lading ${bill}`,
    `container ${otherBox}`,
  ])
  await stage.rows(`update tracking_requests set status = 'tracking_stopped'`)
  await stage.rows(`update shipments set tracking_stopped_at = '2025-11-01'`)
  await stage.send('hapag', say(bill, 3))
  await stage.drain()
  assert.equal((await requests(stage)).length, 2)
  assert.ok(
    (await results(stage)).some(({ status, trackingRequestId }) => status === 'known' && trackingRequestId === null),
  )
})

test('two messages at one moment and two workers create one request', async (t) => {
  const stage = await openIntake(t)
  await stage.open(creating)
  stage.carrier.answers(unknown)
  await Promise.all([1, 2, 3].map((index) => stage.send('hapag', say(bill, index))))
  await Promise.all([
    stage.drain(),
    stage.drain(),
    makeWantedRequests(stage.service),
    makeWantedRequests(stage.service),
  ])
  await stage.drain()
  await stage.pass(1)
  assert.equal((await requests(stage)).length, 1)
  assert.equal((await stage.rows(`select from wanted_requests where status = 'waiting'`)).length, 0)
})

test("defers requests above the account's rate or the channel's daily limit, and the message states this", async (t) => {
  const stage = await openIntake(t, { env: { LANDFALL_RATE_LIMIT_CREATE: '2' } })
  await stage.open({ ...creating, createsPerDay: 3 })
  stage.carrier.answers(unknown)
  for (const index of [1, 2, 3, 4]) await stage.send('hapag', say(`HLCUSHA26010008${index}`, index).slice(0, 1))
  await stage.drain()
  assert.equal((await requests(stage)).length, 2)
  const waiting = (await results(stage)).filter(({ status }) => status === 'waiting')
  assert.match(waiting[0]?.reason ?? '', /waits for its turn/)
  await stage.pass(1)
  assert.equal((await requests(stage)).length, 3)
  assert.match((await results(stage)).find(({ status }) => status === 'waiting')?.reason ?? '', /24 hours/)
  await stage.pass(25)
  assert.equal((await requests(stage)).length, 4)
})

test('finds the shipping line of a bill that a terminal names, and refuses a bill that cannot be tracked', async (t) => {
  const stage = await openIntake(t)
  await stage.open({
    ...creating,
    name: 'pier',
    speaker: { kind: 'terminal', code: 'Y258' },
    source: 'statements',
    profile: {},
  })
  await stage.open({
    ...creating,
    name: 'odd',
    speaker: { kind: 'shipping_line', code: 'ZZZZ' },
    source: 'statements',
    profile: {},
  })
  stage.carrier.answers({ json: journey(bill, 'sailed') })
  const statement = { container: box, bill, says: 'available', value: true }
  await stage.send('pier', statement)
  await stage.send('odd', { ...statement, bill: 'ZZZZ1234567', container: otherBox })
  await stage.drain()
  assert.deepEqual(
    (await requests(stage)).map(({ number, scac }) => ({ number, scac })),
    [{ number: bill, scac: 'HLCU' }],
  )
  assert.equal((await stage.rows('select from hearings')).length, 1)
  assert.match((await results(stage)).find(({ status }) => status === 'refused')?.reason ?? '', /ZZZZ/)
})
