/**
 * A database server with a streaming replica, for tests that stop, delay and promote it: the program's own private
 * cluster, and a second one that `pg_basebackup` made of it.
 */

import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type pg from 'pg'
import { migrate } from '../../src/db/migrate.ts'
import { findPostgresBinaries } from '../../src/platform/postgres-binaries.ts'
import { type Cluster, startCluster } from '../../src/platform/postgres-cluster.ts'
import { openPostgresHome } from '../../src/platform/postgres-home.ts'
import { buildSpawnOptions } from '../../src/platform/postmaster.ts'
import { nameFolder } from '../../tools/test/run-of-tests.ts'
import { withConnection } from './cluster.ts'

export interface Replicated {
  readonly primaryUrl: string
  readonly replicaUrl: string
  /** Commits are shown at the replica this much later. */
  readonly delay: (seconds: number) => Promise<void>
  /** The replica replays nothing until `resume`. */
  readonly pause: () => Promise<void>
  readonly resume: () => Promise<void>
  readonly promote: () => Promise<void>
  /** Resolves when the replica that was promoted is a primary. */
  readonly becomePrimary: () => Promise<void>
  /** Makes another replica of the primary. */
  readonly addReplica: () => Promise<string>
  /** Ends the server of the replica as a crash would. */
  readonly stopReplica: () => Promise<void>
  readonly startReplica: () => Promise<void>
  /** The replica's processes are there and say nothing, until they are let go on. */
  readonly freeze: () => Promise<{ readonly goOn: () => void }>
  /** Resolves when the replica has replayed what the primary has written so far. */
  readonly caughtUp: () => Promise<void>
  readonly close: () => Promise<void>
}

/** A sentence where the programs of this machine cannot make a replica; null where they can. */
export function whyNoReplica(): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'landfall-look-'))
  try {
    const { owner, copyBinariesTo } = openPostgresHome(folder)
    const given = { pgBin: process.env['PG_BIN'] ?? null, source: 'any' as const, major: null }
    const { bin } = findPostgresBinaries({ ...given, owner, copyTo: copyBinariesTo })
    return existsSync(join(bin, 'pg_basebackup')) ? null : `there is no pg_basebackup in ${bin}`
  } catch (error) {
    return String(error)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Migrated. The primary's commits go to the replica at once, although the tests' servers do not sync. */
export async function startReplicated(): Promise<Replicated> {
  const folders: string[] = []
  const newFolder = (): string => {
    const folder = mkdtempSync(join(tmpdir(), nameFolder()))
    folders.push(folder)
    return folder
  }
  const first = newFolder()
  const options = { throwaway: true, pgBin: process.env['PG_BIN'] ?? null }
  const primary = await startCluster({ ...options, dataDir: first })
  const onPrimary = <Row extends object>(text: string): Promise<readonly Row[]> => ask(primary.url, text)
  await onPrimary(`alter role landfall set synchronous_commit = on`)
  await migrate(primary.url)
  const source = openPostgresHome(first)
  const { bin } = findPostgresBinaries({
    pgBin: options.pgBin,
    source: 'any',
    major: null,
    owner: source.owner,
    copyTo: source.copyBinariesTo,
  })
  const copy = (): string => {
    const folder = newFolder()
    const home = openPostgresHome(folder)
    const { host, port, user } = primary.connection
    const from = ['-h', host, '-p', String(port), '-U', user]
    const copied = spawnSync(
      join(bin, 'pg_basebackup'),
      [...from, '-D', home.pgData, '-R', '-X', 'stream', '-c', 'fast', '-N'],
      { ...buildSpawnOptions(home), encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
    )
    if (copied.status !== 0) throw new Error(`pg_basebackup: ${copied.stderr}`)
    return folder
  }
  const second = copy()
  const home = openPostgresHome(second)
  const more: Cluster[] = []
  let replica: Cluster
  const start = async (): Promise<void> => {
    replica = await startCluster({ ...options, dataDir: second })
  }
  await start()
  const onReplica = <Row extends object>(text: string): Promise<readonly Row[]> => ask(replica.url, text)
  return {
    primaryUrl: primary.url,
    get replicaUrl() {
      return replica.url
    },
    delay: async (seconds) => {
      await onReplica(`alter system set recovery_min_apply_delay = '${seconds}s'`)
      await onReplica('select pg_reload_conf()')
    },
    pause: async () => {
      await onReplica('select pg_wal_replay_pause()')
      await until(onReplica, `select pg_get_wal_replay_pause_state() = 'paused' as done`)
    },
    resume: async () => {
      await onReplica('select pg_wal_replay_resume()')
    },
    promote: async () => {
      await onReplica('select pg_promote()')
    },
    becomePrimary: async () => {
      await until(onReplica, `select not pg_is_in_recovery() as done`)
      // The control file has the new timeline from here on.
      await onReplica('checkpoint')
    },
    addReplica: async () => {
      const added = await startCluster({ ...options, dataDir: copy() })
      more.push(added)
      return added.url
    },
    stopReplica: () => replica.stop(),
    startReplica: start,
    freeze: async () => {
      const rows = await onReplica<{ pid: number }>('select pid from pg_stat_activity where pid <> pg_backend_pid()')
      const [postmaster] = readFileSync(join(home.pgData, 'postmaster.pid'), 'utf8').split('\n')
      const pids = [Number(postmaster), ...rows.map(({ pid }) => pid)]
      const tell = (signal: 'SIGSTOP' | 'SIGCONT'): void => {
        for (const pid of pids) {
          try {
            process.kill(pid, signal)
          } catch {
            // It has ended meanwhile.
          }
        }
      }
      tell('SIGSTOP')
      return { goOn: () => tell('SIGCONT') }
    },
    caughtUp: async () => {
      const [row] = await onPrimary<{ at: string }>('select pg_current_wal_insert_lsn()::text as at')
      await until(onReplica, `select pg_last_wal_replay_lsn() >= '${row?.at}' as done`)
    },
    close: async () => {
      for (const each of [...more, replica, primary]) await each.stop()
      for (const each of folders) {
        rmSync(dirname(openPostgresHome(each).pgData), { recursive: true, force: true })
        rmSync(each, { recursive: true, force: true })
      }
    },
  }
}

async function ask<Row extends object>(url: string, text: string): Promise<readonly Row[]> {
  return withConnection(url, async (client: pg.Client) => (await client.query<Row>(text)).rows)
}

async function until(onServer: (text: string) => Promise<readonly object[]>, question: string): Promise<void> {
  for (const end = Date.now() + 30_000; Date.now() < end; ) {
    const [row] = (await onServer(question)) as readonly { readonly done: boolean }[]
    if (row?.done === true) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error(`not within 30 s: ${question}`)
}
