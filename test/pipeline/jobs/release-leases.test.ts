/** Live workers take over the leases of a dead worker within seconds, and only then. */

import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { keepWorkerRegistered } from '../../../src/pipeline/jobs/hold-leases.ts'
import { holderNumber, leaseToken } from '../../../src/pipeline/jobs/holder.ts'
import { insertMail } from '../../../src/pipeline/notifications/mails-sql.ts'
import { leaseFeed } from '../../../src/pipeline/positions/feed-leases-sql.ts'
import { uuidV7 } from '../../../src/platform/ids.ts'
import { eventually } from '../../support/eventually.ts'
import { openTestService, type TestService } from '../../support/service.ts'

/** After kill -9, and when a process is frozen with its connections open. */
const limitsMs = { killed: 5_000, frozen: 20_000 }

let test_: TestService
let holding: Awaited<ReturnType<typeof keepWorkerRegistered>>
before(async () => {
  test_ = await openTestService({ startAt: new Date().toISOString() })
  holding = await keepWorkerRegistered(test_.service)
})
after(async () => {
  await holding.stop()
  await test_.close()
})

test('releases the leases of a killed worker within five seconds and counts the takeover', async () => {
  const child = await startHolder()
  assert.equal(await countLeases(child.number), 3)
  child.process.kill('SIGKILL')
  const tookMs = await untilFree(child.number, limitsMs.killed)
  assert.ok(tookMs < limitsMs.killed, `${tookMs} ms`)
  assert.ok(
    test_
      .logged()
      .some(({ event, worker, why }) => event === 'worker.taken_over' && worker === child.number && why === 'gone'),
  )
  assert.match(await test_.service.metrics.write(), /landfall_worker_taken_over_total\{why="gone"\} 1/)
})

test('a frozen worker loses its leases within twenty seconds and can commit nothing afterwards', async () => {
  const child = await startHolder()
  // It is frozen in the middle of a transaction that has deleted a row which it had leased.
  child.process.kill('SIGSTOP')
  const tookMs = await untilFree(child.number, limitsMs.frozen)
  assert.ok(tookMs < limitsMs.frozen, `${tookMs} ms`)
  const { rowCount } = await test_.service.pool.query('select from mails')
  const nextMessage = once(child.process, 'message')
  child.process.kill('SIGCONT')
  child.process.send('go on')
  const [reply] = await nextMessage
  assert.deepEqual(reply, { wasCommitted: false, second: false })
  assert.equal((await test_.service.pool.query('select from mails')).rowCount, rowCount)
  await end(child.process)
})

test('a live worker keeps its leases for their full duration', async () => {
  const child = await startHolder()
  await pause(17_000)
  assert.equal(await countLeases(child.number), 3)
  await end(child.process)
  await untilFree(child.number, limitsMs.killed)
})

test('a worker whose database session breaks keeps its worker number', async () => {
  const { service } = test_
  const number = holderNumber(service)
  const { rows: broken } = await service.pool.query<{ pid: number }>(
    `select pid, pg_terminate_backend(pid) from pg_locks
      where locktype = 'advisory' and objid = $1 and objsubid = 2 and pid <> pg_backend_pid()`,
    [number],
  )
  const isHeld = async (): Promise<boolean> => {
    const { rowCount } = await service.pool.query(
      'select from pg_locks where objid = $1 and objsubid = 2 and pid <> all($2)',
      [number, broken.map(({ pid }) => pid)],
    )
    return rowCount === 1
  }
  await eventually(isHeld, { late: () => 'no other session holds its number' })
  assert.equal(holderNumber(service), number)
})

test('a live worker that was declared dead gets another number', async () => {
  const { service } = test_
  const number = holderNumber(service)
  await service.pool.query('delete from workers where id = $1', [number])
  await eventually(async () => (holderNumber(service) === number ? null : true), {
    late: () => 'it keeps the number of a dead one',
  })
  const now = new Date().toISOString()
  const lease = { name: 'another feed', token: leaseToken(service), now, until: now }
  assert.equal(await leaseFeed(service.pool, lease), true)
  assert.equal(await countLeases(holderNumber(service)), 1)
})

test('releases the leases in every table that has lease columns', async () => {
  const { rows } = await test_.service.pool.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'lease_token'
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`,
  )
  const statement = readFileSync(new URL('../../../src/db/leases.ts', import.meta.url), 'utf8')
  assert.deepEqual(
    rows.filter(({ name }) => !statement.includes(`update ${name} `)),
    [],
  )
  const { rows: without } = await test_.service.pool.query<{ name: string }>(
    `select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'leased_until'
     except
     select table_name from information_schema.columns where table_schema = 'public' and column_name = 'lease_token'`,
  )
  assert.deepEqual(without, [], 'each lease names its holder')
})

async function startHolder(): Promise<{ readonly process: ChildProcess; readonly number: number }> {
  const { pool } = test_.service
  const now = new Date().toISOString()
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
  await pool.query('delete from mails')
  for (let each = 0; each < 2; each += 1)
    await insertMail(pool, {
      id: uuidV7(Date.now()),
      kind: 'invitation',
      about: null,
      encryptedContent: Buffer.from('x'),
      now,
      expiresAt,
    })
  const child = fork(fileURLToPath(new URL('./lease-holder.ts', import.meta.url)), [test_.databaseUrl])
  const [{ number, mails }] = (await once(child, 'message')) as [{ number: number; mails: number }]
  assert.equal(mails, 2)
  return { process: child, number }
}

async function end(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

async function countLeases(holder: number): Promise<number> {
  const { rows } = await test_.service.pool.query<{ count: number }>(
    `select count(*)::int as count from (select lease_token from feed_leases union all select lease_token from mails) l
      where left(lease_token::text, 8) = $1`,
    [holder.toString(16).padStart(8, '0')],
  )
  return rows[0]?.count ?? 0
}

async function untilFree(holder: number, withinMs: number): Promise<number> {
  const startedMs = Date.now()
  await eventually(async () => ((await countLeases(holder)) === 0 ? true : null), {
    withinMs: withinMs + 5_000,
  })
  return Date.now() - startedMs
}
