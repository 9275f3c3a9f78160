// Workers share the jobs in the database: if one dies, no job is lost; no job is done twice; no worker waits for
// another.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Service } from '../../../src/modules/service.ts'
import { stopTracking } from '../../../src/modules/shipments/stop-tracking.ts'
import { foldBy } from '../../../src/pipeline/ledger/fold.ts'
import { readRules } from '../../../src/pipeline/ledger/rules.ts'
import { pollCarrier, takeDuePolls } from '../../../src/pipeline/polling/due-polls.ts'
import { fireTimers } from '../../../src/pipeline/polling/fire-timers.ts'
import { leaseTaskSet, workTaskSet } from '../../../src/pipeline/polling/work-tasks.ts'
import { realClock } from '../../../src/platform/clock.ts'
import { startWorkers } from '../../../src/server/workers.ts'
import { eventually } from '../../support/eventually.ts'
import { serve } from '../../support/loopback-server.ts'
import { giveAccess } from '../../support/service.ts'
import { journey, openStage, type Stage } from '../../support/tracking-harness.ts'

const bill = 'HLCUSHA260100005'

function handsOf({ service }: Stage) {
  const rules = readRules(service.config)
  const fold = foldBy(rules)
  return {
    fold,
    look: async (limit = 10): Promise<void> => {
      const jobs = await takeDuePolls(service, limit)
      await Promise.all(jobs.map((job) => pollCarrier(service, rules, job)))
    },
    lookAt: (job: Parameters<typeof pollCarrier>[2]) => pollCarrier(service, rules, job),
    work: (set: Parameters<typeof workTaskSet>[2]) => workTaskSet(service, fold, set),
  }
}

/** What so many workers take at the same moment. */
async function takeSets({ service }: Stage, workers: number) {
  const sets = await Promise.all(Array.from({ length: workers }, () => leaseTaskSet(service)))
  return sets.filter((set) => set !== null)
}

const render = async (): Promise<Buffer> => Buffer.from('{}')

function inRealTime(service: Service): Service {
  return { ...service, clock: realClock, journeyClock: () => ({ ...realClock, pace: () => 1 }) }
}

test('another worker polls when the lease of a dead worker expires, and the dead worker can no longer write', async (t) => {
  const stage = await openStage(t)
  stage.carrier.answers({ json: journey(bill, 'loaded') })
  const id = await stage.track(bill)
  const [frozen] = await takeDuePolls(stage.service, 10)
  assert.ok(frozen)
  await stage.drain()
  assert.equal(stage.carrier.asked.length, 0, 'under lease')
  stage.clock.advance(181_000)
  await stage.drain()
  assert.equal((await stage.request(id)).status, 'created')
  stage.carrier.answers({ json: journey(bill, 'sailed') })
  const tables = ['looks', 'snapshots', 'subjects', 'tasks', 'ledger', 'events', 'credentials']
  const all = (): Promise<unknown> => Promise.all(tables.map((table) => stage.rows(`select * from ${table}`)))
  const before = await all()
  await handsOf(stage).lookAt(frozen)
  assert.deepEqual(await all(), before)
})

test('another worker completes the task of a dead worker once, and the dead worker can no longer write', async (t) => {
  const stage = await openStage(t)
  stage.carrier.answers({ json: journey(bill, 'sailed') })
  const id = await stage.track(bill)
  const hands = handsOf(stage)
  await hands.look()
  const frozen = await leaseTaskSet(stage.service)
  assert.ok(frozen)
  await stage.drain()
  assert.equal((await stage.request(id)).status, 'pending', 'under lease')
  stage.clock.advance(61_000)
  const others = await takeSets(stage, 2)
  assert.equal(others.length, 1)
  await Promise.all([...others.map(hands.work), hands.work(frozen)])
  await hands.work(frozen)
  await stage.drain()
  assert.equal((await stage.request(id)).status, 'created')
  const eventNames = await stage.heard()
  assert.equal(new Set(eventNames).size, eventNames.length, 'each once')
  assert.equal((await stage.rows(`select 1 from ledger where kind = 'look'`)).length, 1)
})

