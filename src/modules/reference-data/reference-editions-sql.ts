/** Which reference files are loaded. Also retires rows that a file no longer has. */

import type { Db } from '../../db/database.ts'
import type { ReferenceOrigin } from './reference-rows-sql.ts'

export interface ReferenceEdition extends ReferenceOrigin {
  readonly file: string
  readonly sha256: string
  /** The format version of the program that read the file. */
  readonly format: number
  readonly rows: number
  readonly added: number
  readonly changed: number
  readonly retired: number
  readonly publisher: string | null
  readonly licence: string | null
  readonly loadedAt: string
  /** `landfall` for files that are shipped with the program; else who imported the file and from where. */
  readonly loadedBy: string
}

/** Every process sees the new number within half a minute and loads what was imported. */
export async function recordEdition(db: Db, edition: ReferenceEdition): Promise<void> {
  await db.query({
    name: 'reference_edition_record',
    text: `insert into reference_editions (origin, file, edition, sha256, format, rows, added, changed, retired,
                  publisher, licence, loaded_at, loaded_by)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    values: [
      edition.origin,
      edition.file,
      edition.edition,
      edition.sha256,
      edition.format,
      edition.rows,
      edition.added,
      edition.changed,
      edition.retired,
      edition.publisher,
      edition.licence,
      edition.loadedAt,
      edition.loadedBy,
    ],
  })
}

export interface EditionInUse extends ReferenceEdition {
  readonly number: number
}

/** The newest edition of each file. */
export async function readEditionsInUse(db: Db): Promise<readonly EditionInUse[]> {
  const { rows } = await db.query<EditionInUse>({
    name: 'reference_editions_in_use',
    text: `select distinct on (origin, file) number, origin, file, edition, sha256, format, rows, added, changed,
                  retired, publisher, licence, loaded_at as "loadedAt", loaded_by as "loadedBy"
             from reference_editions
            order by origin, file, number desc`,
  })
  return rows
}

/** 0 before anything is loaded. */
export async function readNewestEdition(db: Db): Promise<number> {
  const { rows } = await db.query<{ number: number }>({
    name: 'reference_edition_newest',
    text: `select coalesce(max(number), 0) as number from reference_editions`,
  })
  return rows[0]?.number ?? 0
}

interface Retirement extends ReferenceOrigin {
  readonly ids: readonly string[]
  readonly at: string
}

/** Retires the places with these ids. A place that is retired already keeps its day. Returns how many. */
export async function retirePlaces(db: Db, of: Retirement): Promise<number> {
  const { rowCount } = await db.query({
    name: 'places_retire',
    text: `update places set retired_at = $2, origin = $3, edition = $4
            where id = any($1::uuid[]) and retired_at is null and ($3 <> 'shipped' or origin = 'shipped')`,
    values: [of.ids, of.at, of.origin, of.edition],
  })
  return rowCount ?? 0
}

export async function retireTerminals(db: Db, of: Retirement): Promise<number> {
  const { rowCount } = await db.query({
    name: 'terminals_retire',
    text: `update terminals set retired_at = $2, origin = $3, edition = $4
            where id = any($1::uuid[]) and retired_at is null and ($3 <> 'shipped' or origin = 'shipped')`,
    values: [of.ids, of.at, of.origin, of.edition],
  })
  return rowCount ?? 0
}

export async function retireVessels(db: Db, of: Retirement): Promise<number> {
  const { rowCount } = await db.query({
    name: 'vessels_retire',
    text: `update vessels set retired_at = $2, origin = $3, edition = $4
            where id = any($1::uuid[]) and retired_at is null and ($3 <> 'shipped' or origin = 'shipped')`,
    values: [of.ids, of.at, of.origin, of.edition],
  })
  return rowCount ?? 0
}

/**
 * All ids of one table that came from our own files and that are not retired. The caller finds out which are gone: an
 * anti-join with 116,000 ids was planned as a nested loop while the table had no statistics yet, and exceeded its 30 s.
 */
export async function listShippedIds(db: Db, table: 'places' | 'terminals' | 'vessels'): Promise<readonly string[]> {
  const { rows } = await db.query<{ id: string }>({
    name: 'reference_shipped_ids',
    text: `select id from places where $1 = 'places' and origin = 'shipped' and retired_at is null
           union all
           select id from terminals where $1 = 'terminals' and origin = 'shipped' and retired_at is null
           union all
           select id from vessels where $1 = 'vessels' and origin = 'shipped' and retired_at is null`,
    values: [table],
  })
  return rows.map(({ id }) => id)
}

/** Retires aliases that our own file no longer has. Returns how many. */
export async function retireUnlistedAliases(
  db: Db,
  of: { readonly aliases: readonly string[]; readonly at: string },
): Promise<number> {
  const { rowCount } = await db.query({
    name: 'place_aliases_retire_unlisted',
    text: `update place_aliases set retired_at = $2
            where origin = 'shipped' and retired_at is null and not (alias = any($1))`,
    values: [of.aliases, of.at],
  })
  return rowCount ?? 0
}
