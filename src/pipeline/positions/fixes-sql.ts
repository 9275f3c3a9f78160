/**
 * Positions of ships (fixes) as they come in. The statement that stores them thins them out. They are stored by month
 * and dropped by month.
 */

import type { Db } from '../../db/database.ts'

export interface Fix {
  readonly imo: string
  /** ISO instant: real time, or the sandbox's time for the sandbox. */
  readonly heardAt: string
  readonly latitude: number
  readonly longitude: number
  readonly speedKnots: number | null
  readonly courseDegrees: number | null
  readonly source: string
}

/**
 * Stores for each ship the earliest of these fixes that comes `minutes` after its last stored one, and returns what it
 * stored. The statement locks the row of the ship's last fix, so no two processes store two fixes within these minutes.
 */
export async function storeFixes(
  db: Db,
  of: { readonly isSandbox: boolean; readonly minutes: number; readonly fixes: readonly Fix[] },
): Promise<readonly Fix[]> {
  const { rows } = await db.query<Fix>({
    name: 'vessel_positions_store',
    text: `with heard as (
             select distinct on (f.imo) f.*
               from jsonb_to_recordset($3::jsonb) as f(
                      imo text, "heardAt" timestamptz, latitude double precision, longitude double precision,
                      "speedKnots" real, "courseDegrees" real, source text)
               left join vessel_last_positions l on l.is_fiction = $1 and l.imo = f.imo
              where l.imo is null or f."heardAt" >= l.heard_at + make_interval(mins => $2)
              order by f.imo, f."heardAt"
           ), last as (
             insert into vessel_last_positions as l
                    (is_fiction, imo, heard_at, latitude, longitude, speed_knots, course_degrees, source)
             select $1, imo, "heardAt", latitude, longitude, "speedKnots", "courseDegrees", source from heard
             on conflict (is_fiction, imo) do update
                set heard_at = excluded.heard_at, latitude = excluded.latitude, longitude = excluded.longitude,
                    speed_knots = excluded.speed_knots, course_degrees = excluded.course_degrees,
                    source = excluded.source
              where excluded.heard_at >= l.heard_at + make_interval(mins => $2)
             returning *
           ), stored as (
             insert into vessel_positions
                    (is_fiction, imo, heard_at, latitude, longitude, speed_knots, course_degrees, source)
             select is_fiction, imo, heard_at, latitude, longitude, speed_knots, course_degrees, source from last
             on conflict do nothing
           )
           select imo, heard_at as "heardAt", latitude, longitude, speed_knots as "speedKnots",
                  course_degrees as "courseDegrees", source
             from last order by imo`,
    values: [of.isSandbox, of.minutes, JSON.stringify(of.fixes)],
  })
  return rows
}

/** Which ship has each radio on board. An older message never overwrites newer data about a radio. */
export interface Radio {
  readonly mmsi: string
  readonly imo: string
  readonly name: string | null
  readonly callSign: string | null
  readonly heardAt: string
}

/** One row for each radio: a batch may name each radio only once. */
export async function upsertRadios(
  db: Db,
  of: { readonly isSandbox: boolean; readonly radios: readonly Radio[] },
): Promise<void> {
  await db.query({
    name: 'vessel_radios_learn',
    text: `insert into vessel_radios as r (is_fiction, mmsi, imo, name, call_sign, heard_at)
           select $1, mmsi, imo, name, "callSign", "heardAt"
             from jsonb_to_recordset($2::jsonb) as n(
                    mmsi text, imo text, name text, "callSign" text, "heardAt" timestamptz)
            order by mmsi
           on conflict (is_fiction, mmsi) do update
              set imo = excluded.imo, name = excluded.name, call_sign = excluded.call_sign,
                  heard_at = excluded.heard_at
            where excluded.heard_at >= r.heard_at`,
    values: [of.isSandbox, JSON.stringify(of.radios)],
  })
}

/** The radios of these ships, as last received. */
export async function radiosOf(
  db: Db,
  of: { readonly isSandbox: boolean; readonly imos: readonly string[] },
): Promise<readonly Radio[]> {
  const { rows } = await db.query<Radio>({
    name: 'vessel_radios_of',
    text: `select mmsi, imo, name, call_sign as "callSign", heard_at as "heardAt"
             from vessel_radios where is_fiction = $1 and imo = any($2)`,
    values: [of.isSandbox, of.imos],
  })
  return rows
}

/** Deletes positions that came when their month had gone, or was never made. */
export async function dropStrayFixes(db: Db, before: string): Promise<void> {
  await db.query({
    name: 'vessel_positions_prune_default',
    text: `delete from vessel_positions_default where heard_at < $1`,
    values: [before],
  })
}
