// A tracked shipment: which changes are announced and which not, facts that an answer no longer has, ends of tracking,
// and changes by the user.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { updateContainer } from '../../../src/modules/containers/update-container.ts'
import { resumeTracking } from '../../../src/modules/shipments/resume-tracking.ts'
import { stopTracking } from '../../../src/modules/shipments/stop-tracking.ts'
import { updateShipment } from '../../../src/modules/shipments/update-shipment.ts'
import { box, event, journey, openStage, otherBox, type Stage } from '../../support/tracking-harness.ts'

const bill = 'HLCUSHA260100004'
const dayMs = 86_400_000

async function shipmentOf(stage: Stage, request: string): Promise<string> {
  const { shipmentId } = await stage.request(request)
  assert.ok(shipmentId !== null)
  return shipmentId
}

async function stopped(stage: Stage): Promise<{ at: string | null; reason: string | null }> {
  return stage.row('select tracking_stopped_at as at, tracking_stopped_reason as reason from shipments')
}

test('an answer of the same bytes is not processed: only the poll target records the poll', async (t) => {
  const stage = await openStage(t)
  stage.carrier.answers({ json: journey(bill, 'sailed') })
  await stage.track(bill)
  await stage.drain()
  const tables = ['ledger', 'claims', 'events', 'snapshots', 'shipments', 'containers', 'tracking_requests', 'tasks']
  const all = (): Promise<unknown> => Promise.all(tables.map((table) => stage.rows(`select * from ${table}`)))
  const before = await all()
  const subject = await stage.row<{ ok: string }>('select last_succeeded_at as ok from subjects')
  await stage.nextLook()
  await stage.nextLook()
  assert.deepEqual(await all(), before)
  const later = await stage.row<{ ok: string }>('select last_succeeded_at as ok from subjects')
  assert.ok(later.ok > subject.ok)
  const looks = await stage.rows<{ is_unchanged: boolean }>('select is_unchanged from looks order by id')
  assert.deepEqual(
    looks.map((look) => look.is_unchanged),
    [false, true, true],
  )
})

test('an answer of other bytes with the same content adds one entry and no event', async (t) => {
  const stage = await openStage(t)
  stage.carrier.answers({ json: journey(bill, 'sailed') })
  await stage.track(bill)
  await stage.drain()
  const eventNames = await stage.heard()
  const claims = await stage.rows('select id from claims order by id')
  stage.carrier.answers({ json: journey(bill, 'sailed').toReversed() })
  await stage.nextLook()
  assert.deepEqual(await stage.heard(), eventNames)
  assert.deepEqual(await stage.rows('select id from claims order by id'), claims)
  assert.equal((await stage.rows('select 1 from snapshots')).length, 2)
})

const withDeparture = journey(bill, 'sailed')
const withoutDeparture = journey(bill, 'loaded')

async function hasDeparted(stage: Stage): Promise<boolean> {
  const rows = await stage.rows(
    `select 1 from transport_events where event = 'container.transport.vessel_departed' and invalidated_at is null`,
  )
  return rows.length > 0
}

test('withdraws a fact only after two answers in a row omit it', async (t) => {
  const stage = await openStage(t, { profile: { isFullPicture: true } })
  stage.carrier.answers({ json: withDeparture })
  await stage.track(bill)
  await stage.drain()
  assert.ok(await hasDeparted(stage))
  stage.carrier.answers({ json: withoutDeparture })
  await stage.nextLook()
  assert.ok(await hasDeparted(stage), 'left out once it stays')
  await stage.nextLook()
  assert.ok(!(await hasDeparted(stage)), 'left out twice it is withdrawn')
  const ledger = await stage.rows('select 1 from ledger')
  await stage.nextLook()
  assert.equal((await stage.rows('select 1 from ledger')).length, ledger.length, 'a third time is no news')
})

test('a fact that is missing once and stated again does not change', async (t) => {
  const stage = await openStage(t, { profile: { isFullPicture: true } })
  stage.carrier.answers({ json: withDeparture })
  await stage.track(bill)
  await stage.drain()
  const eventNames = await stage.heard()
  for (let round = 0; round < 3; round += 1) {
    stage.carrier.answers({ json: withoutDeparture })
    await stage.nextLook()
    stage.carrier.answers({ json: withDeparture })
    await stage.nextLook()
  }
  assert.ok(await hasDeparted(stage))
  assert.deepEqual(await stage.heard(), eventNames)
  assert.deepEqual(
    await stage.rows('select 1 from claims where missing_since is not null or retired_at is not null'),
    [],
  )
})

