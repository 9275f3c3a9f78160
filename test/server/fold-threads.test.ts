// Folding has its own threads: they fold shipments, their counters and log lines belong to the process, and a thread
// that ends unexpectedly is replaced.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { realClock } from '../../src/platform/clock.ts'
import { createLog } from '../../src/platform/log.ts'
import { findOperatorIssue } from '../../src/platform/operator-issue-kinds.ts'
import { applyThreadNews, createThreadLog, type ThreadNews } from '../../src/platform/thread-news.ts'
import { startWorkers, type Workers } from '../../src/server/workers.ts'
import { eventually } from '../support/eventually.ts'
import { testSecret } from '../support/service.ts'
import { journey, openStage, type Stage } from '../support/tracking-harness.ts'

const bill = 'HLCUSHA260100005'
const render = async (): Promise<Buffer> => Buffer.from('{}')

function openThreads(t: TestContext, env: Readonly<Record<string, string>>): Promise<Stage> {
  const startAt = new Date(realClock.now()).toISOString()
  return openStage(t, {
    startAt,
    env: {
      LANDFALL_SANDBOX: 'off',
      LANDFALL_FOLD_THREADS: '2',
      LANDFALL_ALLOWED_NETWORKS: '127.0.0.0/8',
      ...env,
    },
  })
}

function start({ service, databaseUrl }: Stage): Workers {
  const inRealTime = { ...service, clock: realClock, journeyClock: () => ({ ...realClock, pace: () => 1 }) }
  const folding = { database: databaseUrl, anchor: null, sandboxIsOn: false }
  return startWorkers(inRealTime, { render, folding })
}

test('shipments are folded in threads, and the metrics of the threads are counted by the process', async (t) => {
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
  const ended = stage.logged().filter(({ event }) => event === 'fold_thread.ended')
  assert.deepEqual(ended, [], 'they ended because they were told to')
})

test('a thread that ends unexpectedly logs why, and a new one replaces it', async (t) => {
  const stage = await openThreads(t, {
    LANDFALL_SECRET: 'a secret that this database was never sealed with',
    LANDFALL_FOLD_THREADS: '1',
  })
  stage.carrier.answers({ json: journey(bill, 'loaded') })
  await stage.track(bill)
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

test('the cause of an error from a thread is found like that of any other error', () => {
  const sent: ThreadNews[] = []
  const log = createThreadLog((news) => sent.push(structuredClone(news)), { debug: false })
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
  for (const news of sent) applyThreadNews({ log: hears, metrics: {} as never }, news)
  const [[event, fields] = []] = heard as [string, { readonly error: Error; readonly tasks: number }][]
  assert.equal(event, 'database.unreachable')
  assert.equal(fields?.tasks, 3)
  assert.equal(fields?.error.message, 'all were tried')
  assert.equal(findOperatorIssue(fields?.error), findOperatorIssue(error))
  assert.equal(findOperatorIssue(error), 'database_away')
})
