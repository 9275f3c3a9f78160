/**
 * Tasks are worked in sets of one account: a fault of one task does not affect the others, and an account with many
 * tasks does not delay the others.
 */

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { containerCheckDigit } from '../../../src/domain/values/identifiers.ts'
import { unfinished } from '../../../src/pipeline/ingestion/ingest-tasks-sql.ts'
import { foldBy } from '../../../src/pipeline/ledger/fold.ts'
import { readRules } from '../../../src/pipeline/ledger/rules.ts'
import { pollCarrier, takeDuePolls } from '../../../src/pipeline/polling/due-polls.ts'
import { leaseTaskSet, workTaskSet } from '../../../src/pipeline/polling/work-tasks.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../../../src/platform/ids.ts'
import { eventually } from '../../support/eventually.ts'
import { journey, openStage, type Stage } from '../../support/tracking-harness.ts'

type TaskSet = Parameters<typeof workTaskSet>[2]
const leaseMs = 60_000
const bills = Array.from({ length: 16 }, (_, one) => `HLCUSHA2602${String(one).padStart(5, '0')}`)

function boxOf(bill: string): string {
  const body = `LDFU${String(200_000 + bills.indexOf(bill))}`
  return body + String(containerCheckDigit(body))
}

/** Sixteen bills of one account, each under way with its own container; their answers are stored and not used yet. */
interface Answered extends Stage {
  /** In the order of `bills`. */
  readonly ids: readonly string[]
  readonly take: () => Promise<TaskSet>
  readonly work: (set: TaskSet) => Promise<void>
  readonly states: () => Promise<readonly string[]>
  readonly left: () => Promise<readonly Left[]>
}

interface Left {
  readonly request: string
  readonly attempts: number
  readonly error: string | null
  readonly waitsMs: number | null
}

async function openAnswered(t: TestContext): Promise<Answered> {
  const stage = await openStage(t, { profile: { concurrency: bills.length } })
  const { service, clock } = stage
  const rules = readRules(service.config)
  stage.carrier.answersTo((query) => ({ json: answerOf(query.get('transportDocumentReference') ?? '') }))
  const ids: string[] = []
  for (const bill of bills) ids.push(await stage.track(bill))
  const jobs = await takeDuePolls(service, bills.length)
  for (const job of jobs) await pollCarrier(service, rules, job)
  return {
    ...stage,
    ids,
    take: async () => {
      const set = await leaseTaskSet(service)
      assert.ok(set !== null, 'something is due')
      return set
    },
    work: (set) => workTaskSet(service, foldBy(rules), set),
    states: async () => Promise.all(ids.map(async (id) => (await stage.request(id)).status)),
    left: () =>
      stage.rows<Left & { [column: string]: unknown }>(
        `select tracking_request_id as request, attempts, last_error as error,
                case when isfinite(not_before) then 1000 * extract(epoch from not_before - $1)::int end as "waitsMs"
           from tasks order by id`,
        [new Date(clock.now()).toISOString()],
      ),
  }
}

function answerOf(bill: string): ReturnType<typeof journey> {
  return journey(bill, 'sailed', [boxOf(bill)]).map((event) => ({
    ...event,
    eventID: uuidV5(LANDFALL_NAMESPACE, `${bill} ${String(event['eventID'])}`),
  }))
}

const requestsOf = (set: TaskSet): readonly string[] => set.tasks.map((task) => task.trackingRequestId)

/** The state of each but of some. */
function allBut(some: readonly number[]): readonly string[] {
  return bills.map((_, place) => (some.includes(place) ? 'pending' : 'created'))
}

function failures(stage: Stage): readonly string[] {
  return stage
    .logged()
    .filter(({ event }) => event === 'job.failed')
    .map(({ request, attempts, error }) => `${request} ${attempts}: ${messageOf(error)}`)
}

function messageOf(error: unknown): string {
  return error instanceof Object && 'message' in error ? String(error.message) : String(error)
}