test('an unreadable answer does not count as one that lacks a fact', async (t) => {
  const stage = await openStage(t, { profile: { isFullPicture: true } })
  stage.carrier.answers({ json: withDeparture })
  await stage.track(bill)
  await stage.drain()
  stage.carrier.answers({ json: withoutDeparture })
  await stage.nextLook()
  for (const answer of [{ text: '<html>Sign in</html>' }, { status: 500, text: '' }, { json: [] }]) {
    stage.carrier.answers(answer)
    await stage.nextLook()
    assert.ok(await hasDeparted(stage))
  }
  stage.carrier.answers({ json: withoutDeparture })
  await stage.nextLook()
  assert.ok(!(await hasDeparted(stage)), 'the next valid answer decides')
})

test('withdraws nothing by omission for a line that does not always send everything', async (t) => {
  const stage = await openStage(t)
  stage.carrier.answers({ json: withDeparture })
  await stage.track(bill)
  await stage.drain()
  stage.carrier.answers({ json: withoutDeparture })
  for (let look = 0; look < 4; look += 1) await stage.nextLook()
  assert.ok(await hasDeparted(stage))
})

test('stopping ends the polls and is announced once; resuming polls at once; both may be repeated', async (t) => {
  const stage = await openStage(t)
  stage.carrier.answers({ json: journey(bill, 'sailed') })
  const request = await stage.track(bill)
  await stage.drain()
  const id = await shipmentOf(stage, request)
  await stopTracking(stage.service, stage.account, { id })
  await stopTracking(stage.service, stage.account, { id })
  await stage.drain()
  assert.equal((await stage.request(request)).status, 'tracking_stopped')
  const stop = await stopped(stage)
  assert.equal(stop.reason, 'cancelled_by_user')
  assert.equal(await stage.nextLook(), null)
  const times = async (name: string): Promise<number> => (await stage.heard()).filter((each) => each === name).length
  assert.equal(await times('tracking_request.tracking_stopped'), 1)
  stage.clock.advance(dayMs)
  const asked = stage.carrier.asked.length
  await resumeTracking(stage.service, stage.account, { id })
  await resumeTracking(stage.service, stage.account, { id })
  await stage.drain()
  assert.equal(stage.carrier.asked.length, asked + 1)
  assert.equal((await stage.request(request)).status, 'created')
  assert.deepEqual(await stopped(stage), { at: null, reason: null })
  assert.equal(await times('tracking_request.succeeded'), 1, 'a resume is no second success')
})

test('an answer to a poll that is processed while tracking is stopped is ingested after the resume', async (t) => {
  const stage = await openStage(t)
  stage.carrier.answers({ json: journey(bill, 'loaded') })
  const request = await stage.track(bill)
  await stage.drain()
  const id = await shipmentOf(stage, request)
  stage.carrier.answers({ json: journey(bill, 'sailed') })
  await stopTracking(stage.service, stage.account, { id })
  await resumeTracking(stage.service, stage.account, { id })
  // The poll ends and leaves its task; the stop comes before the task.
  const { pollCarrier: lookAt, takeDuePolls: takeLooks } = await import('../../../src/pipeline/polling/due-polls.ts')
  const { readRules } = await import('../../../src/pipeline/ledger/rules.ts')
  for (const job of await takeLooks(stage.service, 5)) await lookAt(stage.service, readRules(stage.service.config), job)
  await stopTracking(stage.service, stage.account, { id })
  await stage.drain()
  assert.ok(!(await hasDeparted(stage)), 'stopped, nothing is folded in')
  await resumeTracking(stage.service, stage.account, { id })
  await stage.drain()
  assert.ok(await hasDeparted(stage))
})

/** Polls again and again until tracking ends; at most for a hundred days. */
async function untilStopped(stage: Stage): Promise<void> {
  for (let day = 0; day < 100; day += 1) {
    stage.clock.advance(dayMs)
    await stage.drain()
    if ((await stopped(stage)).at !== null) return
  }
  assert.fail('tracking never ended')
}

