/** Finds ports, metro areas, terminals and ships by what a person types: a code, the beginning of a name, words of it. */

import type { Db } from '../../db/database.ts'
import { boundsOf, type Page, type PageRequest } from '../../db/listing/page.ts'
import type { Place } from '../../reference/places.ts'
import { plainName } from '../../reference/plain-name.ts'
import type { Terminal } from '../../reference/terminal.ts'
import { type Nearness, removeSpaces } from '../../reference/typed-names.ts'
import {
  type PlaceJson,
  placeJson,
  readPlaceJson,
  readTerminalJson,
  type TerminalJson,
  terminalJson,
} from './imported-reference-sql.ts'

/** What was typed, in the form that the statements need. */
interface SearchTerms {
  readonly plain: string
  /** A `tsquery`: every word is the beginning of a word of the name. The index answers it. */
  readonly words: string
}

function parseSearchTerms(q: string): SearchTerms {
  const plain = plainName(q)
  const words = plain
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => `'${word}':*`)
  return { plain, words: words.join(' & ') }
}

// How near a name is: one of its complete names (1), the beginning of one (2), words of one (4).
const nameNearnessSql = (row: string) => `case
  when strpos('|' || ${row}.plain_names || '|', '|' || $2 || '|') > 0 then 1
  when strpos('|' || ${row}.plain_names, '|' || $2) > 0 then 2
  else 4 end`

/** One page of `found` and the number of its rows, in one answer, even for a page after the last. */
const selectPageSql = (columns: string, order: string, bounds: string) => `
  select (select count(*) from found) as total, page.json
    from (select 1) one
    left join (select ${columns} as json, row_number() over (order by ${order}) as place
                 from found order by ${order} ${bounds}) page on true
   order by page.place`

interface CountedRow<Json> {
  readonly total: number
  readonly json: Json | null
}

function readCounted<Json, Row>(rows: readonly CountedRow<Json>[], read: (json: Json) => Row): Page<Row> {
  return {
    rows: rows.flatMap(({ json }) => (json === null ? [] : [read(json)])),
    total: rows[0]?.total ?? 0,
  }
}

export interface PlaceSearch {
  /** Only places with these codes, of any kind; null for all ports. */
  readonly codes: readonly string[] | null
  /** Null for all. */
  readonly q: string | null
  /** The canonical code that `q` is or means; null when it is not a code. */
  readonly unlocode: string | null
  /** The name within `q`; `areas`: countries (`NL`) and subdivisions (`US-NJ`) in which it must lie, null for all. */
  readonly name: string
  readonly areas: readonly string[] | null
  /** Places of which `q` is another name, by code. */
  readonly others: ReadonlyMap<string, Nearness>
  /** Places that come before others whose name is as near. */
  readonly ranks: ReadonlyMap<string, number>
  readonly countryCode: string | null
  readonly page: PageRequest
}

