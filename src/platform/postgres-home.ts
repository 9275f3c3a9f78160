// Where the private cluster is stored and which user runs it. PostgreSQL refuses to run as root, so a cluster started
// by root belongs to an unprivileged user; if that user cannot enter the data folder, the cluster is under
// /var/lib/landfall.
import { spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The user that PostgreSQL runs as when this process is root. */
export type Owner = { readonly uid: number; readonly gid: number }

export type PostgresHome = {
  /** Mode 0700, of the owner. Contains pgdata, the log and the list of processes that use the cluster. */
  readonly folder: string
  readonly pgData: string
  readonly socketFolder: string
  /** null when this process runs PostgreSQL as itself. */
  readonly owner: Owner | null
  readonly copyBinariesTo: string
}

const rootFolder = '/var/lib/landfall'
// sun_path holds 108 bytes with its closing NUL; PostgreSQL adds `/.s.PGSQL.<port>.lock` to the folder.
const socketFolderBytesMax = 107 - '/.s.PGSQL.65535.lock'.length

/** Makes the folders that the cluster needs. Throws an Error with a sentence for the operator when it cannot. */
export function openPostgresHome(dataDir: string): PostgresHome {
  const isRoot = process.getuid?.() === 0
  mkdirSync(dataDir, { recursive: true, mode: isRoot ? 0o711 : 0o700 })
  const data = realpathSync(dataDir)
  const pointer = join(data, 'postgres-location')
  const inside = join(data, 'postgres')
  const hash = createHash('sha256').update(data).digest('hex').slice(0, 12)
  const moved = findRelocatedHome(data, pointer)

  if (!isRoot) {
    if (moved !== null) {
      throw new Error(
        `The database of ${data} was made by root and lies in ${moved}. Start as root, or use another LANDFALL_DATA.`,
      )
    }
    makePrivateFolder(inside, null)
    return makeHome(inside, null, hash, join(data, 'postgres-binaries'))
  }

  const made = [moved, inside].find((folder) => folder !== null && existsSync(join(folder, 'pgdata'))) ?? null
  const owner = made === null ? findUnprivilegedUser() : ownerOf(join(made, 'pgdata'))
  const isOpen = canReach(data, owner)
  if (made === inside && !isOpen) {
    throw new Error(
      `The user who owns the database in ${inside} (uid ${owner.uid}) may not enter that folder. Open its parents with chmod o+x.`,
    )
  }
  const folder = made ?? (isOpen ? inside : chooseHomeFolder(hash))
  makePrivateFolder(folder, owner)
  if (folder !== inside) {
    writeFileSync(pointer, `${folder}\n`)
    writeFileSync(join(folder, 'data-folder'), `${data}\n`)
  }
  return makeHome(folder, owner, hash, join(rootFolder, 'binaries'))
}

/** The folder of this data folder's cluster, or null when it has none. Makes no folder. */
export function findPostgresData(dataDir: string): string | null {
  if (!existsSync(dataDir)) return null
  const data = realpathSync(dataDir)
  const moved = findRelocatedHome(data, join(data, 'postgres-location'))
  const places = [moved, join(data, 'postgres')].flatMap((folder) => (folder === null ? [] : [join(folder, 'pgdata')]))
  return places.find((place) => existsSync(join(place, 'PG_VERSION'))) ?? null
}

// Reads from the data folder where the cluster is. A copy of a data folder is recognised and gets null, because two
// copies must not share a cluster.
function findRelocatedHome(data: string, pointer: string): string | null {
  const folder = readLine(pointer)
  const owned = folder === null ? null : readLine(join(folder, 'data-folder'))
  const isCopy = owned !== null && owned !== data && readLine(join(owned, 'postgres-location')) === folder
  return isCopy ? null : folder
}

// A data folder that was deleted and made again gets a new cluster. The old cluster stays where it is.
function chooseHomeFolder(hash: string): string {
  mkdirSync(rootFolder, { recursive: true, mode: 0o755 })
  const place = join(rootFolder, hash)
  return existsSync(join(place, 'pgdata')) ? `${place}-${randomBytes(3).toString('hex')}` : place
}

function readLine(path: string): string | null {
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : null
}

/**
 * True when the user can enter the folder and all its parents. A shell tries it, because file modes do not show ACLs.
 */
export function canReach(folder: string, owner: Owner): boolean {
  const tried = spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], {
    cwd: '/',
    uid: owner.uid,
    gid: owner.gid,
    stdio: 'ignore',
  })
  return tried.status === 0
}

function makeHome(folder: string, owner: Owner | null, hash: string, copyBinariesTo: string): PostgresHome {
  const near = join(folder, 'socket')
  const far = join(realpathSync(tmpdir()), `landfall-${hash}`)
  const isNearShort = Buffer.byteLength(near) <= socketFolderBytesMax
  const isFarUsable = Buffer.byteLength(far) <= socketFolderBytesMax && (owner === null || canReach(tmpdir(), owner))
  const socketFolder = isNearShort ? near : isFarUsable ? far : `/tmp/landfall-${hash}`
  makePrivateFolder(socketFolder, owner)
  return { folder, pgData: join(folder, 'pgdata'), socketFolder, owner, copyBinariesTo }
}

// Where everybody may write (/tmp) another user could have made the folder before us. Such a folder is refused.
function makePrivateFolder(folder: string, owner: Owner | null): void {
  const isNew = mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined
  if (isNew && owner !== null) chownSync(folder, owner.uid, owner.gid)
  const { uid } = lstatSync(folder)
  const expected = owner?.uid ?? process.getuid?.()
  if (!lstatSync(folder).isDirectory() || (expected !== undefined && uid !== expected)) {
    throw new Error(`${folder} belongs to another user (uid ${uid}), so the database cannot be kept there.`)
  }
  chmodSync(folder, 0o700)
}

function ownerOf(path: string): Owner {
  const { uid, gid } = statSync(path)
  return { uid, gid }
}

function findUnprivilegedUser(): Owner {
  for (const name of ['postgres', 'nobody']) {
    const uid = lookUpId('-u', name)
    const gid = lookUpId('-g', name)
    if (uid !== null && gid !== null && uid !== 0) return { uid, gid }
  }
  throw new Error(
    'PostgreSQL does not run as root, and this machine has neither a user postgres nor a user nobody. Start as a normal user.',
  )
}

function lookUpId(flag: '-u' | '-g', name: string): number | null {
  const result = spawnSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  return result.status === 0 ? Number(result.stdout.trim()) : null
}