for (const { upTo, reason, from } of [
  { upTo: 'discharged', reason: 'past_arrival_window', from: '2026-01-22T14:00:00Z' },
  { upTo: 'out', reason: 'past_full_out_window', from: '2026-01-26T18:00:00Z' },
  { upTo: 'sailed', reason: 'no_updates_at_line', from: '2026-02-01T00:00:00Z' },
] as const) {
  test(`ends tracking and polls after 56 days with the reason ${reason}, and announces this once`, async (t) => {
    const stage = await openStage(t)
    stage.carrier.answers({ json: journey(bill, upTo) })
    const request = await stage.track(bill)
    await stage.drain()
    await untilStopped(stage)
    const stop = await stopped(stage)
    assert.equal(stop.reason, reason)
    const days = (Date.parse(stop.at ?? '') - Date.parse(from)) / dayMs
    assert.ok(days >= 56 && days < 57.01, `${days} days`)
    assert.equal((await stage.request(request)).status, 'tracking_stopped')
    assert.equal((await stage.heard()).filter((name) => name === 'tracking_request.tracking_stopped').length, 1)
    assert.equal(await stage.nextLook(), null)
    assert.deepEqual(
      (await stage.rows<{ payload: unknown }>(`select payload from ledger where kind = 'timer'`)).map(
        (row) => row.payload,
      ),
      [{ of: 'request' }],
    )
  })
}

test('ends tracking and polls when every container has returned, and not before', async (t) => {
  const stage = await openStage(t)
  const both = [box, otherBox]
  const oneBack = journey(bill, 'back', both).filter(
    (each) => !(each['equipmentReference'] === otherBox && each['eventDateTime'] === '2026-01-30T14:00:00-08:00'),
  )
  stage.carrier.answers({ json: oneBack })
  const request = await stage.track(bill)
  await stage.drain()
  assert.equal((await stage.request(request)).status, 'created')
  stage.carrier.answers({ json: journey(bill, 'back', both) })
  await stage.nextLook()
  assert.equal((await stage.request(request)).status, 'tracking_stopped')
  assert.equal((await stopped(stage)).reason, 'all_containers_terminated')
  assert.equal((await stage.heard()).at(-1), 'tracking_request.tracking_stopped')
  assert.equal(await stage.nextLook(), null)
})

test('a bill request and a container request of one shipment end together when its containers have returned', async (t) => {
  const stage = await openStage(t)
  stage.carrier.answers({ json: journey(bill, 'out') })
  const byBill = await stage.track(bill)
  const byBox = await stage.track(box, { type: 'container' })
  await stage.drain()
  assert.equal(await shipmentOf(stage, byBill), await shipmentOf(stage, byBox))
  stage.carrier.answers({ json: journey(bill, 'back') }, bill)
  for (let hour = 0; hour < 30; hour += 1) await stage.pass(1)
  assert.equal((await stage.request(byBill)).status, 'tracking_stopped')
  assert.equal((await stage.request(byBox)).status, 'tracking_stopped')
  assert.equal((await stopped(stage)).reason, 'all_containers_terminated')
  assert.equal((await stage.heard()).filter((name) => name === 'tracking_request.tracking_stopped').length, 2)
  assert.equal(await stage.nextLook(), null)
})

test('a fact polled for another account that contradicts the return resumes tracking', async (t) => {
  const stage = await openStage(t)
  const other = await stage.newAccount()
  stage.carrier.answers({ json: journey(bill, 'back') })
  const mine = await stage.track(bill)
  const theirs = await stage.track(bill, { as: other })
  await stage.drain()
  assert.equal((await stage.request(mine)).status, 'tracking_stopped')
  await resumeTracking(stage.service, other, { id: await shipmentOf(stage, theirs) })
  await stage.drain()
  assert.equal((await stage.request(mine)).status, 'tracking_stopped')
  const withdrawn = journey(bill, 'back').map((each) =>
    each['eventDateTime'] === '2026-01-30T14:00:00-08:00' ? { ...each, emptyIndicatorCode: 'LADEN' } : each,
  )
  stage.carrier.answers({ json: withdrawn })
  await stage.pass(30)
  assert.equal((await stage.request(mine)).status, 'created')
  const shipment = await stage.row<{ at: string | null }>(
    'select tracking_stopped_at as at from shipments where account_id = $1',
    [stage.account.account.id],
  )
  assert.equal(shipment.at, null)
})