test('ingests the polls of one request in order, however many workers there are', async (t) => {
  const stage = await openStage(t)
  const hands = handsOf(stage)
  await stage.track(bill)
  const stages = ['loaded', 'sailed', 'arrived', 'discharged'] as const
  for (const upTo of stages) {
    stage.carrier.answers({ json: journey(bill, upTo) })
    await stage.rows(`update subjects set next_look_at = '2026-01-01'`)
    await hands.look()
  }
  assert.equal((await stage.rows('select 1 from tasks')).length, 4)
  for (let round = 0; round < 4; round += 1) {
    const taken = await takeSets(stage, 3)
    assert.equal(taken.length, 1, 'the later ones wait for the first')
    await Promise.all(taken.map(hands.work))
  }
  const eventNames = (await stage.heard()).filter((name) => /vessel_/.test(name))
  assert.deepEqual(
    eventNames.map((name) => name.replace('container.transport.vessel_', '')),
    ['loaded', 'departed', 'arrived', 'discharged'],
  )
})

test('a task that throws is retried and does not delay other tasks', async (t) => {
  const stage = await openStage(t)
  const other = await stage.newAccount()
  stage.carrier.answers({ json: journey(bill, 'sailed') })
  const mine = await stage.track(bill)
  const theirs = await stage.track(bill, { as: other })
  await stage.rows(
    `create function fail() returns trigger language plpgsql as $$ begin raise 'a planted fault'; end $$`,
  )
  await stage.rows(`create trigger planted before insert on shipments for each row
                    when (new.account_id = '${stage.account.account.id}') execute function fail()`)
  await stage.drain()
  assert.equal((await stage.request(mine)).status, 'pending')
  assert.equal((await stage.request(theirs)).status, 'created')
  const task = (): Promise<{ attempts: number; last_error: string }> =>
    stage.row('select attempts, last_error from tasks')
  assert.deepEqual(await task(), { attempts: 1, last_error: 'a planted fault' })
  assert.deepEqual(await stage.rows('select 1 from claims where account_id = $1', [stage.account.account.id]), [])
  await stage.drain()
  assert.equal((await task()).attempts, 1, 'not at once')
  stage.clock.advance(5_000)
  await stage.drain()
  assert.equal((await task()).attempts, 2)
  await stage.rows('drop trigger planted on shipments')
  stage.clock.advance(10_000)
  await stage.drain()
  assert.equal((await stage.request(mine)).status, 'created')
  assert.deepEqual(await stage.heard(), await stage.heard(other))
  assert.deepEqual(await stage.rows('select 1 from tasks'), [])
})

test('a timer that throws does not delay other timers and is not retried in a loop', async (t) => {
  const stage = await openStage(t)
  const other = await stage.newAccount()
  stage.carrier.answers({ json: journey(bill, 'out') })
  const mine = await stage.track(bill)
  const theirs = await stage.track(bill, { as: other })
  await stage.drain()
  await stage.rows(
    `create function fail() returns trigger language plpgsql as $$ begin raise 'a planted fault'; end $$`,
  )
  await stage.rows(`create trigger planted before insert on ledger for each row
                    when (new.kind = 'timer' and new.account_id = '${stage.account.account.id}') execute function fail()`)
  stage.clock.advance(60 * 86_400_000)
  await stage.drain()
  assert.equal((await stage.request(theirs)).status, 'tracking_stopped')
  assert.equal((await stage.request(mine)).status, 'created')
  const failures = stage.logged().filter(({ event }) => event === 'job.failed').length
  assert.ok(failures < 10, `${failures} tries in one drain`)
  await stage.rows('drop trigger planted on ledger')
  await stage.drain()
  assert.equal((await stage.request(mine)).status, 'tracking_stopped')
})

test('records a timer once when several workers fire it at the same moment', async (t) => {
  const stage = await openStage(t)
  stage.carrier.answers({ json: journey(bill, 'out') })
  await stage.track(bill)
  await stage.drain()
  stage.clock.advance(60 * 86_400_000)
  const { fold } = handsOf(stage)
  await Promise.all([1, 2, 3, 4].map(() => fireTimers(stage.service, fold, 100)))
  assert.equal((await stage.rows(`select 1 from ledger where kind = 'timer'`)).length, 1)
  assert.equal((await stage.heard()).filter((name) => name === 'tracking_request.tracking_stopped').length, 1)
})

