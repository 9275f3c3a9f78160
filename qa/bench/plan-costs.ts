/**
 * What one unit of each kind of work costs, measured: processor time of the service and of PostgreSQL, bytes on disk,
 * and bytes of its log. Processor time is taken, because other work on the machine changes it little.
 */

import { hash } from 'node:crypto'
import { createApiKey } from '../../src/modules/api-keys/create-api-key.ts'
import { numberEvents } from '../../src/pipeline/event-sequence/number-events.ts'
import { packAll } from '../../src/pipeline/response-archive/operate-packs.ts'
import { recordPoll } from '../../src/pipeline/response-archive/snapshots-sql.ts'
import { realClock } from '../../src/platform/clock.ts'
import { uuidV7 } from '../../src/platform/ids.ts'
import { createApiApp } from '../../src/server/app.ts'
import { type Installation, openInstallation, storeSnapshot, track, workOffTasks } from './installation.ts'
import { makeShipments } from './journeys.ts'
import { median, progress } from './measure.ts'
import { openProcessorTime, type Spent } from './processor-time.ts'

/** Milliseconds of one processor. */
export interface WorkCost {
  readonly nodeMs: number
  readonly postgresMs: number
}

export interface Costs {
  /** An answer that says something new: read, folded, saved. */
  readonly answer: WorkCost
  /** A look whose answer is known already: its row in the log. */
  readonly unchanged: WorkCost
  /** An event gets its number. All accounts of one database take turns for this. */
  readonly numbering: WorkCost
  /** A container read by the API, and a list of thirty. */
  readonly read: WorkCost
  readonly list: WorkCost
  /** Events of one answer that says something new. */
  readonly eventsOfAnswer: number
  /** Bytes that PostgreSQL logs for one answer: what a replica is sent, and what an archive keeps. */
  readonly logBytesOfAnswer: number
  /** Bytes in tables and indexes for one container, with its share of everything but looks and snapshots. */
  readonly bytesOfContainer: number
  readonly bytesOfLook: number
  /** The stored answer, once for each content. */
  readonly bytesOfSnapshot: number
  /** The same when it is packed with its neighbours, with its row. */
  readonly bytesOfPackedSnapshot: number
  readonly postgres: string
}

const shipments = 300
const rounds = 3
const looks = 3_000
const reads = 300

export async function measureCosts(): Promise<Costs> {
  const installation = await openInstallation()
  try {
    return await measure(installation)
  } finally {
    await installation.close()
  }
}