test('only a user can mark a container as delivered, and can withdraw the mark', async (t) => {
  const stage = await openStage(t)
  stage.carrier.answers({ json: journey(bill, 'out') })
  await stage.track(bill)
  await stage.drain()
  const container = await stage.row<{ id: string; status: string }>('select id, status from containers')
  assert.equal(container.status, 'picked_up')
  const status = async (): Promise<string> =>
    (await stage.row<{ status: string }>('select status from containers')).status
  const times = async (): Promise<number> =>
    (await stage.heard()).filter((name) => name === 'container.transport.delivered').length
  await updateContainer(stage.service, stage.account, {
    id: container.id,
    deliveredAt: '2026-01-27T15:00:00Z',
  })
  assert.equal(await status(), 'delivered')
  await updateContainer(stage.service, stage.account, {
    id: container.id,
    deliveredAt: '2026-01-27T15:00:00Z',
  })
  assert.equal(await times(), 1, 'said twice it is one delivery')
  await updateContainer(stage.service, stage.account, { id: container.id, deliveredAt: null })
  assert.equal(await status(), 'picked_up')
  const activeClaims = await stage.rows(
    `select 1 from transport_events where event = 'container.transport.delivered' and invalidated_at is null`,
  )
  assert.deepEqual(activeClaims, [])
  await stage.nextLook()
  assert.equal(await status(), 'picked_up')
})

test('ledger times never decrease, even if the clock is set back', async (t) => {
  const stage = await openStage(t)
  stage.carrier.answers({ json: journey(bill, 'loaded') })
  const byBill = await stage.track(bill)
  await stage.drain()
  const id = await shipmentOf(stage, byBill)
  const container = await stage.row<{ id: string }>('select id from containers')
  const back = async (): Promise<void> => {
    stage.clock.advance(-3 * 3_600_000)
    await stage.rows(`update subjects set next_look_at = '2026-01-01' where next_look_at is not null`)
  }
  await updateShipment(stage.service, stage.account, { id, tags: ['a'] })
  await back()
  await updateShipment(stage.service, stage.account, { id, tags: ['b'] })
  await back()
  stage.carrier.answers({ json: journey(bill, 'sailed') })
  await stage.drain()
  await updateContainer(stage.service, stage.account, { id: container.id, refNumbers: ['r'] })
  await back()
  await updateContainer(stage.service, stage.account, { id: container.id, deliveredAt: '2026-01-20' })
  await back()
  await stage.track(box, { type: 'container' })
  await stage.drain()
  await back()
  stage.carrier.answers({ json: journey(bill, 'arrived') })
  await stage.drain()
  await stopTracking(stage.service, stage.account, { id })
  const ledger = await stage.rows<{ kind: string; recorded_at: string }>(
    'select kind, recorded_at from ledger where shipment_id = $1 order by position',
    [id],
  )
  assert.ok(ledger.length >= 7)
  assert.deepEqual(
    ledger,
    ledger.toSorted((a, b) => (a.recorded_at < b.recorded_at ? -1 : a.recorded_at > b.recorded_at ? 1 : 0)),
  )
})

test('announces an estimate again only when the line states another time', async (t) => {
  const stage = await openStage(t)
  const eta = (at: string): unknown => event({ told: 500, bill, code: 'ARRI', classifier: 'EST', place: 'USLAX', at })
  stage.carrier.answers({ json: [...journey(bill, 'sailed'), eta('2026-02-10T06:00:00-08:00')] })
  await stage.track(bill)
  await stage.drain()
  const times = async (): Promise<number> =>
    (await stage.heard()).filter((name) => name === 'shipment.estimated.arrival').length
  assert.equal(await times(), 1)
  stage.carrier.answers({ json: [...journey(bill, 'sailed'), eta('2026-02-12T06:00:00-08:00')] })
  await stage.nextLook()
  assert.equal(await times(), 2)
  await stage.nextLook()
  assert.equal(await times(), 2)
})
