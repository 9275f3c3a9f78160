// The folder to which a private cluster copies its log (WAL), and the base backups from which the log is replayed:
// `wal/` has the segments, `bases/` the bases, each with a JSON file that is written when the base is complete.
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { canReach, type PostgresHome } from './postgres-home.ts'

export interface BaseBackup {
  readonly file: string
  readonly startedAt: string
  /** Only moments after this can be restored from it. */
  readonly endedAt: string
  /** The first segment that it needs. */
  readonly startWal: string
  readonly postgres: string
}

/** At least so often a segment is copied, so at most so much is lost with the machine. */
const segmentSeconds = 60

/** Makes the folders for the cluster's user. Throws an Error with a sentence when that user cannot come there. */
export function openWalArchive(folder: string, home: PostgresHome): void {
  for (const subfolder of ['', 'wal', 'bases']) {
    const path = join(folder, subfolder)
    const isNew = mkdirSync(path, { recursive: true, mode: subfolder === 'wal' ? 0o700 : 0o711 }) !== undefined
    if (subfolder !== 'wal') continue
    if (isNew) chmodSync(path, 0o700)
    if (home.owner !== null) chownSync(path, home.owner.uid, home.owner.gid)
  }
  const wal = join(folder, 'wal')
  if (home.owner !== null && !canReach(wal, home.owner))
    throw new Error(
      `The user who runs the database (uid ${home.owner.uid}) may not enter ${wal}. Open its parents with chmod o+x, or set LANDFALL_WAL_ARCHIVE to another folder.`,
    )
}

/** Gives the segments to the cluster's user, who reads them when they are replayed. A copy may belong to another. */
export function chownWal(folder: string, { owner }: PostgresHome): void {
  if (owner === null) return
  const wal = join(folder, 'wal')
  for (const name of readdirSync(wal)) chownSync(join(wal, name), owner.uid, owner.gid)
}

/** How PostgreSQL copies a segment: under another name, forced to disk, then renamed; another one is never replaced. */
export function archivingSettings(folder: string): Readonly<Record<string, string>> {
  const to = quoteForShell(join(resolve(folder), 'wal'))
  return {
    archive_mode: 'on',
    archive_timeout: String(segmentSeconds),
    archive_command:
      `cp "%p" ${to}/"%f.part" && sync ${to}/"%f.part" && ` +
      `{ test ! -e ${to}/"%f" || cmp -s ${to}/"%f" ${to}/"%f.part"; } && mv -f ${to}/"%f.part" ${to}/"%f"`,
  }
}

export function restoreCommand(folder: string): string {
  return `cp ${quoteForShell(join(resolve(folder), 'wal'))}/"%f" "%p"`
}

/** For a shell, within a setting in which a percent sign begins a placeholder. */
function quoteForShell(path: string): string {
  return `'${path.replaceAll("'", `'\\''`).replaceAll('%', '%%')}'`
}

export function basesFolder(folder: string): string {
  return join(folder, 'bases')
}

/** The complete ones, the oldest first. */
export function listBases(folder: string): readonly BaseBackup[] {
  const bases = basesFolder(folder)
  if (!existsSync(bases)) return []
  return readdirSync(bases)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(join(bases, name), 'utf8')) as BaseBackup)
    .filter(({ file }) => existsSync(join(bases, file)))
    .toSorted((a, b) => a.endedAt.localeCompare(b.endedAt))
}

export function noteBase(folder: string, base: BaseBackup): void {
  writeFileSync(join(basesFolder(folder), `${base.file}.json`), `${JSON.stringify(base)}\n`, { mode: 0o600 })
}

/** Removes all but the newest bases, and the segments that none of these needs. Returns how many of each. */
export function dropOldBases(folder: string, retained: number): { readonly bases: number; readonly segments: number } {
  const all = listBases(folder)
  const old = all.slice(0, Math.max(0, all.length - retained))
  for (const { file } of old)
    for (const name of [`${file}.json`, file]) rmSync(join(basesFolder(folder), name), { force: true })
  const oldest = all.at(old.length)
  if (old.length === 0 || oldest === undefined) return { bases: 0, segments: 0 }
  // The first eight digits are the timeline; a later one needs earlier segments too.
  const isOld = (name: string): boolean =>
    /^[0-9A-F]{24}/.test(name) && name.slice(8, 24) < oldest.startWal.slice(8, 24)
  const segments = readdirSync(join(folder, 'wal')).filter(isOld)
  for (const name of segments) rmSync(join(folder, 'wal', name))
  return { bases: old.length, segments: segments.length }
}