async function measure(installation: Installation): Promise<Costs> {
  const { service, postgres } = installation
  const { pool } = service
  const bare = await sizes()
  const context = await installation.newAccount()
  const tracked = await track(installation, context, makeShipments(shipments, 2))
  const storeAll = async (version: number): Promise<void> => {
    for (const each of tracked) await storeSnapshot(installation, each, version)
  }
  for (const version of [0, 1]) {
    await storeAll(version)
    await workOffTasks(installation)
  }
  await numberEvents(service)
  await pool.query('vacuum analyze')
  const spend = await openProcessorTime(pool)
  progress(`plan: ${rounds} rounds of ${shipments} new answers`)
  const [answers, numberings, logged]: [Spent[], Spent[], number[]] = [[], [], []]
  const before = await countOf('events')
  for (let round = 0; round < rounds; round += 1) {
    await storeAll(round + 2)
    const from = await logPosition()
    answers.push(await spend(() => workOffTasks(installation)))
    logged.push((await logPosition()) - from)
    numberings.push(await spend(() => numberEvents(service)))
  }
  const events = (await countOf('events')) - before
  progress(`plan: ${looks} looks, ${reads} reads and lists`)
  const looked = await spend(() => writeLooks(installation))
  const { key } = await createApiKey(service, {
    accountId: context.account.id,
    name: 'Plan',
    scopes: ['read'],
  })
  const app = await createApiApp(service)
  const { rows: ids } = await pool.query<{ id: string }>('select id from containers order by id')
  const ask = (path: (turn: number) => string) => async () => {
    for (let turn = 0; turn < reads; turn += 1) {
      const answer = await app.inject({
        url: path(turn),
        headers: { host: 'plan.test', authorization: `Token ${key}` },
      })
      if (answer.statusCode !== 200) throw new Error(answer.body)
    }
  }
  const one = (turn: number): string => `/v2/containers/${ids[turn % ids.length]?.id}?include=shipment`
  const listed = (): string => '/v2/containers?page[size]=30'
  await ask(one)()
  await ask(listed)()
  const [read, list] = [await spend(ask(one)), await spend(ask(listed))]
  await app.close()
  const boxes = await countOf('containers')
  // What an empty installation has is not of its containers.
  const filled = await sizes()
  const later = { ...service, clock: { ...realClock, now: () => realClock.now() + 40 * 86_400_000 } }
  await packAll(later, { again: true, made: () => {} })
  await pool.query('vacuum full kept_snapshots')
  const packed = (await sizeOf(`= 'kept_snapshots'`)) + (await sizeOf(`= 'snapshot_packs'`))
  return {
    answer: costOf(answers, shipments),
    numbering: costOf(numberings, events / rounds),
    unchanged: costOf([looked], looks),
    read: costOf([read], reads),
    list: costOf([list], reads),
    eventsOfAnswer: events / (rounds * shipments),
    logBytesOfAnswer: median(logged) / shipments,
    bytesOfContainer: (filled.others - bare.others) / boxes,
    bytesOfLook: (filled.looks - bare.looks) / (await countOf('day_looks')),
    bytesOfSnapshot: (filled.snapshots - bare.snapshots) / (await countOf('kept_snapshots')),
    bytesOfPackedSnapshot: packed / (await countOf('kept_snapshots')),
    postgres,
  }

  async function countOf(table: string): Promise<number> {
    const { rows } = await pool.query<{ n: number }>(`select count(*)::int as n from ${table}`)
    return rows[0]?.n ?? 0
  }
  async function logPosition(): Promise<number> {
    const { rows } = await pool.query<{ at: string }>(`select pg_current_wal_lsn() - '0/0' as at`)
    return Number(rows[0]?.at)
  }
  async function sizes(): Promise<{
    readonly looks: number
    readonly snapshots: number
    readonly others: number
  }> {
    const [looksBytes, snapshots, all] = [
      await sizeOf(`like 'day_looks%'`),
      await sizeOf(`= 'kept_snapshots'`),
      await sizeOf(`like '%'`),
    ]
    return { looks: looksBytes, snapshots, others: all - looksBytes - snapshots }
  }
  async function sizeOf(which: string): Promise<number> {
    const { rows } = await pool.query<{ bytes: string }>(
      `select coalesce(sum(pg_total_relation_size(oid)), 0)::text as bytes from pg_class
        where relnamespace = 'public'::regnamespace and relkind = 'r' and (relname ${which})`,
    )
    return Number(rows[0]?.bytes)
  }
}

function costOf(rounds: readonly Spent[], count: number): WorkCost {
  const of = (ms: (spent: Spent) => number): number => median(rounds.map(ms)) / count
  if (rounds.some(({ postgresMs }) => postgresMs === null))
    throw new Error('This system does not report the processor time of PostgreSQL; Linux does.')
  return { nodeMs: of(({ nodeMs }) => nodeMs), postgresMs: of(({ postgresMs }) => postgresMs ?? 0) }
}

/** Each by itself, as workers write them. */
async function writeLooks({ service: { pool } }: Installation): Promise<void> {
  const { rows } = await pool.query<{ id: string; channel: string }>(
    'select id, credential_id as channel from subjects',
  )
  const events = { told: 12, aside: 0, understood: 12, lost: 0, unread: {} }
  for (let turn = 0; turn < looks; turn += 1) {
    const { id, channel } = rows[turn % rows.length] ?? { id: '', channel: '' }
    const at = new Date(realClock.now()).toISOString()
    await recordPoll(pool, {
      id: uuidV7(realClock.now()),
      subjectId: id,
      credentialId: channel,
      startedAt: at,
      attemptedAt: at,
      endedAt: at,
      events,
      durationMs: 300,
      outcome: 'unchanged',
      statusCode: 200,
      detail: 'answered',
      isUnchanged: true,
      snapshotId: idOf(`${turn % rows.length}`),
    })
  }
}

function idOf(text: string): string {
  return hash('md5', text).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
