/**
 * Kills the program with kill -9 while messages are sent, matched and folded. Then checks from outside that no accepted
 * message is lost and none was folded twice.
 */

import { spawnSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Pool } from '../../src/db/database.ts'
import { openInstallationEncryption } from '../../src/modules/installation/installation-secret.ts'
import { decryptBody } from '../../src/pipeline/response-archive/encrypted-bodies.ts'
import { getSnapshots, type StoredSnapshot } from '../../src/pipeline/response-archive/snapshots-sql.ts'
import type { Encryption } from '../../src/platform/encryption.ts'
import { freePorts, makeDataFolder, type Program, startProgram } from '../../test/e2e/program.ts'
import { eventually } from '../../test/support/eventually.ts'
import { openOutside } from '../chaos/database.ts'
import { chance } from '../kill/chance.ts'
import { checkEvents, type Report } from '../kill/checks.ts'
import { checkRebuild } from '../kill/rebuild-check.ts'
import { type Sender, startSending } from './sender.ts'

export interface KillOptions {
  readonly kills: number
  readonly seed: number
  readonly say: (sentence: string) => void
}

const atRestWithinMs = 240_000
const channel = 'line'

export async function proveKills({ kills, seed, say }: KillOptions): Promise<readonly Report[]> {
  const random = chance(seed)
  const data = makeDataFolder()
  const ports = await freePorts()
  let program: Program | null = null
  const start = (): Program => {
    program = startProgram({ dataFolder: data.path, ports })
    return program
  }
  try {
    const first = start()
    const apiKey = await first.up
    const channelKey = await openChannel(data.path)
    say('Up, with a channel for a line that pushes.')
    const sender = startSending({ apiUrl: first.apiUrl, apiKey, channel, channelKey, random })
    for (let killed = 0; killed < kills; killed += 1) {
      const running: Program = program ?? first
      // One in five kills hits the program while it starts. The others hit it at work.
      const isStarting = killed > 0 && random() < 0.2
      if (!isStarting) await running.up
      await pause(isStarting ? 50 + random() * 900 : 300 + random() * 2_700)
      await running.kill('SIGKILL')
      start()
      say(
        `kill -9 no. ${killed + 1}${isStarting ? ' (while starting)' : ''}; ${sender.accepted.size} events were accepted so far.`,
      )
    }
    await (program ?? first).up
    await sender.stop()
    const pool = openOutside(data.path)
    try {
      await comeToRest(pool, program ?? first)
      const vault = await openInstallationEncryption(pool, { provided: null, dataFolder: data.path })
      const reports = [await checkAccepted({ pool, vault }, sender), await checkHearings(pool), await checkEvents(pool)]
      await (program ?? first).kill('SIGTERM')
      return [...reports, checkRebuild({ LANDFALL_DATA: data.path })]
    } finally {
      await pool.end()
    }
  } finally {
    await (program as Program | null)?.kill('SIGKILL')
    await data.remove()
  }
}

/** Opens a channel as an operator does, while the program runs. */
async function openChannel(dataFolder: string): Promise<string> {
  const pool = openOutside(dataFolder)
  const { rows } = await pool.query<{ readonly name: string }>(
    'select company_name as name from accounts order by created_at limit 1',
  )
  await pool.end()
  const tool = fileURLToPath(new URL('../../src/cli/landfall.ts', import.meta.url))
  const of = ['--speaker', 'shipping_line:HLCU', '--language', 'dcsa', '--account', rows[0]?.name ?? '']
  const { status, stdout, stderr } = spawnSync(process.execPath, [tool, 'channels', 'create', channel, ...of], {
    env: { ...process.env, LANDFALL_DATA: dataFolder },
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`The channel was not opened: ${stderr}`)
  return stdout.trim()
}

async function comeToRest(pool: Pool, { stdout }: Program): Promise<void> {
  let waiting = ''
  await eventually(
    async () => {
      const { rows } = await pool.query<Record<string, number>>(
        `select (select count(*)::int from mentions where matched_at is null) as mentions,
                (select count(*)::int from joins) as joins, (select count(*)::int from tasks) as tasks,
                (select count(*)::int from events where sequence is null) as "events without a number"`,
      )
      waiting = JSON.stringify(rows[0])
      return Object.values(rows[0] ?? { nothing: 1 }).every((count) => count === 0) ? true : null
    },
    {
      withinMs: atRestWithinMs,
      everyMs: 500,
      late: () => `It does not come to rest: ${waiting}. Its log ends:\n${stdout().slice(-2_000)}`,
    },
  )
}

/** What was sent a moment ago is in its row, and in no pack. */
function bodyOf(vault: Encryption, { id, body }: StoredSnapshot): Buffer {
  if (body.kind === 'packed') throw new Error(`snapshot ${id} is packed already`)
  return decryptBody(vault, body, { table: 'snapshots', id })
}

/** Each event of a delivery that was answered with 202 must be on record, and folded into the shipment of its bill. */
async function checkAccepted(
  { pool, vault }: { readonly pool: Pool; readonly vault: Encryption },
  { accepted, repeated }: Sender,
): Promise<Report> {
  const { rows } = await pool.query<{ readonly id: string; readonly times: number; readonly heard: number }>(
    `select m.snapshot_id as id, count(distinct m.id)::int as times, count(h.mention_id)::int as heard
       from mentions m left join hearings h on h.mention_id = m.id group by 1`,
  )
  const snapshots = await getSnapshots(
    pool,
    rows.map(({ id }) => id),
  )
  const eventOf = new Map(
    snapshots.map((each) => [each.id, String(JSON.parse(bodyOf(vault, each).toString())['eventID'])]),
  )
  const kept = new Map(rows.map((row) => [eventOf.get(row.id), row]))
  const problems = [...accepted].flatMap((id) => {
    const row = kept.get(id)
    if (row === undefined) return [`event ${id} was answered with 202 and is not there`]
    if (row.times !== 1) return [`event ${id} was taken in ${row.times} times`]
    return row.heard === 1 ? [] : [`event ${id} was heard ${row.heard} times`]
  })
  const says = `${accepted.size} events were answered with 202: each is there and was heard once; ${repeated()} sendings had to be repeated.`
  return { says, problems: accepted.size === 0 ? ['nothing was sent'] : problems }
}

/** Each hearing must have exactly one entry in the ledger, and each such entry a hearing. */
async function checkHearings(pool: Pool): Promise<Report> {
  const { rows } = await pool.query<Record<'hearings' | 'entries' | 'shipments' | 'requests', number>>(
    `select (select count(*)::int from hearings) as hearings, (select count(*)::int from shipments) as shipments,
            (select count(*)::int from ledger where kind = 'heard') as entries,
            (select count(*)::int from tracking_requests where scac = 'HLCU' and number like 'SHA26%' or number like 'HLCUSHA26%') as requests`,
  )
  const { hearings = 0, entries = 0, shipments = 0, requests = 0 } = rows[0] ?? {}
  return {
    says: `${hearings} hearings are ${entries} entries of the ledger; ${requests} requests became ${shipments} shipments.`,
    problems: [
      ...(hearings === entries ? [] : [`${hearings} hearings and ${entries} entries`]),
      ...(shipments === requests ? [] : [`${requests} requests and ${shipments} shipments`]),
    ],
  }
}
