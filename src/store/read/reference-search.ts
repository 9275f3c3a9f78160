/** Ports, metro areas, terminals and ships by what a person types: an exact code, the beginning of a name, words of it. */

import type { Place } from '../../reference/places.ts'
import { plainName } from '../../reference/plain-name.ts'
import type { Terminal } from '../../reference/terminal.ts'
import type { Db } from '../database.ts'
import {
  type PlaceJson,
  placeJson,
  readPlaceJson,
  readTerminalJson,
  type TerminalJson,
  terminalJson,
} from './imported-reference.ts'
import { boundsOf, type Page, type PageRequest } from './page.ts'

/** What was typed, as the statements ask for it. */
interface Asked {
  readonly plain: string
  /** A `tsquery`: every word is the beginning of one of the name's. It is what the index answers. */
  readonly words: string
}

function readAsked(q: string): Asked {
  const plain = plainName(q)
  const words = plain
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => `'${word}':*`)
  return { plain, words: words.join(' & ') }
}

// How near a name is: the whole of one of its names (1), the beginning of one (2), words of one (4).
const nearness = (row: string) => `case
  when strpos('|' || ${row}.plain_names || '|', '|' || $2 || '|') > 0 then 1
  when strpos('|' || ${row}.plain_names, '|' || $2) > 0 then 2
  else 4 end`

/** One page of `found`, and its size, in one answer: also for a page after the last. */
const paged = (columns: string, order: string, bounds: string) => `
  select (select count(*) from found) as total, page.json
    from (select 1) one
    left join (select ${columns} as json, row_number() over (order by ${order}) as place
                 from found order by ${order} ${bounds}) page on true
   order by page.place`

interface Counted<Json> {
  readonly total: number
  readonly json: Json | null
}

function readCounted<Json, Row>(rows: readonly Counted<Json>[], read: (json: Json) => Row): Page<Row> {
  return {
    rows: rows.flatMap(({ json }) => (json === null ? [] : [read(json)])),
    total: rows[0]?.total ?? 0,
  }
}

export interface PlaceSearch {
  readonly kind: Place['kind']
  /** Null for all. */
  readonly q: string | null
  /** The canonical code that `q` is, or stands for; null when it is none. */
  readonly unlocode: string | null
  readonly countryCode: string | null
  readonly page: PageRequest
}

/** By code, then by how near the name is; among equals those with terminals first. All of them by name. */
export async function searchPlaces(db: Db, search: PlaceSearch): Promise<Page<Place>> {
  const { q, kind, countryCode } = search
  if (q === null) return listPlaces(db, search)
  const { plain, words } = readAsked(q)
  // A code is four letters at least: `SAN` is the beginning of a name, not of a place in Saudi Arabia.
  const prefix = /^[A-Z]{2} ?[A-Z0-9]{2,3}$/i.test(q.trim()) ? q.trim().toUpperCase().replace(' ', '') : null
  if (words === '' && prefix === null && search.unlocode === null) return { rows: [], total: 0 }
  const { rows } = await db.query<Counted<PlaceJson>>({
    name: 'places_search',
    // Two indexes together, one of words and one of codes. The beginning of a code is a stretch of its index: a `like`
    // whose pattern is a parameter makes the plan that is kept read the whole table (50 ms instead of 1).
    text: `with found as (
             select p.*, case when p.unlocode = $3 then 0
                              when p.unlocode ~>=~ $4 and p.unlocode ~<~ $9 then least(3, ${nearness('p')})
                              else ${nearness('p')} end as rank,
                    exists (select from terminals t where t.unlocode = p.unlocode and t.retired_at is null
                               and not t.is_customs_facility) as has_terminals
               from places p
              where (p.words @@ $1::tsquery or p.unlocode = $3 or (p.unlocode ~>=~ $4 and p.unlocode ~<~ $9))
                and p.kind = $5 and ($6::text is null or p.country_code = $6) and p.retired_at is null)
           ${paged(
             placeJson.replaceAll('p.', 'found.'),
             'found.rank, found.has_terminals desc, found.plain_names, found.unlocode',
             'limit $7 offset $8',
           )}`,
    values: [
      words,
      plain,
      search.unlocode,
      prefix,
      kind,
      countryCode,
      ...boundsOf(search.page),
      // After everything that begins so: no code has a tilde.
      prefix === null ? null : `${prefix}~`,
    ],
  })
  return readCounted(rows, readPlaceJson)
}

