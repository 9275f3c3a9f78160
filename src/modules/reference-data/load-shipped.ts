/**
 * Updates the reference tables to what this version ships. Nothing is done when the files are the same as those loaded
 * last. Rows that a newer file lacks are retired. What the operator imported is not changed.
 */

import { createHash } from 'node:crypto'
import { type Db, inTransaction } from '../../db/database.ts'
import { type ShippedEdition, shippedEditions } from '../../reference/editions.ts'
import { findTerminalZone, type ListedPlace, listedPlaces } from '../../reference/places.ts'
import { allPortOverrides } from '../../reference/port-overrides.ts'
import { type ListedTerminal, listedTerminals } from '../../reference/terminals.ts'
import { listedVessels } from '../../reference/vessels.ts'
import { realNow, type Service } from '../service.ts'
import {
  listShippedIds,
  readEditionsInUse,
  recordEdition,
  retirePlaces,
  retireTerminals,
  retireUnlistedAliases,
  retireVessels,
} from './reference-editions-sql.ts'
import {
  lockReference,
  type PlaceRow,
  type PutCount,
  putAliases,
  putPlaces,
  putTerminals,
  putVessels,
  type TerminalRow,
} from './reference-rows-sql.ts'

/** Raise it when the same files give other rows than before. */
const format = 1

/** What is loaded together: each table of the database and the files that it is made from. */
const tables = {
  places: ['locations.tsv.gz', 'port-overrides.tsv'],
  terminals: ['terminals.tsv', 'rail-terminals.tsv', 'firms.tsv.gz', 'subdivisions.tsv'],
  vessels: ['vessels.tsv.gz'],
} as const
type Table = keyof typeof tables

interface LoadCounts extends PutCount {
  readonly rows: number
  readonly retired: number
}

/**
 * Of two processes at once, one loads; the other waits and finds the work done. Returns how many rows were added,
 * changed or retired. When aborted, it leaves everything as it was and throws.
 */
export async function loadShippedReference(service: Service, signal?: AbortSignal): Promise<number> {
  if ((await outdatedTables(service.pool)).length === 0) return 0
  return inTransaction(service.pool, async (db) => {
    await lockReference(db)
    const at = realNow(service)
    let moved = 0
    for (const table of await outdatedTables(db)) {
      const { edition, sha256, ...source } = combineEditionsOfTable(table)
      const loaded = await loaders[table](db, { edition, at, signal })
      const noted = { ...source, edition, sha256, format, ...loaded, loadedAt: at, loadedBy: 'landfall' }
      await recordEdition(db, { origin: 'shipped', ...noted })
      moved += loaded.added + loaded.changed + loaded.retired
    }
    return moved
  })
}

/** True once this version's reference data is in the database. */
export async function isReferenceLoaded(db: Db): Promise<boolean> {
  return (await outdatedTables(db)).length === 0
}

async function outdatedTables(db: Db): Promise<readonly Table[]> {
  const inUse = new Map(
    (await readEditionsInUse(db))
      .filter(({ origin }) => origin === 'shipped')
      .map((edition) => [edition.file, `${edition.sha256} ${edition.format}`]),
  )
  return (Object.keys(tables) as Table[]).filter((table) => {
    const { file, sha256 } = combineEditionsOfTable(table)
    return inUse.get(file) !== `${sha256} ${format}`
  })
}

/** The files of a table as one source: a change of any of them is a new edition. */
function combineEditionsOfTable(
  table: Table,
): Pick<ShippedEdition, 'file' | 'edition' | 'sha256' | 'publisher' | 'licence'> {
  const files = tables[table].flatMap((name) => shippedEditions().filter(({ file }) => file === name))
  const hash = createHash('sha256')
  for (const { sha256 } of files) hash.update(sha256)
  const all = (name: 'edition' | 'publisher' | 'licence') => [...new Set(files.map((each) => each[name]))]
  return {
    file: table,
    edition: all('edition').join('; '),
    sha256: hash.digest('hex'),
    publisher: all('publisher').join('; '),
    licence: all('licence').join('; '),
  }
}

