/**
 * Restores the private cluster to a moment: the newest base before it, and the log replayed up to it. The copy starts
 * paused. What was there is moved aside and comes back when the restore fails.
 */

import { appendFileSync, chownSync, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BackupFault } from '../../../platform/backup/backup-fault.ts'
import { openBackupFile } from '../../../platform/backup/backup-file.ts'
import { openClusterWriter } from '../../../platform/backup/cluster-files.ts'
import type { Config } from '../../../platform/config.ts'
import { startCluster } from '../../../platform/postgres-cluster.ts'
import { findPostgresData, openPostgresHome, type PostgresHome } from '../../../platform/postgres-home.ts'
import { findPostmaster } from '../../../platform/postmaster.ts'
import {
  type Base,
  basesFolder,
  listBases,
  openWalArchive,
  ownWal,
  restoreCommand,
} from '../../../platform/wal-archive.ts'
import { openPool } from '../../../store/database.ts'
import { endReplay } from '../../../store/ground/base-backup.ts'
import { writeSetting } from '../../../store/people/accounts.ts'
import { type Pause, pauseSetting } from '../pause/pause.ts'
import { type Progress, watched } from './contents.ts'

/** A replay of much log takes as long as it takes. */
const replayMsMax = 86_400_000

/** `at`: null for the end of the log. Throws a `BackupFault` with a sentence for the operator. */
export async function restoreBase(
  config: Config,
  options: {
    readonly archive: string
    readonly at: Date | null
    readonly replaces: boolean
    readonly now: Date
    readonly say: (sentence: string) => void
    readonly progress: (progress: Progress) => void
  },
): Promise<Base> {
  const { archive, at, now } = options
  if (config.data.databaseUrl !== null)
    throw new BackupFault(
      'DATABASE_URL names a server of yours; docs/backup.md says how it is restored to a moment.',
    )
  const base = chooseBase(archive, at)
  const path = join(basesFolder(archive), base.file)
  await checkBase(path)
  const found = findPostgresData(config.data.folder)
  if (found !== null && !options.replaces)
    throw new BackupFault('There is a database in the data folder. With --force it is moved aside.')
  const home = openPostgresHome(config.data.folder)
  if (findPostmaster(home) !== null)
    throw new BackupFault('The database is in use. Stop every Landfall that uses it first.')
  openWalArchive(archive, home)
  ownWal(archive, home)
  const making = join(home.folder, 'pgdata.restoring')
  rmSync(making, { recursive: true, force: true })
  await putFiles(path, { making, home, progress: options.progress })
  prepareReplay(making, home, { archive, at })
  const aside = found === null ? null : `${home.pgData}.replaced-${now.toISOString().replaceAll(':', '-')}`
  if (aside !== null) renameSync(home.pgData, aside)
  renameSync(making, home.pgData)
  try {
    await replay(config, options, base)
  } catch (error) {
    if (findPostmaster(home) === null) {
      rmSync(home.pgData, { recursive: true, force: true })
      if (aside !== null) renameSync(aside, home.pgData)
    }
    throw error
  }
  if (aside !== null)
    options.say(`The database that was there is in ${aside}. Remove it when nobody needs it.`)
  return base
}

function chooseBase(archive: string, at: Date | null): Base {
  const bases = listBases(archive)
  const [first] = bases
  if (first === undefined)
    throw new BackupFault(`${archive} has no base. \`landfall backup base\` makes one.`)
  const base = bases.findLast(({ endedAt }) => at === null || Date.parse(endedAt) <= at.getTime())
  if (base !== undefined) return base
  throw new BackupFault(`The first base was ready at ${first.endedAt}; nothing before that can be restored.`)
}

/** Reads all of it, so that a damaged base is found before anything is written. */
async function checkBase(path: string): Promise<void> {
  const { entries } = await openBackupFile(path, null)
  let last: unknown = null
  for await (const { about, pieces } of entries()) {
    last = about
    for await (const _ of pieces);
  }
  if ((last as { kind?: unknown } | null)?.kind !== 'end') throw new BackupFault('The base is not whole.')
}

async function putFiles(
  path: string,
  to: {
    readonly making: string
    readonly home: PostgresHome
    readonly progress: (progress: Progress) => void
  },
): Promise<void> {
  const { entries } = await openBackupFile(path, null)
  const writer = openClusterWriter(to.making, to.home.owner)
  let [bytes, share] = [0, 0]
  const onRead = (read: number): void => {
    share = read
  }
  for await (const { about, pieces } of entries(onRead)) {
    const entry = about as { kind: string; path?: string; folders?: readonly string[] }
    const name = entry.path ?? entry.kind
    const told = watched(pieces, (count) => {
      bytes += count
      to.progress({ name, bytes, share })
    })
    if (entry.path !== undefined) await writer.write(entry.path, told)
    else {
      for await (const _ of told);
      if (entry.folders !== undefined) await writer.makeFolders(entry.folders)
    }
  }
}

function prepareReplay(
  pgData: string,
  { owner }: PostgresHome,
  { archive, at }: { readonly archive: string; readonly at: Date | null },
): void {
  const lines = {
    restore_command: restoreCommand(archive),
    // It takes connections only when all of the log is replayed.
    hot_standby: 'off',
    recovery_target_timeline: 'latest',
    recovery_target_action: 'promote',
    ...(at === null ? {} : { recovery_target_time: at.toISOString().replace('T', ' ').replace('Z', '+00') }),
  }
  const text = Object.entries(lines).map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`)
  appendFileSync(join(pgData, 'postgresql.auto.conf'), text.join(''))
  const signal = join(pgData, 'recovery.signal')
  writeFileSync(signal, '', { mode: 0o600 })
  if (owner !== null && existsSync(signal)) chownSync(signal, owner.uid, owner.gid)
}

async function replay(
  config: Config,
  { now, at, say }: Parameters<typeof restoreBase>[1],
  base: Base,
): Promise<void> {
  const { folder, pgPort, pgBin, pgSource } = config.data
  say('Replaying the log …')
  const cluster = await startCluster({
    dataDir: folder,
    port: pgPort,
    pgBin,
    source: pgSource,
    walArchive: config.backup.walArchive,
    readyWithinMs: replayMsMax,
    log: say,
  })
  try {
    const pool = openPool({ connection: cluster.url, connectionsMax: 1 })
    const pause: Pause = {
      because: 'restored',
      since: now.toISOString(),
      backupAt: (at ?? new Date(base.endedAt)).toISOString(),
    }
    await writeSetting(pool, pauseSetting, pause).finally(() => pool.end())
    await endReplay(cluster.url)
  } finally {
    await cluster.stop()
  }
}