/** All of them by name, in the order of an index. */
async function listPlaces(db: Db, { kind, countryCode, page }: PlaceSearch): Promise<Page<Place>> {
  const { rows } = await db.query<{ json: PlaceJson }>({
    name: 'places_list',
    text: `select ${placeJson} as json
             from (select * from places
                    where kind = $1 and ($2::text is null or country_code = $2) and retired_at is null
                    order by plain_names, unlocode limit $3 offset $4) p
            order by p.plain_names, p.unlocode`,
    values: [kind, countryCode, ...boundsOf(page)],
  })
  const counted = await db.query<{ total: number }>({
    name: 'places_count',
    text: `select count(*) as total from places
            where kind = $1 and ($2::text is null or country_code = $2) and retired_at is null`,
    values: [kind, countryCode],
  })
  return { rows: rows.map(({ json }) => readPlaceJson(json)), total: counted.rows[0]?.total ?? 0 }
}

export interface TerminalSearch {
  readonly q: string | null
  /** Canonical. */
  readonly unlocode: string | null
  readonly page: PageRequest
}

/**
 * Ocean terminals and ramps; customs' other facilities only by `q`, for they outnumber the terminals thirty to one.
 * Few enough to be read whole (8,100 rows: 4 ms).
 */
export async function searchTerminals(db: Db, search: TerminalSearch): Promise<Page<Terminal>> {
  const { plain, words } = readAsked(search.q ?? '')
  const code = search.q?.trim().toUpperCase() ?? null
  const { rows } = await db.query<Counted<TerminalJson>>({
    name: 'terminals_search',
    text: `with found as (
             select t.*, case when $3 in (t.firms_code, t.former_firms_code, t.smdg_code, t.bic_facility_code) then 0
                              else ${nearness('t')} end as rank
               from terminals t
              where ($3::text is null and not t.is_customs_facility
                     or t.words @@ $1::tsquery
                     or $3 in (t.firms_code, t.former_firms_code, t.smdg_code, t.bic_facility_code))
                and ($4::text is null or t.unlocode = $4 or t.metro_unlocode = $4)
                and t.retired_at is null)
           ${paged(
             terminalJson.replaceAll('t.', 'found.'),
             'found.rank, found.is_customs_facility, found.plain_names, found.unlocode, found.id',
             'limit $5 offset $6',
           )}`,
    values: [words, plain, code, search.unlocode, ...boundsOf(search.page)],
  })
  return readCounted(rows, readTerminalJson)
}

export interface ListedVessel {
  readonly id: string
  readonly imo: string
  readonly mmsi: string | null
  readonly name: string
}

type VesselJson = readonly [id: string, imo: string, mmsi: string | null, name: string]

/** By IMO number or MMSI, then by present and former names. Few enough to be read whole. */
export async function searchVessels(
  db: Db,
  search: { readonly q: string | null; readonly page: PageRequest },
): Promise<Page<ListedVessel>> {
  const { plain, words } = readAsked(search.q ?? '')
  const code = search.q?.replace(/^\s*IMO\s*/i, '').trim() ?? null
  const { rows } = await db.query<Counted<VesselJson>>({
    name: 'vessels_search',
    text: `with found as (
             select v.*, case when $3 in (v.imo, v.mmsi) then 0 else ${nearness('v')} end as rank
               from vessels v
              where ($3::text is null or v.words @@ $1::tsquery or $3 in (v.imo, v.mmsi)) and v.retired_at is null)
           ${paged(
             'json_build_array(found.id, found.imo, found.mmsi, found.name)',
             'found.rank, found.plain_names, found.imo',
             'limit $4 offset $5',
           )}`,
    values: [words, plain, code, ...boundsOf(search.page)],
  })
  return readCounted(rows, ([id, imo, mmsi, name]) => ({ id, imo, mmsi, name }))
}

/** The radio of a ship as an import gave it. */
export async function findListedMmsi(db: Db, imo: string): Promise<string | null> {
  const { rows } = await db.query<{ mmsi: string | null }>({
    name: 'vessel_mmsi',
    text: `select mmsi from vessels where imo = $1`,
    values: [imo],
  })
  return rows[0]?.mmsi ?? null
}
