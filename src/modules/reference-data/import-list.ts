/**
 * Imports a published list into the reference tables. It shows what would change, and changes it in one transaction
 * when requested.
 */

import { createHash } from 'node:crypto'
import { type Db, inTransaction } from '../../db/database.ts'
import { type ImportPlan, planImport, readList } from '../../reference/import/plan.ts'
import type { ReadList, RefreshableList } from '../../reference/import/record.ts'
import { realNow, type Service } from '../service.ts'
import { readKnownList } from './known-lists.ts'
import { readOwnFirmsCodes } from './known-reference-sql.ts'
import { loadShippedReference } from './load-shipped.ts'
import { readEditionsInUse, recordEdition } from './reference-editions-sql.ts'
import { loadImports } from './reference-keeper.ts'
import { lockReference } from './reference-rows-sql.ts'

export interface ListFile {
  readonly list: RefreshableList
  readonly bytes: Uint8Array
  /** What to call the edition, and where it came from. */
  readonly edition: string
  readonly from: string
  /** True when it is not the complete list: then any size is accepted, and nothing is retired. */
  readonly isExtract: boolean
}

export interface ListImport extends ImportPlan {
  readonly edition: string
  readonly sha256: string
  readonly isApplied: boolean
}

/** Raise it when the same bytes give other records than before. */
const format = 1

const origins: Readonly<
  Record<RefreshableList, { readonly publisher: string | null; readonly licence: string | null }>
> = {
  smdg: { publisher: 'SMDG', licence: 'SMDG: commercial use needs its permission' },
  unlocode: { publisher: 'UNECE', licence: 'PDDL-1.0' },
  firms: {
    publisher: 'U.S. Customs and Border Protection',
    licence: 'public domain (work of the U.S. government)',
  },
  vessels: { publisher: null, licence: null },
}

/** Shows what an import would change, and changes nothing. Throws a `ListFault` for a file that cannot be imported. */
export async function previewImport(service: Service, file: ListFile): Promise<ListImport> {
  const read = await readFile(service, file)
  const { records: known } = await readKnownList(service.pool, file.list, read.records)
  return {
    ...planImport(file.list, { read, known, isExtract: file.isExtract }),
    ...identifyEdition(file),
    isApplied: false,
  }
}

/**
 * Imports the list, all or nothing. Of two imports at once the second waits, and compares with what the first has
 * stored. An import that changes nothing, of a file that is in use already, writes nothing; its `isApplied` is false.
 */
export async function applyImport(service: Service, file: ListFile): Promise<ListImport> {
  const read = await readFile(service, file)
  const done = await inTransaction(service.pool, async (db) => {
    await lockReference(db)
    const known = await readKnownList(db, file.list, read.records)
    const plan = planImport(file.list, { read, known: known.records, isExtract: file.isExtract })
    const { added, changed, retired } = plan.difference
    const { edition, sha256 } = identifyEdition(file)
    const isNothingNew = added.length + changed.length + retired.length === 0
    if (isNothingNew && (await isInUse(db, file.list, sha256))) return { ...plan, edition, sha256, isApplied: false }
    const of = { origin: file.list, edition }
    const at = realNow(service)
    await known.put(db, of, [...added, ...changed.map(({ key, after }) => ({ key, values: after }))])
    await known.retire(db, { ...of, keys: retired.map(({ key }) => key), at })
    await recordEdition(db, {
      ...of,
      ...origins[file.list],
      file: file.list,
      sha256,
      format,
      rows: plan.rows,
      added: added.length,
      changed: changed.length,
      retired: retired.length,
      loadedAt: at,
      loadedBy: `import from ${file.from}`,
    })
    return { ...plan, edition, sha256, isApplied: true }
  })
  // Other processes see the new edition by themselves.
  if (done.isApplied) await loadImports(service, 0)
  return done
}

/**
 * Reads the file with the places known now, including those of earlier imports: a terminal may be in a port that came
 * with one.
 */
async function readFile(service: Service, { list, bytes }: ListFile): Promise<ReadList> {
  await loadShippedReference(service)
  await loadImports(service, 0)
  return readList(list, bytes, list === 'firms' ? await readOwnFirmsCodes(service.pool) : new Set())
}

async function isInUse(db: Db, list: RefreshableList, sha256: string): Promise<boolean> {
  const inUse = await readEditionsInUse(db)
  return inUse.some((edition) => edition.origin === list && edition.file === list && edition.sha256 === sha256)
}

function identifyEdition({ edition, bytes }: ListFile): {
  readonly edition: string
  readonly sha256: string
} {
  return { edition, sha256: createHash('sha256').update(bytes).digest('hex') }
}
