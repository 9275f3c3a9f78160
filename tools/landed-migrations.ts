/**
 * The list of migrations that have landed, each with the hash of its bytes. Databases may have run them, so they are
 * never edited or deleted. `npm run schema` adds a line for each new migration and never changes an existing line.
 */

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../src/db/migrations/', import.meta.url))
const listName = 'landed.sha256'

/** Name of the file → hash of its bytes. */
export type Hashes = ReadonlyMap<string, string>

/** The lines of `sha256sum`, so that `sha256sum -c landed.sha256` checks them too. Throws at any other line. */
export function parseLanded(text: string): Hashes {
  return new Map(
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const [, hash, name] = /^([0-9a-f]{64}) {2}(\d{4}_[a-z0-9_]+\.sql)$/.exec(line) ?? []
        if (hash === undefined || name === undefined) throw new Error(`${listName} has a line that is none: ${line}`)
        return [name, hash] as const
      }),
  )
}

export function writeLanded(hashes: Hashes): string {
  return [...hashes]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, hash]) => `${hash}  ${name}\n`)
    .join('')
}

/** One sentence for each landed migration that was changed. Empty when all are unchanged. */
export function findEdited(landed: Hashes, files: Hashes): readonly string[] {
  return [...landed].flatMap(([name, hash]) => {
    const now = files.get(name)
    if (now === undefined) return [`${name} has landed and is gone: databases have run it. Put it back.`]
    if (now !== hash)
      return [`${name} has landed and was changed: databases have run it as it was. Put it back and add a new file.`]
    return []
  })
}

/** One sentence for each migration that is not in the list. */
export function findUnlisted(landed: Hashes, files: Hashes): readonly string[] {
  return [...files.keys()]
    .filter((name) => !landed.has(name))
    .map((name) => `${name} is not in ${listName}: run \`npm run schema\`.`)
}

export function readLanded(): Hashes {
  return parseLanded(readFileSync(join(folder, listName), 'utf8'))
}

export function hashMigrations(): Hashes {
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'))
  return new Map(
    names.map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex'),
    ]),
  )
}

/** Adds a line for each new migration. Throws, and writes nothing, when a landed migration was changed. */
export function listNewMigrations(): void {
  const [landed, files] = [readLanded(), hashMigrations()]
  const [edited] = findEdited(landed, files)
  if (edited !== undefined) throw new Error(edited)
  writeFileSync(join(folder, listName), writeLanded(new Map([...files, ...landed])))
}
