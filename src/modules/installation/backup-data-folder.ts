/** What of an installation is outside its database: files of the data folder, and the files of documents. */

import { createReadStream, existsSync, readFileSync } from 'node:fs'
import { glob, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import type { Config } from '../../platform/config.ts'

/** They hold secrets, or open the installation. Everything else in the folder is made anew. */
export const secretFiles = ['secret', 'carriers.json', 'first-api-key'] as const

export function filesFolderOf({ data, documents }: Config): string {
  return documents.folder ?? join(data.folder, 'files')
}

/** The small files with secrets that are there. `secret` is the one in use, also when the environment gave it. */
export function readSecretFiles(config: Config, secret: string): readonly (readonly [string, Buffer])[] {
  return secretFiles.flatMap((name): (readonly [string, Buffer])[] => {
    if (name === 'secret') return [[name, Buffer.from(`${secret}\n`)]]
    const path = join(config.data.folder, name)
    return existsSync(path) ? [[name, readFileSync(path)]] : []
  })
}

/** Files of documents, each encrypted by the installation's secret; by their names below the folder. */
export async function* listDocumentFiles(config: Config): AsyncGenerator<string> {
  if (config.documents.storage !== 'disk') return
  const folder = filesFolderOf(config)
  if (!existsSync(folder)) return
  for await (const path of glob('[0-9a-f][0-9a-f]/[0-9a-f][0-9a-f]/*', { cwd: folder })) yield path.split(sep).join('/')
}

/** Nothing when it was deleted since it was listed. */
export async function* readDocumentFile(config: Config, name: string): AsyncGenerator<Buffer> {
  const path = join(filesFolderOf(config), name)
  if (!existsSync(path)) return
  for await (const piece of createReadStream(path)) yield piece as Buffer
}

const documentName = /^[0-9a-f]{2}\/[0-9a-f]{2}\/[0-9a-f-]{36}$/

/** True for the names that a backup may give its files: nothing else may be written. */
export function isFileOfBackup(path: string): boolean {
  const known: readonly string[] = secretFiles
  return known.includes(path) || (path.startsWith('files/') && documentName.test(path.slice('files/'.length)))
}

/** Files that are written now and named when the database is restored, so that a restore that fails leaves none. */
export interface WaitingFiles {
  readonly add: (path: string, pieces: AsyncIterable<Buffer>) => Promise<void>
  readonly commit: () => Promise<void>
  readonly drop: () => Promise<void>
}

export function openWaitingFiles(config: Config): WaitingFiles {
  const waiting = new Map<string, string>()
  return {
    add: async (path, pieces) => {
      const to = path.startsWith('files/')
        ? join(filesFolderOf(config), path.slice('files/'.length))
        : join(config.data.folder, path)
      await mkdir(dirname(to), { recursive: true, mode: 0o700 })
      const draft = `${to}.restored`
      waiting.set(draft, to)
      const file = await open(draft, 'w', 0o600)
      try {
        for await (const piece of pieces) await file.write(piece)
        await file.sync()
      } finally {
        await file.close()
      }
    },
    commit: async () => {
      for (const [draft, to] of waiting) await rename(draft, to)
      waiting.clear()
    },
    drop: async () => {
      for (const draft of waiting.keys()) await rm(draft, { force: true })
    },
  }
}
