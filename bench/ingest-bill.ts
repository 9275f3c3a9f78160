/**
 * What an entry costs on a bill with very many boxes, where each box is requested by its own number: one request, one
 * subject and one answer per box, and one shipment that every entry folds. The benchmark stops after a fixed time and
 * reports how far it came.
 */

import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Folded } from './ingest-bill-folder.ts'
import { type Installation, openInstallation, storeSnapshot, type Tracked, tellCounts, track } from './installation.ts'
import { makeBill } from './journeys.ts'
import { type Figure, progress } from './measure.ts'
import { lines, startProgram } from './program.ts'

const joiningMsMax = 75_000
const roundsMsMax = 60_000
const rounds = 5
const stallMsMax = 50

interface Round extends Folded {
  readonly entries: number
  /** Rows written, by table. */
  readonly rows: ReadonlyMap<string, number>
}

export async function benchIngestBill(boxes: number): Promise<readonly Figure[]> {
  const installation = await openInstallation()
  const program = startProgram(new URL('./ingest-bill-folder.ts', import.meta.url))
  try {
    return await measure(installation, program, boxes)
  } finally {
    program.kill()
    await installation.close()
  }
}

async function measure(installation: Installation, program: ChildProcess, boxes: number): Promise<readonly Figure[]> {
  const told = lines(program)
  program.stdin?.write(`${installation.databaseUrl}\n`)
  const fold = async (msMax: number): Promise<Folded> => {
    program.stdin?.write(`${JSON.stringify({ msMax })}\n`)
    const [line] = (await once(told, 'line')) as [string]
    return JSON.parse(line) as Folded
  }
  const context = await installation.newAccount()
  const asked = await track(installation, context, makeBill(boxes), 'container')
  progress(`ingest: ${boxes} boxes of one bill join a shipment, for ${joiningMsMax / 1_000} s at most`)
  const joining = await foldRound(installation, asked, 0, () => fold(joiningMsMax))
  const joined = await findJoined(installation, asked)
  await installation.service.pool.query('vacuum analyze')
  const done: Round[] = []
  let leftMs = roundsMsMax
  for (let round = 0; round < rounds && leftMs > 0; round += 1) {
    const folded = await foldRound(installation, joined, round + 1, () => fold(leftMs))
    leftMs -= folded.ms
    done.push(folded)
    progress(`  round ${round + 1}: ${folded.entries} entries, ${msEach([folded]).toFixed(1)} ms each`)
  }
  return figuresOf(installation, { boxes, joined: joined.length, joining, rounds: done })
}

/** Tasks that are left when the time is up are deleted, so that they do not disturb the next round. */
async function foldRound(
  installation: Installation,
  tracked: readonly Tracked[],
  version: number,
  fold: () => Promise<Folded>,
): Promise<Round> {
  for (const each of tracked) await storeSnapshot(installation, each, version)
  const before = await readCounts(installation)
  const folded = await fold()
  const after = await readCounts(installation)
  await installation.service.pool.query('delete from tasks')
  const rows = new Map([...after.rows].map(([table, count]) => [table, count - (before.rows.get(table) ?? 0)]))
  return { ...folded, entries: after.entries - before.entries, rows }
}

/**
 * The rows that folding has written so far. Snapshots and new tasks are left out, because the benchmark itself writes
 * them.
 */
async function readCounts({ service }: Installation): Promise<{
  readonly entries: number
  readonly rows: ReadonlyMap<string, number>
}> {
  const { pool } = service
  await tellCounts(service)
  const { rows } = await pool.query<{ name: string; written: number }>(
    `select relname as name,
            n_tup_upd + n_tup_del + case when relname = 'tasks' then 0 else n_tup_ins end as written
       from pg_stat_user_tables where relname <> 'kept_snapshots'`,
  )
  const counted = await pool.query<{ entries: number }>(
    `select count(*)::int as entries from ledger where kind = 'look'`,
  )
  return {
    entries: counted.rows[0]?.entries ?? 0,
    rows: new Map(rows.map(({ name, written }) => [name, written])),
  }
}

async function findJoined({ service }: Installation, asked: readonly Tracked[]): Promise<readonly Tracked[]> {
  const { rows } = await service.pool.query<{ subject_id: string; shipment_id: string }>(
    'select subject_id, shipment_id from tracking_requests where shipment_id is not null',
  )
  if (new Set(rows.map((row) => row.shipment_id)).size !== 1) throw new Error('it is not one shipment')
  const joined = new Set(rows.map((row) => row.subject_id))
  return asked.filter(({ subjectId }) => joined.has(subjectId))
}

function figuresOf(
  { postgres }: Installation,
  run: {
    readonly boxes: number
    readonly joined: number
    readonly joining: Round
    readonly rounds: readonly Round[]
  },
): readonly Figure[] {
  const { joining, rounds: done } = run
  const entries = sum(done.map((round) => round.entries))
  const ran =
    `${run.joined} of ${run.boxes} boxes of one bill joined within ${(joining.ms / 1_000).toFixed(0)} s; then ` +
    `${entries} entries in ${done.length} rounds, whose answers change each time`
  const stallMs = Math.max(...done.map((round) => round.longestStallMs))
  const written = sum(done.flatMap((round) => [...round.rows.values()]))
  const byTable = [...(done[0]?.rows.keys() ?? [])]
    .map((table) => ({ table, each: sum(done.map((round) => round.rows.get(table) ?? 0)) / entries }))
    .filter(({ each }) => each >= 0.05)
    .toSorted((a, b) => b.each - a.each)
  const common = { bench: `ingest --bill ${run.boxes}`, limit: null, ratio: null, postgres }
  return [
    {
      ...common,
      what: 'An entry of one box folded into the shipment of its bill, all hands together',
      unit: 'ms/entry',
      figure: msEach(done),
      aim: 'measured',
      isMet: true,
      note: `${ran}; ${msEach([joining]).toFixed(1)} ms an entry while they joined`,
    },
    {
      ...common,
      what: 'Rows inserted, updated and deleted for an entry',
      unit: 'rows/entry',
      figure: written / entries,
      aim: 'measured',
      isMet: true,
      note: byTable.map(({ table, each }) => `${table} ${each.toFixed(1)}`).join(', '),
    },
    {
      ...common,
      what: 'Peak memory (RSS) of the process that folds',
      unit: 'MB',
      figure: Math.max(joining.peakMb, ...done.map((round) => round.peakMb)),
      aim: 'measured',
      isMet: true,
      note: `a process that does nothing else; ${joining.peakMb.toFixed(0)} MB when all had joined`,
    },
    {
      ...common,
      what: 'Longest stall of the thread that answers, while another one of its process folds',
      unit: 'ms',
      figure: stallMs,
      aim: `at most ${stallMsMax} ms`,
      isMet: stallMs <= stallMsMax,
      note:
        `${done.map((round) => round.longestStallMs.toFixed(0)).join(', ')} in the rounds, ${joining.longestStallMs.toFixed(0)} while they joined; ` +
        `the thread that folds stalled for ${Math.max(joining.longestFoldMs, ...done.map((round) => round.longestFoldMs)).toFixed(0)} at most`,
    },
  ]
}

function msEach(folded: readonly Round[]): number {
  return sum(folded.map(({ ms }) => ms)) / sum(folded.map(({ entries }) => entries))
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