/** By code, then by how near the name is; among equals by rank, then places with terminals. Without `q`, by name. */
export async function searchPlaces(db: Db, search: PlaceSearch): Promise<Page<Place>> {
  const { q, codes, countryCode } = search
  if (q === null) return codes === null ? listPorts(db, search) : listPlacesByCodes(db, { ...search, codes })
  const { plain, words } = parseSearchTerms(search.name)
  // A code has at least four letters here: `SAN` begins a name, not a place in Saudi Arabia.
  const prefix = /^[A-Z]{2} ?[A-Z0-9]{2,3}$/i.test(q.trim()) ? q.trim().toUpperCase().replace(' ', '') : null
  const others = [...search.others.keys()]
  if (words === '' && prefix === null && search.unlocode === null && others.length === 0) return { rows: [], total: 0 }
  const { rows } = await db.query<CountedRow<PlaceJson>>({
    name: 'places_search',
    // Two indexes together, one of words and one of codes. The beginning of a code is a range of its index: with a
    // `like` whose pattern is a parameter, the cached plan reads the complete table (50 ms instead of 1).
    text: `with found as (
             select p.*, case when p.unlocode = $3 then 0
                              else least(case when p.unlocode ~>=~ $4 and p.unlocode ~<~ $9 then 3 end,
                                         ($11::jsonb->p.unlocode)::float8, ${nameNearnessSql('p')}) end as rank,
                    ($12::jsonb->p.unlocode)::int as place_rank,
                    exists (select from terminals t where t.unlocode = p.unlocode and t.retired_at is null
                               and not t.is_customs_facility) as has_terminals
               from places p
              where (p.words @@ $1::tsquery or p.unlocode = $3 or (p.unlocode ~>=~ $4 and p.unlocode ~<~ $9)
                     or p.unlocode = any($10::text[]))
                and ($13::text[] is null or p.country_code = any($13::text[]) or p.unlocode = any($10::text[])
                     or p.country_code || '-' || p.subdivision = any($13::text[]))
                and ($5::text[] is null and p.kind = 'port' or p.unlocode = any($5::text[]))
                and ($6::text is null or p.country_code = $6) and p.retired_at is null)
           ${selectPageSql(
             placeJson.replaceAll('p.', 'found.'),
             'found.rank, found.place_rank nulls last, found.has_terminals desc, found.plain_names, found.unlocode',
             'limit $7 offset $8',
           )}`,
    values: [
      words,
      plain,
      search.unlocode,
      prefix,
      codes,
      countryCode,
      ...boundsOf(search.page),
      // The end of the range: no code has a tilde.
      prefix === null ? null : `${prefix}~`,
      others,
      JSON.stringify(Object.fromEntries([...search.others].map(([code, near]) => [code, rankOfOther(near)]))),
      JSON.stringify(Object.fromEntries(search.ranks)),
      search.areas,
    ],
  })
  return readCounted(rows, readPlaceJson)
}

/** A complete match of another name counts as much as the place's own; its beginning or words come after those. */
function rankOfOther(nearness: Nearness): number {
  return nearness === 1 ? nearness : nearness + 0.5
}

/** All ports by name, in the order of an index. */
async function listPorts(
  db: Db,
  { countryCode, page }: Pick<PlaceSearch, 'countryCode' | 'page'>,
): Promise<Page<Place>> {
  const { rows } = await db.query<{ json: PlaceJson }>({
    name: 'ports_list',
    text: `select ${placeJson} as json from places p
            where kind = 'port' and ($1::text is null or country_code = $1) and retired_at is null
            order by plain_names, unlocode limit $2 offset $3`,
    values: [countryCode, ...boundsOf(page)],
  })
  const counted = await db.query<{ total: number }>({
    name: 'ports_count',
    text: `select count(*) as total from places
            where kind = 'port' and ($1::text is null or country_code = $1) and retired_at is null`,
    values: [countryCode],
  })
  return { rows: rows.map(({ json }) => readPlaceJson(json)), total: counted.rows[0]?.total ?? 0 }
}

/** The places with these codes by name; a few hundred at most. */
async function listPlacesByCodes(
  db: Db,
  { codes, countryCode, page }: Pick<PlaceSearch, 'countryCode' | 'page'> & { readonly codes: readonly string[] },
): Promise<Page<Place>> {
  const { rows } = await db.query<CountedRow<PlaceJson>>({
    name: 'places_among',
    text: `with found as (
             select p.* from places p
              where p.unlocode = any($1::text[]) and ($2::text is null or p.country_code = $2) and p.retired_at is null)
           ${selectPageSql(placeJson.replaceAll('p.', 'found.'), 'found.plain_names, found.unlocode', 'limit $3 offset $4')}`,
    values: [codes, countryCode, ...boundsOf(page)],
  })
  return readCounted(rows, readPlaceJson)
}

export interface TerminalSearch {
  readonly q: string | null
  /** Terminals of which `q` is another name, by terminal id. */
  readonly others: ReadonlyMap<string, Nearness>
  /** A canonical code. */
  readonly unlocode: string | null
  readonly page: PageRequest
}

/**
 * Ocean terminals and ramps; other customs facilities only by `q`, because they outnumber the terminals thirty to one.
 * The table is small enough for a full scan (8,100 rows: 4 ms).
 */