test('several workers poll a line no faster than its profile allows, the longest overdue first', async (t) => {
  const stage = await openStage(t, { profile: { rate: { perSecond: 20 }, concurrency: 10 } })
  const numbers = Array.from({ length: 40 }, (_, index) => `HLCUSHA2602${String(index).padStart(5, '0')}`)
  for (const number of numbers) {
    await stage.track(number)
    stage.clock.advance(1)
  }
  const { look } = handsOf(stage)
  const startedAt = stage.clock.now()
  const askedAt: number[] = []
  while (askedAt.length < numbers.length) {
    const late = `HLCUSHA2603${String(askedAt.length).padStart(5, '0')}`
    await stage.track(late).catch(() => {})
    await Promise.all([look(8), look(8), look(8)])
    while (askedAt.length < stage.carrier.asked.length) askedAt.push(stage.clock.now())
    assert.ok(stage.clock.now() - startedAt < 10_000, 'they are all asked in a few seconds')
    stage.clock.advance(30)
  }
  for (const at of askedAt) {
    const within = askedAt.filter((other) => other >= at && other < at + 1_000).length
    assert.ok(within <= 20, `${within} in a second`)
  }
  const asked = stage.carrier.asked.map((url) =>
    new URL(url, 'http://line').searchParams.get('transportDocumentReference'),
  )
  assert.deepEqual(new Set(asked.slice(0, numbers.length)), new Set(numbers), 'those due later wait behind')
})

test('several workers send a line no more concurrent polls than its profile allows, without delaying other lines', async (t) => {
  const stage = await openStage(t, { profile: { concurrency: 2 } })
  await giveAccess(stage, { scac: 'ONEY', profile: stage.carrier.profile('ONEY', { concurrency: 3 }) })
  for (let index = 0; index < 6; index += 1) await stage.track(`HLCUSHA26040000${index}`)
  stage.clock.advance(1)
  for (let index = 0; index < 6; index += 1) await stage.track(`ONEYSHA26040000${index}`, { scac: 'ONEY' })
  const { lookAt: look } = handsOf(stage)
  let rounds = 0
  for (;;) {
    const jobs = (await Promise.all([1, 2, 3, 4].map(() => takeDuePolls(stage.service, 10)))).flat()
    if (jobs.length === 0) break
    const of = (scac: string): number => jobs.filter(({ pollTarget: subject }) => subject.scac === scac).length
    assert.ok(of('HLCU') <= 2 && of('ONEY') <= 3, `${of('HLCU')} and ${of('ONEY')} at once`)
    if (rounds === 0) assert.deepEqual([of('HLCU'), of('ONEY')], [2, 3])
    await Promise.all(jobs.map(look))
    rounds += 1
  }
  assert.equal(rounds, 3)
  assert.equal(stage.carrier.asked.length, 12)
})

test('the next poll of the queue finds work whose notification was lost', async (t) => {
  const stage = await openStage(t)
  stage.carrier.answers({ json: journey(bill, 'loaded') })
  const id = await stage.track(bill)
  await stage.rows('update subjects set next_look_at = null')
  const workers = startWorkers(inRealTime(stage.service), { render })
  t.after(() => workers.stop())
  await eventually(async () => {
    const { rows } = await stage.service.pool.query(
      `select 1 from pg_stat_activity where datname = current_database() and query like 'listen%'`,
    )
    return rows.length === 1
  })
  // Nobody is notified of this.
  await stage.rows('update subjects set next_look_at = now()')
  await eventually(async () => (await stage.request(id)).status === 'created')
  await workers.stop()
})

