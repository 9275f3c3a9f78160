/**
 * Whether a server reports that it can work: a write that needs space detects a full disk, and the server recovers by
 * itself.
 */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { probeDiskSpace } from '../../../src/db/probe-disk-space.ts'
import { compareZones } from '../../../src/modules/installation/compare-zones.ts'
import { isReady } from '../../../src/modules/installation/is-ready.ts'
import { watchReadiness } from '../../../src/modules/installation/watch-readiness.ts'
import type { Service } from '../../../src/modules/service.ts'
import { createLog } from '../../../src/platform/log.ts'
import { createMetrics } from '../../../src/platform/metrics.ts'
import { createOperatorIssues } from '../../../src/platform/operator-issues.ts'
import { eventually } from '../../support/eventually.ts'
import { openTestService, type TestService } from '../../support/service.ts'

let world: TestService
before(async () => {
  world = await openTestService()
})
after(() => world.close())

/** A separate service on the same database, with its own log of causes; each service remembers its own last write. */
function makeService(): { readonly service: Service; readonly lines: () => readonly string[] } {
  const lines: string[] = []
  const log = createLog({ level: 'info', destination: { write: (line: string) => void lines.push(line) } })
  const troubles = createOperatorIssues({ log, installation: { database: 'server', dataFolder: '/data' } })
  const metrics = createMetrics(troubles.log)
  return {
    service: { ...world.service, log: troubles.log, metrics, operatorIssues: troubles },
    lines: () => lines,
  }
}

test('the probe of the disk space leaves nothing behind in the database', async () => {
  const before = await countRelations()
  await probeDiskSpace(world.service.pool)
  assert.equal(await countRelations(), before)
})

test('the service is not ready while the disk is full, and becomes ready when there is space again', async () => {
  const { service, lines } = makeService()
  const full = Object.assign(new Error('could not extend file: No space left on device'), { code: '53100' })
  const giveBack = onTransaction(service, () => Promise.reject(full))
  try {
    for (let n = 0; n < 5; n += 1) {
      const state = await isReady(service)
      assert.deepEqual(
        [state.isReady, state.database, state.migrations, state.writes, state.troubles],
        [false, true, true, false, ['disk_full']],
      )
    }
  } finally {
    giveBack()
  }
  assert.equal(lines().length, 1)
  assert.match(lines()[0] ?? '', /Make room on the disk of the server in DATABASE_URL/)
  const healed = await isReady(service)
  assert.deepEqual([healed.isReady, healed.troubles], [true, []])
  assert.match(lines()[1] ?? '', /trouble\.over/)
})

test('the readiness check probes the disk at once after a logged fault', async () => {
  const { service } = makeService()
  assert.equal((await isReady(service)).isReady, true)
  service.log.error('job.failed', { error: Object.assign(new Error('full'), { code: '53100' }) })
  let probes = 0
  const giveBack = onTransaction(service, async () => {
    probes += 1
  })
  const state = await isReady(service)
  giveBack()
  assert.equal(probes > 0, true)
  assert.deepEqual([state.isReady, state.troubles], [true, []], 'the probe went well: it is over')
})

test('the server is not ready when its database is replaced while it runs', async () => {
  const { service } = makeService()
  service.operatorIssues.raise('database_replaced')
  const state = await isReady(service)
  assert.deepEqual([state.isReady, state.database, state.troubles], [false, true, ['database_replaced']])
  service.operatorIssues.end('database_replaced')
  assert.equal((await isReady(service)).isReady, true)
})

test('a server logs when it can no longer work, and when it can again', async (t) => {
  const { service, lines } = makeService()
  const { query } = service.pool
  const watching = watchReadiness(service, 20)
  t.after(() => watching.stop())
  const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' })
  service.pool.query = (() => Promise.reject(away)) as unknown as typeof query
  t.after(() => {
    service.pool.query = query
  })
  await eventually(() => events(lines()).includes('server.not_ready'))
  service.pool.query = query
  await eventually(() => events(lines()).includes('server.ready'))
  assert.deepEqual(
    events(lines()).filter((event) => event.startsWith('server.')),
    ['server.not_ready', 'server.ready'],
  )
})

test('reports a clock that differs from the database or jumps, with the difference', async (t) => {
  const { service, lines } = makeService()
  // The clock of the tests differs by months from that of the database.
  const watching = watchReadiness(service, 20)
  t.after(() => watching.stop())
  await eventually(() => service.operatorIssues.active().includes('clock_differs'))
  assert.match(lines().join(''), /This machine is \d+ seconds (behind|ahead of) the database/)
  t.mock.method(Date, 'now', () => performance.timeOrigin + performance.now() + 3_600_000)
  await eventually(() => service.operatorIssues.active().includes('clock_jumped'))
  assert.match(lines().join(''), /By 3[56]\d\d seconds forward/)
})

test('names time zones whose rules differ from those of the database, with the remedy', async (t) => {
  const { service, lines } = makeService()

  t.mock.method(Intl, 'supportedValuesOf', () => ['Europe/Berlin', 'America/Los_Angeles'])
  const { query } = service.pool
  t.after(() => {
    service.pool.query = query
  })
  const zonesLine = (): string => lines().find((line) => line.includes('database.zones_differ')) ?? ''
  await compareZones(service)
  assert.equal(zonesLine(), '', 'both know these zones alike')
  // A database that does not know summer time in Berlin.
  service.pool.query = (async (...asked: unknown[]) => {
    const answer = await (
      query as (...all: unknown[]) => Promise<{ rows: { zone: string; offsets: number[] }[] }>
    ).apply(service.pool, asked)
    const rows = answer.rows.map((row) =>
      row.zone === 'Europe/Berlin' ? { ...row, offsets: row.offsets.map(() => 3_600_000) } : row,
    )
    return { ...answer, rows }
  }) as unknown as typeof query
  const watching = watchReadiness(service, 20, 0)
  t.after(() => watching.stop())
  await eventually(() => zonesLine() !== '')
  const { zones, remedy } = JSON.parse(zonesLine()) as {
    readonly zones: readonly string[]
    readonly remedy: string
  }
  assert.deepEqual(zones, ['Europe/Berlin'])
  assert.match(remedy, /Update the time zones of the database server \(tzdata\) or Node\.js/)
})

function events(lines: readonly string[]): readonly string[] {
  return lines.map((line) => String((JSON.parse(line) as { readonly event: string }).event))
}

/**
 * Reads use the pool's `query`, which asks for a connection with a callback; the transaction of the check asks without
 * one.
 */
function onTransaction({ pool }: Service, met: () => Promise<void>): () => void {
  const { connect } = pool
  const instead = async (...args: unknown[]): Promise<unknown> => {
    if (args.length === 0) await met()
    return Reflect.apply(connect, pool, args)
  }
  pool.connect = instead as unknown as typeof connect
  return () => {
    pool.connect = connect
  }
}

async function countRelations(): Promise<number> {
  const { rows } = await world.service.pool.query<{ readonly n: number }>('select count(*)::int as n from pg_class')
  return rows[0]?.n ?? 0
}
