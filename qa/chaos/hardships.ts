/**
 * Hardships that a worker must survive, made while nothing else runs: a task that waits for a row that another session
 * locks, and a task that ends the process. In both cases the other tasks must be done meanwhile, and nothing may be
 * lost or done twice.
 */

import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Pool } from '../../src/db/database.ts'
import type { Report } from '../kill/checks.ts'
import { type Processes, workers } from './processes.ts'

export const hardships = ['memory', 'lock'] as const
export type Hardship = (typeof hardships)[number]

interface Enduring {
  readonly pool: Pool
  readonly processes: Processes
  readonly say: (sentence: string) => void
}

interface Task {
  readonly id: number
  readonly request: string
  readonly look: string
}

const othersCount = 20
const othersWithinMs = 100_000
/** Longer than the lease of a task. */
const heldMs = 65_000
/** Long, because the task that waited is tried again after a longer pause each time. */
const freedWithinMs = 120_000

export function endure(hardship: Hardship, enduring: Enduring): Promise<Report> {
  return hardship === 'lock' ? endureLock(enduring) : endureMemory(enduring)
}

/** Another session locks the shipment of one request for longer than a lease lasts. */
async function endureLock({ pool, say }: Enduring): Promise<Report> {
  const { victim, others } = await choose(pool)
  const problems: string[] = []
  const holder = await pool.connect()
  // When the connection is cut, the error shows at the commit.
  holder.on('error', () => {})
  let waits: Task
  const told: Task[] = []
  try {
    await holder.query('begin')
    await holder.query('set local idle_in_transaction_session_timeout = 0')
    await holder.query(
      `select from shipments s join tracking_requests r on r.account_id = s.account_id and r.shipment_id = s.id
        where r.id = $1 for update of s`,
      [victim],
    )
    const freeAtMs = Date.now() + heldMs
    const [first, ...rest] = await giveTasks(pool, [victim, ...others])
    if (first === undefined) throw new Error('no task was given')
    waits = first
    say(`Planted: somebody holds the shipment of request ${victim} for ${heldMs / 1_000} s.`)
    const tasks = [rest, await giveTasks(pool, others)]
    for (const [nth, each] of tasks.entries()) {
      told.push(...each)
      problems.push(...(await waitForDone(pool, each, `while a task waits, batch ${nth + 1}`, say)))
    }
    await pause(Math.max(0, freeAtMs - Date.now()))
    if ((await countLeft(pool, [waits])) !== 1) problems.push('the task that waits is gone before it was freed')
    await holder.query('commit')
  } finally {
    holder.release(true)
  }
  const { attempts, error } = await readTask(pool, waits)
  say(`Freed after ${attempts} attempts; it says: ${error ?? 'nothing'}.`)
  problems.push(...(await waitForDone(pool, [waits], 'the task that waited', say, freedWithinMs)))
  problems.push(...(await findNotOnce(pool, [waits, ...told])))
  return {
    says: `A task that waited for a lock for ${heldMs / 1_000} s held up none of ${told.length} others, and was done once when it was freed.`,
    problems,
  }
}

/** The heap (old space), in MB, of the worker that must run out of memory. */
const smallHeapMb = 320
/** Each takes three bytes in the text and about sixty in memory. */
const emptyObjects = 8_000_000
const deathsMax = 15
const livesMs = 15_000

/** One answer needs more memory than the worker has. Afterwards a worker with more memory must read this answer too. */
async function endureMemory({ pool, processes, say }: Enduring): Promise<Report> {
  const { victim, others } = await choose(pool)
  for (const role of workers) await processes.kill(role)
  const snapshotId = await plantHugeAnswer(pool, victim)
  const [ends, ...first] = await giveTasks(pool, [victim, ...others])
  if (ends === undefined) throw new Error('no task was given')
  await pool.query('update tasks set snapshot_id = $2 where id = $1', [ends.id, snapshotId])
  say(`Planted: an answer that a worker with ${smallHeapMb} MB cannot read, for request ${victim}.`)
  const keeper = keepAlive(processes, say)
  const problems: string[] = []
  problems.push(...(await waitForDone(pool, first, 'while a task ends the process', say)))
  const second = await giveTasks(pool, others)
  problems.push(...(await waitForDone(pool, second, 'after the process has ended', say)))
  const { attempts, error } = await readTask(pool, ends)
  if (error === null) problems.push(`after ${attempts} attempts the task that ends the process tells no error`)
  const deaths = keeper.deaths()
  await pause(livesMs)
  if (keeper.deaths() > deaths) problems.push(`it ended the process again within ${livesMs / 1_000} s`)
  await keeper.stop()
  say(`The worker died ${keeper.deaths()} times in ${attempts} attempts; the task says: ${error ?? 'nothing'}.`)
  processes.start('worker')
  await processes.up('worker')
  processes.start('other worker')
  await pool.query(`update tasks set not_before = '-infinity' where id = $1`, [ends.id])
  problems.push(...(await waitForDone(pool, [ends], 'with memory enough', say, freedWithinMs)))
  problems.push(...(await findNotOnce(pool, [ends, ...first, ...second])))
  return {
    says: `A task that ends the process stayed behind alone with its error told; ${first.length + second.length} others were done, and it was done once where there was memory.`,
    problems,
  }
}