test('workers continue after their listening connection is cut, and stop lets running jobs finish', async (t) => {
  const stage = await openStage(t)
  let release: () => void = () => {}
  let asked = 0
  const { url } = await serve(t, (_request, response) => {
    asked += 1
    release = () =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(journey(bill, 'loaded')))
  })
  await stage.rows(`update credentials set profile = jsonb_set(profile, '{base}', $1)`, [
    JSON.stringify(url.slice(0, -1)),
  ])
  const workers = startWorkers(inRealTime(stage.service), { render })
  await eventually(async () => {
    const cut = await stage.rows(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen%'`,
    )
    return cut.length > 0
  })
  await stage.track(bill)
  await eventually(() => asked === 1)
  const stopping = workers.stop()
  let isStopped = false
  void stopping.then(() => {
    isStopped = true
  })
  await stage.rows('select 1')
  assert.equal(isStopped, false)
  release()
  await stopping
  const looks = await stage.rows<{ outcome: string }>('select outcome from looks')
  assert.deepEqual(looks, [{ outcome: 'found' }])
  assert.deepEqual(await stage.rows('select 1 from subjects where lease_token is not null'), [])
  assert.deepEqual(await stage.rows('select 1 from tasks where lease_token is not null'), [])
})

test('a request created while its poll target is being planned keeps its poll', async (t) => {
  const stage = await openStage(t)
  stage.carrier.answers({ json: journey(bill, 'loaded') })
  await stage.track(bill)
  const hands = handsOf(stage)
  await hands.look()
  const other = await stage.newAccount()
  for (let round = 0; round < 8; round += 1) {
    const number = `HLCUSHA26050000${round}`
    stage.carrier.answers({ json: journey(number, 'loaded') })
    await stage.track(number)
    await hands.look()
    const jobs = await takeSets(stage, 1)
    const [id] = await Promise.all([stage.track(number, { as: other }), ...jobs.map(hands.work)])
    await stage.drain()
    assert.equal((await stage.request(id)).status, 'created')
  }
})

test('delays the end of tracking until an answer that was received before it is used', async (t) => {
  const stage = await openStage(t)
  stage.carrier.answers({ json: journey(bill, 'sailed') })
  const id = await stage.track(bill)
  await stage.drain()
  assert.equal((await stage.request(id)).status, 'created')
  stage.carrier.answers({ json: journey(bill, 'arrived') })
  const hands = handsOf(stage)
  const dayMs = 86_400_000
  stage.clock.advance(40 * dayMs)
  await hands.look()
  assert.equal((await stage.rows('select 1 from tasks')).length, 1)
  stage.clock.advance(30 * dayMs)
  assert.equal(await fireTimers(stage.service, hands.fold, 100), 0, 'time waits for what was said')
  await stage.drain()
  const eventNames = await stage.heard()
  assert.ok(eventNames.includes('container.transport.vessel_arrived'), eventNames.join(', '))
  const ends = eventNames.filter((name) => name === 'tracking_request.tracking_stopped')
  assert.ok(ends.length <= 1)
})

test('uses an answer that was received before tracking ended, and does not resume the tracking', async (t) => {
  const stage = await openStage(t)
  stage.carrier.answers({ json: journey(bill, 'sailed') })
  const id = await stage.track(bill)
  await stage.drain()
  const hands = handsOf(stage)
  stage.clock.advance(60 * 86_400_000)
  stage.carrier.answers({ json: journey(bill, 'discharged') })
  await hands.look()
  stage.carrier.answers({ json: journey(bill, 'out') })
  await stage.rows('update subjects set next_look_at = $1', [new Date(stage.clock.now()).toISOString()])
  await hands.look()
  assert.equal((await stage.rows('select 1 from tasks')).length, 2)
  await stage.drain()
  const eventNames = await stage.heard()
  assert.equal((await stage.request(id)).status, 'tracking_stopped')
  assert.equal(eventNames.filter((name) => name === 'tracking_request.tracking_stopped').length, 1)
  assert.ok(eventNames.includes('container.transport.full_out'), eventNames.join(', '))
})

test('stores but does not use an answer that waits while a user stops the tracking', async (t) => {
  const stage = await openStage(t)
  stage.carrier.answers({ json: journey(bill, 'sailed') })
  const id = await stage.track(bill)
  await stage.drain()
  stage.clock.advance(86_400_000)
  stage.carrier.answers({ json: journey(bill, 'arrived') })
  await handsOf(stage).look()
  const { shipmentId } = await stage.request(id)
  await stopTracking(stage.service, stage.account, { id: shipmentId ?? '' })
  await stage.drain()
  const eventNames = await stage.heard()
  assert.ok(!eventNames.includes('container.transport.vessel_arrived'), eventNames.join(', '))
  assert.equal((await stage.rows('select 1 from snapshots')).length, 2)
})