export async function searchTerminals(db: Db, search: TerminalSearch): Promise<Page<Terminal>> {
  const { plain, words } = parseSearchTerms(search.q ?? '')
  const code = search.q?.trim().toUpperCase() ?? null
  const { rows } = await db.query<CountedRow<TerminalJson>>({
    name: 'terminals_search',
    text: `with found as (
             select t.*, case when $3 in (t.firms_code, t.former_firms_code, t.smdg_code, t.bic_facility_code) then 0
                              else least(($8::jsonb->t.id::text)::int, ${nameNearnessSql('t')}) end as rank
               from terminals t
              where ($3::text is null and not t.is_customs_facility
                     or t.words @@ $1::tsquery
                     or $3 in (t.firms_code, t.former_firms_code, t.smdg_code, t.bic_facility_code)
                     or t.id = any($7::uuid[]))
                and ($4::text is null or t.unlocode = $4 or t.metro_unlocode = $4)
                and t.retired_at is null)
           ${selectPageSql(
             terminalJson.replaceAll('t.', 'found.'),
             'found.rank, found.is_customs_facility, found.plain_names, found.unlocode, found.id',
             'limit $5 offset $6',
           )}`,
    values: [
      words,
      plain,
      code,
      search.unlocode,
      ...boundsOf(search.page),
      [...search.others.keys()],
      JSON.stringify(Object.fromEntries(search.others)),
    ],
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

/**
 * What is written before a ship's name and is not part of it: M/V, MV, M.S. … Not removed where nothing else would be
 * left.
 */
const shipPrefix = /^(M ?V|M ?S|M ?T|S ?S|VESSEL|MOTOR VESSEL) (?=.)/

// Like `nearness`, but without blanks.
const joinedNearness = (parameter: string) => `case
  when strpos(v.joined || '|', '|' || ${parameter} || '|') > 0 then 1
  when strpos(v.joined, '|' || ${parameter}) > 0 then 2
  else 4 end`

/**
 * By IMO number or MMSI, then by present and former names, also without blanks. The input is tried as it is, and
 * without a prefix such as M/V. The table is small enough for a full scan.
 */
export async function searchVessels(
  db: Db,
  search: {
    readonly q: string | null
    /** Ships in no list that are searched with the listed ones. */
    readonly unlisted: readonly Omit<ListedVessel, 'mmsi'>[]
    readonly page: PageRequest
  },
): Promise<Page<ListedVessel>> {
  const typed = parseSearchTerms(search.q ?? '')
  const bare = parseSearchTerms(typed.plain.replace(shipPrefix, ''))
  const words = [...new Set([typed.words, bare.words])].filter((each) => each !== '')
  const code = search.q?.replace(/^\s*IMO\s*/i, '').trim() ?? null
  const { rows } = await db.query<CountedRow<VesselJson>>({
    name: 'vessels_search',
    text: `with found as (
             select v.*, case when $3 in (v.imo, v.mmsi) then 0
                              else least(2 * (${joinedNearness('$2')}) - 1, 2 * (${joinedNearness('$6')})) end as rank
               from (select id, imo, mmsi, name, plain_names, words, '|' || replace(plain_names, ' ', '') as joined
                       from vessels where retired_at is null
                     union all
                     select id, imo, null, name, plain, array_to_tsvector(string_to_array(plain, ' ')),
                            '|' || replace(plain, ' ', '')
                       from jsonb_to_recordset($7::jsonb) as told(id uuid, imo text, name text, plain text)) v
              where ($3::text is null or v.words @@ $1::tsquery or $3 in (v.imo, v.mmsi)
                     or strpos(v.joined, '|' || $2) > 0 or strpos(v.joined, '|' || $6) > 0))
           ${selectPageSql(
             'json_build_array(found.id, found.imo, found.mmsi, found.name)',
             'found.rank, found.plain_names, found.imo',
             'limit $4 offset $5',
           )}`,
    values: [
      words.join(' | '),
      removeSpaces(typed.plain) || null,
      code,
      ...boundsOf(search.page),
      removeSpaces(bare.plain) || null,
      JSON.stringify(search.unlisted.map((each) => ({ ...each, plain: plainName(each.name) }))),
    ],
  })
  return readCounted(rows, ([id, imo, mmsi, name]) => ({ id, imo, mmsi, name }))
}

/** The MMSI of a ship as an import gave it. */
export async function findListedMmsi(db: Db, imo: string): Promise<string | null> {
  const { rows } = await db.query<{ mmsi: string | null }>({
    name: 'vessel_mmsi',
    text: `select mmsi from vessels where imo = $1`,
    values: [imo],
  })
  return rows[0]?.mmsi ?? null
}