interface TableLoadOptions {
  readonly edition: string
  readonly at: string
  readonly signal: AbortSignal | undefined
}
type TableLoader = (db: Db, loading: TableLoadOptions) => Promise<LoadCounts>

const loaders: Readonly<Record<Table, TableLoader>> = {
  places: async (db, { edition, at, signal }) => {
    const of = { origin: 'shipped', edition } as const
    const ids = new Set<string>()
    const put = await putPlaces(db, of, generateRows(listedPlaces(), placeRow, { ids, signal }))
    const removedIds = await findRemovedIds(db, 'places', { ids, put })
    await loadAliases(db, of, at)
    return { ...put, rows: ids.size, retired: await retirePlaces(db, { ...of, ids: removedIds, at }) }
  },
  terminals: async (db, { edition, at, signal }) => {
    const of = { origin: 'shipped', edition } as const
    const ids = new Set<string>()
    const put = await putTerminals(db, of, generateRows(listedTerminals(), terminalRow, { ids, signal }))
    const removedIds = await findRemovedIds(db, 'terminals', { ids, put })
    return { ...put, rows: ids.size, retired: await retireTerminals(db, { ...of, ids: removedIds, at }) }
  },
  vessels: async (db, { edition, at, signal }) => {
    const of = { origin: 'shipped', edition } as const
    const ids = new Set<string>()
    const put = await putVessels(
      db,
      of,
      generateRows(listedVessels(), (vessel) => ({ ...vessel, mmsi: null }), { ids, signal }),
    )
    const removedIds = await findRemovedIds(db, 'vessels', { ids, put })
    return { ...put, rows: ids.size, retired: await retireVessels(db, { ...of, ids: removedIds, at }) }
  },
}

/**
 * Yields row by row, because all 116,000 places at once take a quarter of a gigabyte. Adds the id of each row to `ids`.
 */
function* generateRows<Item, Row extends { readonly id: string }>(
  listed: Iterable<Item>,
  rowOf: (each: Item) => Row,
  { ids, signal }: { readonly ids: Set<string>; readonly signal: AbortSignal | undefined },
): Generator<Row> {
  for (const each of listed) {
    signal?.throwIfAborted()
    const row = rowOf(each)
    ids.add(row.id)
    yield row
  }
}

/** Ids of rows that earlier files had and these do not; empty when all rows are new. */
async function findRemovedIds(
  db: Db,
  table: Table,
  { ids, put }: { readonly ids: ReadonlySet<string>; readonly put: PutCount },
): Promise<readonly string[]> {
  if (put.added === ids.size) return []
  return (await listShippedIds(db, table)).filter((id) => !ids.has(id))
}

async function loadAliases(
  db: Db,
  of: { readonly origin: 'shipped'; readonly edition: string },
  at: string,
): Promise<void> {
  const aliases = allPortOverrides()
    .filter(({ unlocode, canonicalUnlocode }) => unlocode !== canonicalUnlocode)
    .map(({ unlocode, canonicalUnlocode, displayName }) => ({
      alias: unlocode,
      unlocode: canonicalUnlocode,
      name: displayName,
    }))
  await putAliases(db, of, aliases)
  await retireUnlistedAliases(db, { aliases: aliases.map(({ alias }) => alias), at })
}

function placeRow({ place, names, coordinateSource, coordinateDoubt }: ListedPlace): PlaceRow {
  return { ...place, names, coordinateSource, coordinateDoubt }
}

function terminalRow({ terminal, formerFirmsCode, isCustomsFacility }: ListedTerminal): TerminalRow {
  return { ...terminal, formerFirmsCode, isCustomsFacility, timeZone: findTerminalZone(terminal) }
}