test('two thousand tasks of one account delay a task of another by no more than two sets', async (t) => {
  const stage = await openStage(t)
  const { service } = stage
  const fold = foldBy(readRules(service.config))
  const [many, later] = [await stage.newAccount(), await stage.newAccount()]
  stage.carrier.answersTo((query) => ({ json: answerOf(query.get('transportDocumentReference') ?? '') }))
  const id = await stage.track(bills[0] ?? '', { as: many })
  await stage.rows(
    `with copies as (
       insert into tracking_requests
       select (jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid(), 'number', n, 'request_number', n))).*
         from tracking_requests r, generate_series(1, 2000) n where r.id = $1 returning account_id, id, subject_id)
     insert into tasks (account_id, tracking_request_id, kind, subject_id, payload)
     select account_id, id, 'absorb', subject_id, '{"outcome":"unreachable"}' from copies`,
    [id],
  )
  await stage.rows('update subjects set next_look_at = null')
  const next = async (): Promise<string> => {
    const set = await leaseTaskSet(service)
    assert.ok(set !== null)
    await workTaskSet(service, fold, set)
    return set.tasks[0]?.accountId ?? ''
  }
  for (let sets = 0; sets < 3; sets += 1) assert.equal(await next(), many.account.id)
  for (const [place, as] of [stage.account, later, stage.account].entries()) {
    const one = await stage.track(bills[place + 1] ?? '', { as })
    for (const job of await takeDuePolls(service, 10)) await pollCarrier(service, fold.rules, job)
    const turns = [await next(), await next()]
    assert.ok(turns.includes(as.account.id), 'one of the next two sets')
    assert.ok(turns.includes(many.account.id), 'and the other is of the many')
    assert.equal((await stage.request(one)).status, 'created')
  }
  assert.deepEqual(failures(stage), [])
})

test('postpones only the task that throws in a set of sixteen, and completes the other fifteen at once', async (t) => {
  const stage = await openAnswered(t)
  const bad = 6
  await stage.rows(
    `create function fail() returns trigger language plpgsql as $$ begin raise 'a planted fault'; end $$`,
  )
  await stage.rows(`create trigger planted before insert on shipments for each row
                    when (new.bill_of_lading_number = '${bills[bad]}') execute function fail()`)
  const set = await stage.take()
  assert.deepEqual(requestsOf(set), stage.ids)
  await stage.work(set)
  assert.deepEqual(await stage.states(), allBut([bad]))
  const request = stage.ids[bad]
  assert.deepEqual(await stage.left(), [{ request, attempts: 1, error: 'a planted fault', waitsMs: 5_000 }])
  assert.deepEqual(failures(stage), [`${request} 1: a planted fault`])
  assert.equal(await leaseTaskSet(stage.service), null, 'not at once')
  await stage.rows('drop trigger planted on shipments')
  stage.clock.advance(5_000)
  await stage.drain()
  assert.deepEqual(await stage.states(), allBut([]))
})

test('completes a task locked by another session when it is unlocked, without delaying the rest of its set', async (t) => {
  const stage = await openAnswered(t)
  const held = 9
  const request = stage.ids[held]
  const other = await stage.service.pool.connect()
  await other.query('begin')
  await other.query({ text: 'select 1 from tracking_requests where id = $1 for update', values: [request] })
  await stage.rows('create table patience (lock_timeout text)')
  await stage.rows(`create function note() returns trigger language plpgsql as
                    $$ begin insert into patience values (current_setting('lock_timeout')); return new; end $$`)
  await stage.rows('create trigger noted before insert on shipments for each row execute function note()')
  await stage.work({ ...(await stage.take()), lockMs: 500 })
  assert.deepEqual(
    await stage.rows('select lock_timeout, count(*)::int as times from patience group by 1'),
    [{ lock_timeout: '100ms', times: 15 }],
    'after the set has waited in vain, each waits a short time only: one lease holds for them all',
  )
  assert.deepEqual(await stage.states(), allBut([held]))
  const error = 'canceling statement due to lock timeout'
  assert.deepEqual(await stage.left(), [{ request, attempts: 1, error, waitsMs: 5_000 }])
  await other.query('commit')
  other.release()
  stage.clock.advance(5_000)
  await stage.drain()
  assert.deepEqual(await stage.states(), allBut([]))
  assert.deepEqual(await stage.left(), [])
})

