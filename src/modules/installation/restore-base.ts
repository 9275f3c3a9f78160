/**
 * Restores the private cluster to a moment: the newest base before it, and the log replayed up to it. The copy starts
 * paused. What was there is moved aside and comes back when the restore fails.
 */

import { appendFileSync, chownSync, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { resetReplaySettings } from '../../db/backup/base-backup.ts'
import { openPool } from '../../db/database.ts'
import { writeSetting } from '../../db/settings.ts'
import { type Pause, pauseSetting } from '../../pipeline/jobs/pause.ts'
import { BackupFault } from '../../platform/backup/backup-fault.ts'
import { openBackupFile } from '../../platform/backup/backup-file.ts'
import { openClusterWriter } from '../../platform/backup/cluster-files.ts'
import type { Config } from '../../platform/config.ts'
import { startCluster } from '../../platform/postgres-cluster.ts'
import { findPostgresData, openPostgresHome, type PostgresHome } from '../../platform/postgres-home.ts'
import { findPostmaster } from '../../platform/postmaster.ts'
import {
  type BaseBackup,
  basesFolder,
  chownWal,
  listBases,
  openWalArchive,
  restoreCommand,
} from '../../platform/wal-archive.ts'
import { countBytes, type Progress } from './backup-contents.ts'

/** The replay of a long log may take very long. */
const replayMsMax = 86_400_000

/** `at`: null for the end of the log. Throws a `BackupFault` with a sentence for the operator. */
export async function restoreBase(
  config: Config,
  options: {
    readonly archive: string
    readonly at: Date | null
    readonly replaces: boolean
    readonly now: Date
    readonly print: (sentence: string) => void
    readonly progress: (progress: Progress) => void
  },
): Promise<BaseBackup> {
  const { archive, at, now } = options
  if (config.data.databaseUrl !== null)
    throw new BackupFault(
      'DATABASE_URL names your own server; docs/backup.md says how to restore it to a point in time.',
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
  chownWal(archive, home)
  const stagingFolder = join(home.folder, 'pgdata.restoring')
  rmSync(stagingFolder, { recursive: true, force: true })
  await putFiles(path, { stagingFolder, home, progress: options.progress })
  prepareReplay(stagingFolder, home, { archive, at })
  const replacedFolder = found === null ? null : `${home.pgData}.replaced-${now.toISOString().replaceAll(':', '-')}`
  if (replacedFolder !== null) renameSync(home.pgData, replacedFolder)
  renameSync(stagingFolder, home.pgData)
  try {
    await replayLog(config, options, base)
  } catch (error) {
    if (findPostmaster(home) === null) {
      rmSync(home.pgData, { recursive: true, force: true })
      if (replacedFolder !== null) renameSync(replacedFolder, home.pgData)
    }
    throw error
  }
  if (replacedFolder !== null)
    options.print(`The database that was there is in ${replacedFolder}. Remove it when nobody needs it.`)
  return base
}

function chooseBase(archive: string, at: Date | null): BaseBackup {
  const bases = listBases(archive)
  const [first] = bases
  if (first === undefined) throw new BackupFault(`${archive} has no base. \`landfall backup base\` makes one.`)
  const base = bases.findLast(({ endedAt }) => at === null || Date.parse(endedAt) <= at.getTime())
  if (base !== undefined) return base
  throw new BackupFault(`The first base backup was ready at ${first.endedAt}; no earlier time can be restored.`)
}

/** Reads all of it, so that a damaged base is found before anything is written. */
async function checkBase(path: string): Promise<void> {
  const { entries } = await openBackupFile(path, null)
  let last: unknown = null
  for await (const { about, pieces } of entries()) {
    last = about
    for await (const _ of pieces);
  }
  if ((last as { kind?: unknown } | null)?.kind !== 'end') throw new BackupFault('The base backup is not complete.')
}

async function putFiles(
  path: string,
  to: {
    readonly stagingFolder: string
    readonly home: PostgresHome
    readonly progress: (progress: Progress) => void
  },
): Promise<void> {
  const { entries } = await openBackupFile(path, null)
  const writer = openClusterWriter(to.stagingFolder, to.home.owner)
  let [bytes, share] = [0, 0]
  const onRead = (read: number): void => {
    share = read
  }
  for await (const { about, pieces } of entries(onRead)) {
    const entry = about as { kind: string; path?: string; folders?: readonly string[] }
    const name = entry.path ?? entry.kind
    const countedPieces = countBytes(pieces, (count) => {
      bytes += count
      to.progress({ name, bytes, share })
    })
    if (entry.path !== undefined) await writer.write(entry.path, countedPieces)
    else {
      for await (const _ of countedPieces);
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
    // It accepts connections only when the complete log is replayed.
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

async function replayLog(
  config: Config,
  { now, at, print }: Parameters<typeof restoreBase>[1],
  base: BaseBackup,
): Promise<void> {
  const { folder, pgPort, pgBin, pgSource } = config.data
  print('Replaying the log …')
  const cluster = await startCluster({
    dataDir: folder,
    port: pgPort,
    pgBin,
    source: pgSource,
    walArchive: config.backup.walArchive,
    readyWithinMs: replayMsMax,
    log: print,
  })
  try {
    const pool = openPool({ connection: cluster.url, connectionsMax: 1 })
    const pause: Pause = {
      because: 'restored',
      since: now.toISOString(),
      backupAt: (at ?? new Date(base.endedAt)).toISOString(),
    }
    await writeSetting(pool, pauseSetting, pause).finally(() => pool.end())
    await resetReplaySettings(cluster.url)
  } finally {
    await cluster.stop()
  }
}
