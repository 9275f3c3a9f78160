/** The offsets of time zones as the database server computes them. */

import type { Db } from './database.ts'

/**
 * For each zone that the database knows: milliseconds to add to UTC for its wall clock, at each of the moments (milliseconds
 * since 1970). Takes some 200 ms: PostgreSQL reads its files of all zones.
 */
export async function readDatabaseOffsets(
  db: Db,
  of: { readonly zones: readonly string[]; readonly moments: readonly number[] },
): Promise<ReadonlyMap<string, readonly number[]>> {
  const { rows } = await db.query<{ zone: string; offsets: readonly number[] }>({
    name: 'database_zones',
    text: `select z.zone, array(select (extract(epoch from (m.at at time zone z.zone) - (m.at at time zone 'UTC')) * 1000)::float8
                                  from unnest($2::timestamptz[]) with ordinality as m (at, place) order by m.place) as offsets
             from (select n.name as zone from unnest($1::text[]) as asked (name)
                     join pg_timezone_names n on n.name = asked.name offset 0) as z`,
    values: [of.zones, of.moments.map((ms) => new Date(ms).toISOString())],
  })
  return new Map(rows.map(({ zone, offsets }) => [zone, offsets]))
}
