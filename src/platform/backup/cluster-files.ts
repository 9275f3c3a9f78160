/**
 * The files of a private cluster in a base backup. They are read while the server writes them: what is torn or half old
 * is made right when the log is replayed. Left out is what PostgreSQL makes anew, as in `pg_basebackup`.
 */

import { createReadStream } from 'node:fs'
import { chmod, chown, mkdir, open, readdir, readFile } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { isErrorCode } from '../error-code.ts'
import type { Owner } from '../postgres-home.ts'
import { BackupFault } from './backup-fault.ts'

const emptied = [
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
  'pg_wal',
]
const excludedNames =
  /^(postmaster\.(pid|opts)|backup_label(\.old)?|tablespace_map|backup_manifest|(recovery|standby)\.signal|pg_internal\.init.*|pgsql_tmp.*)$/
/** Copied last: it records the state of the files. */
const control = 'global/pg_control'

export interface ClusterFiles {
  readonly folders: readonly string[]
  readonly files: readonly string[]
}

export async function listClusterFiles(pgData: string): Promise<ClusterFiles> {
  if ((await readdir(join(pgData, 'pg_tblspc'))).length > 0)
    throw new BackupFault('The private database has tablespaces. A base backup does not support them.')
  const folders: string[] = []
  const files: string[] = []
  const walk = async (path: string): Promise<void> => {
    const entries = await readdir(join(pgData, path), { withFileTypes: true })
    for (const entry of entries) {
      const name = path === '' ? entry.name : `${path}/${entry.name}`
      if (excludedNames.test(entry.name)) continue
      if (entry.isDirectory()) {
        folders.push(name)
        if (!emptied.includes(name)) await walk(name)
      } else if (entry.isFile() && name !== control) files.push(name)
    }
  }
  await walk('')
  return { folders: [...folders, 'pg_wal/archive_status'], files: [...files, control] }
}

/** Null when it is gone since it was listed, as the file of a dropped table is. */
export async function readClusterFile(pgData: string, name: string): Promise<AsyncIterable<Buffer> | null> {
  const path = join(pgData, name)
  if (name === control) {
    const bytes = await readFile(path)
    return (async function* () {
      yield bytes
    })()
  }
  try {
    const file = await open(path)
    return createReadStream(path, { fd: file }) as AsyncIterable<Buffer>
  } catch (error) {
    if (isErrorCode(error, 'ENOENT')) return null
    throw error
  }
}

/** Writes the cluster anew into a folder that is not there yet. */
export function openClusterWriter(
  to: string,
  owner: Owner | null,
): {
  readonly makeFolders: (folders: readonly string[]) => Promise<void>
  readonly write: (name: string, pieces: AsyncIterable<Buffer>) => Promise<void>
} {
  const setOwner = async (path: string, mode: number): Promise<void> => {
    await chmod(path, mode)
    if (owner !== null) await chown(path, owner.uid, owner.gid)
  }
  const inside = (name: string): string => {
    const path = join(to, name)
    if (!path.startsWith(to + sep)) throw new BackupFault('The base backup has a file outside its folder.')
    return path
  }
  return {
    makeFolders: async (folders) => {
      await mkdir(to, { mode: 0o700 })
      await setOwner(to, 0o700)
      for (const name of folders.toSorted()) {
        await mkdir(inside(name), { recursive: true, mode: 0o700 })
        await setOwner(inside(name), 0o700)
      }
    },
    write: async (name, pieces) => {
      const path = inside(name)
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      const file = await open(path, 'w', 0o600)
      try {
        for await (const piece of pieces) await file.writeFile(piece)
        await file.sync()
      } finally {
        await file.close()
      }
      await setOwner(path, 0o600)
    },
  }
}
