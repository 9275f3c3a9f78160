// Folding has its own threads: they compute journeys, their counters and log lines belong to the process, and a thread
// that ends unexpectedly is replaced.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { findCause } from '../../src/platform/causes.ts'
import { realClock } from '../../src/platform/clock.ts'
import { createLog } from '../../src/platform/log.ts'
import { logAcross, type ThreadNews, tellNews } from '../../src/platform/thread-news.ts'
import { startWorkers, type Workers } from '../../src/service/running/workers.ts'
import { eventually } from '../support/eventually.ts'
import { testSecret } from '../support/service.ts'
import { journey, openStage, type Stage } from './tracking-harness.ts'

const bill = 'HLCUSHA260100005'
const render = async (): Promise<Buffer> => Buffer.from('{}')

function openThreads(t: TestContext, env: Readonly<Record<string, string>>): Promise<Stage> {
  const startAt = new Date(realClock.now()).toISOString()
  return openStage(t, { startAt, env: { LANDFALL_SANDBOX: 'off', LANDFALL_FOLD_THREADS: '2', ...env } })
}

function start({ service, databaseUrl }: Stage): Workers {
  const inRealTime = { ...service, clock: realClock, journeyClock: () => ({ ...realClock, pace: () => 1 }) }
  const folding = { database: databaseUrl, countsChanges: false, anchor: null, sandboxIsOn: false }
  return startWorkers(inRealTime, { render, folding })
}

test('journeys are folded in threads, and what the threads count is the process that counts it', async (t) => {
  const stage = await openThreads(t, { LANDFALL_SECRET: testSecret })
  stage.carrier.answers({ json: journey(bill, 'loaded') })
  const id = await stage.track(bill)
  const workers = start(stage)
  t.after(() => workers.stop())
  await eventually(async () => (await stage.request(id)).status === 'created')
  const counted = /landfall_snapshot_absorbed_total\{scac="HLCU"\} 1/
  await eventually(async () => counted.test(await stage.service.metrics.write()))
  await workers.stop()
  assert.deepEqual(await stage.rows('select 1 from tasks'), [])
  const said = stage.logged().filter(({ event }) => event === 'fold_thread.ended')
  assert.deepEqual(said, [], 'they ended because they were told to')
})

test('a thread that ends unexpectedly logs why, and a new one replaces it', async (t) => {
  const stage = await openThreads(t, {
    LANDFALL_SECRET: 'a secret that this database was never sealed with',
    LANDFALL_FOLD_THREADS: '1',
  })
  await stage.rows(`insert into settings (name, value) values ('secret_fingerprint', '"of another secret"')`)
  const workers = start(stage)
  t.after(() => workers.stop())
  const ended = () => stage.logged().filter(({ event }) => event === 'fold_thread.ended')
  await eventually(() => ended().length >= 2)
  await workers.stop()
  assert.match(JSON.stringify(ended()[0]?.['error']), /LANDFALL_SECRET/)
  assert.deepEqual(
    ended()
      .slice(0, 2)
      .map(({ againAfterMs }) => againAfterMs),
    [1_000, 2_000],
  )
})

test('the cause of an error that crosses from a thread is found as that of any other', () => {
  const sent: ThreadNews[] = []
  const log = logAcross((news) => sent.push(structuredClone(news)), { debug: false })
  const refused = Object.assign(new Error('connect ENOENT /tmp/.s.PGSQL.5432'), {
    code: 'ENOENT',
    syscall: 'connect',
  })
  const error = new AggregateError([refused], 'all were tried')
  log.warn('database.unreachable', { error, tasks: 3 })
  log.debug('event.emitted', {})
  assert.equal(sent.length, 1)
  const heard: (readonly unknown[])[] = []
  const hears = { ...createLog({ level: 'silent' }), warn: (...line: unknown[]) => void heard.push(line) }
  for (const news of sent) tellNews({ log: hears, metrics: {} as never }, news)
  const [[event, fields] = []] = heard as [string, { readonly error: Error; readonly tasks: number }][]
  assert.equal(event, 'database.unreachable')
  assert.equal(fields?.tasks, 3)
  assert.equal(fields?.error.message, 'all were tried')
  assert.equal(findCause(fields?.error), findCause(error))
  assert.equal(findCause(error), 'database_away')
})