/** One request as the victim, and others with different shipments. All are tracked. */
async function choose(pool: Pool): Promise<{ readonly victim: string; readonly others: readonly string[] }> {
  const { rows } = await pool.query<{ readonly id: string }>(
    `select min(id::text) as id from tracking_requests where status = 'created'
      group by shipment_id order by md5(shipment_id::text) limit $1`,
    [othersCount + 1],
  )
  const [victim, ...others] = rows.map(({ id }) => id)
  if (victim === undefined || others.length < othersCount) throw new Error('too few shipments are followed')
  return { victim, others }
}

/** Makes tasks as a look does: the last answer has to be folded once more. */
async function giveTasks(pool: Pool, requests: readonly string[]): Promise<readonly Task[]> {
  const { rows } = await pool.query<Task>(
    `insert into tasks (account_id, tracking_request_id, kind, subject_id, snapshot_id, payload)
     select r.account_id, r.id, 'absorb', r.subject_id, s.last_snapshot_id, jsonb_build_object('look', gen_random_uuid())
       from unnest($1::uuid[]) with ordinality as asked (id, place)
       join tracking_requests r using (id) join subjects s on s.id = r.subject_id
      order by place
     returning id, tracking_request_id as request, payload ->> 'look' as look`,
    [requests],
  )
  return rows
}

/** Copies the last answer, and adds so much meaningless data to its first event that the memory is filled. */
async function plantHugeAnswer(pool: Pool, request: string): Promise<string> {
  const { rows } = await pool.query<{ readonly subject_id: string; readonly body: Buffer }>(
    `select n.subject_id, n.body from tracking_requests r join subjects s on s.id = r.subject_id
       join kept_snapshots n on n.id = s.last_snapshot_id where r.id = $1`,
    [request],
  )
  const [last] = rows
  if (last === undefined) throw new Error(`no answer about request ${request} is kept`)
  const text = last.body.toString().replace('[{', `[{"padding":[${'{},'.repeat(emptyObjects)}{}],`)
  const body = Buffer.from(text)
  const id = randomUUID()
  // The hash must be that of a stored answer, or a rebuild would report damaged bytes.
  const hash = createHash('sha256').update('200\n').update(body).digest()
  await pool.query(
    `insert into kept_snapshots (id, subject_id, content_hash, status, content_type, body, recorded_at)
     values ($1, $2, $3, 200, 'application/json', $4, now())`,
    [id, last.subject_id, hash, body],
  )
  return id
}

/** Starts the worker with little memory, and starts it again each time it has ended, as a supervisor would. */
function keepAlive(
  processes: Processes,
  say: (sentence: string) => void,
): { readonly deaths: () => number; readonly stop: () => Promise<void> } {
  let deaths = 0
  let isOver = false
  const run = async (): Promise<void> => {
    while (!isOver && deaths < deathsMax) {
      const program = processes.start('worker', { NODE_OPTIONS: `--max-old-space-size=${smallHeapMb}` })
      await program.exited
      if (isOver) return
      deaths += 1
      const reason = /FATAL ERROR: .*/.exec(program.stderr())?.[0] ?? program.stderr().slice(-300)
      say(`The worker ended by itself, no. ${deaths}: ${reason}`)
    }
  }
  const running = run()
  return {
    deaths: () => deaths,
    stop: async () => {
      isOver = true
      await processes.kill('worker')
      await running
    },
  }
}

async function waitForDone(
  pool: Pool,
  tasks: readonly Task[],
  when: string,
  say: (sentence: string) => void,
  withinMs = othersWithinMs,
): Promise<readonly string[]> {
  const startedMs = Date.now()
  for (;;) {
    const left = await countLeft(pool, tasks)
    const tookMs = Date.now() - startedMs
    if (left === 0) {
      say(`${tasks.length} tasks done after ${(tookMs / 1_000).toFixed(1)} s (${when}).`)
      return []
    }
    if (tookMs > withinMs) return [`${left} of ${tasks.length} tasks not done within ${withinMs / 1_000} s (${when})`]
    await pause(200)
  }
}

async function countLeft(pool: Pool, tasks: readonly Task[]): Promise<number> {
  const { rows } = await pool.query<{ readonly left: number }>(
    'select count(*)::int as left from tasks where id = any($1::bigint[])',
    [tasks.map(({ id }) => id)],
  )
  return rows[0]?.left ?? 0
}

async function readTask(
  pool: Pool,
  { id }: Task,
): Promise<{ readonly attempts: number; readonly error: string | null }> {
  const { rows } = await pool.query<{ readonly attempts: number; readonly error: string | null }>(
    'select attempts, last_error as error from tasks where id = $1',
    [id],
  )
  return rows[0] ?? { attempts: 0, error: null }
}

async function findNotOnce(pool: Pool, tasks: readonly Task[]): Promise<readonly string[]> {
  const { rows } = await pool.query<{ readonly look: string; readonly times: number }>(
    `select payload ->> 'look' as look, count(*)::int as times from ledger
      where kind = 'look' and payload ->> 'look' = any($1) group by 1`,
    [tasks.map(({ look }) => look)],
  )
  const times = new Map(rows.map((row) => [row.look, row.times]))
  return tasks.flatMap(({ request, look }) =>
    times.get(look) === 1 ? [] : [`the task of request ${request} was folded ${times.get(look) ?? 0} times`],
  )
}