test('a task set in a deadlock with another session is retried and completes in full', async (t) => {
  const stage = await openAnswered(t)
  const inOrder = stage.ids.toSorted()
  const [first, middle, last] = [inOrder[0], inOrder[8], inOrder.at(-1)]
  const [other, third] = [await stage.service.pool.connect(), await stage.service.pool.connect()]
  const hold = (session: typeof other, id: string | undefined): Promise<unknown> =>
    session.query({ text: 'select 1 from tracking_requests where id = $1 for update', values: [id] })
  const waiting = (longerMs: number, count: number) => async (): Promise<boolean> => {
    const sessions = await stage.rows(`select 1 from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'
         and query_start < clock_timestamp() - interval '${longerMs} milliseconds'`)
    return sessions.length >= count
  }
  const set = { ...(await stage.take()), lockMs: 120_000 }
  let worked: Promise<unknown> = Promise.resolve()
  try {
    for (const session of [other, third]) await session.query('begin')
    await hold(third, middle)
    await hold(other, last)
    worked = stage.work(set)
    await eventually(waiting(0, 1))
    const crossed = hold(other, first)
    // A waiting transaction checks for a deadlock once, after a second. The other one has already checked by then, so
    // the set finds the deadlock.
    await eventually(waiting(2_000, 2))
    await third.query('commit')
    await crossed
    await other.query('commit')
  } finally {
    // If something fails, nobody waits for them.
    for (const session of [other, third]) session.release(true)
  }
  await worked
  assert.deepEqual(await stage.states(), allBut([]))
  assert.deepEqual(await stage.left(), [])
  assert.deepEqual(failures(stage), [])
  const [{ deadlocks = 0 } = {}] = await stage.rows<{ deadlocks: number }>(
    `select deadlocks::int from pg_stat_database where datname = current_database()`,
  )
  assert.equal(deadlocks, 1)
})

test('retries a task that killed its worker alone and at growing intervals, while other tasks continue', async (t) => {
  const stage = await openAnswered(t)
  const deadly = stage.ids[4]
  const died = await stage.take()
  assert.equal(died.tasks.length, 16)
  assert.equal(await leaseTaskSet(stage.service), null, 'under lease')
  stage.clock.advance(leaseMs + 1)
  for (const id of stage.ids) {
    const set = await stage.take()
    assert.deepEqual(requestsOf(set), [id], 'nobody knows which it was: each by itself')
    if (id !== deadly) await stage.work(set)
  }
  assert.deepEqual(await stage.states(), allBut([4]))
  assert.deepEqual(failures(stage), [], 'it may have been the end of the process by another reason')
  for (const [times, waitsMs] of [10_000, 20_000, 40_000].entries()) {
    assert.deepEqual(await stage.left(), [
      { request: deadly, attempts: times + 2, error: unfinished, waitsMs: leaseMs + waitsMs },
    ])
    stage.clock.advance(leaseMs + waitsMs - 1)
    assert.equal(await leaseTaskSet(stage.service), null)
    stage.clock.advance(1)
    assert.deepEqual(requestsOf(await stage.take()), [deadly])
    assert.equal(failures(stage).at(-1), `${deadly} ${times + 3}: ${unfinished}`)
  }
  assert.equal(failures(stage).length, 3)
  stage.clock.advance(leaseMs + 80_000)
  await stage.drain()
  assert.deepEqual(await stage.states(), allBut([]))
  assert.deepEqual(await stage.left(), [])
})

test('a worker that lost the leases of some tasks completes only the tasks that it still holds', async (t) => {
  const stage = await openAnswered(t)
  const lost = [0, 3, 7, 8, 15]
  const set = await stage.take()
  await stage.rows('update tasks set lease_token = gen_random_uuid() where tracking_request_id = any($1::uuid[])', [
    lost.map((place) => stage.ids[place]),
  ])
  await stage.work(set)
  assert.deepEqual(await stage.states(), allBut(lost))
  assert.deepEqual(
    (await stage.left()).map(({ request, error }) => [request, error]),
    lost.map((place) => [stage.ids[place], null]),
  )
  stage.clock.advance(leaseMs + 1)
  await stage.drain()
  await stage.work(set)
  assert.deepEqual(await stage.states(), allBut([]))
  const looks = await stage.rows<{ times: number }>(
    `select count(*)::int as times from ledger where kind = 'look' group by tracking_request_id`,
  )
  assert.deepEqual(
    looks.map(({ times }) => times),
    bills.map(() => 1),
  )
  assert.deepEqual(failures(stage), [])
})
