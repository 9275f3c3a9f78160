/** Where ships were, as the APIs read it. */

import type { Db } from '../../db/database.ts'
import type { VesselFix } from '../../domain/vessels/vessel-arrival.ts'
import type { Fix } from '../../pipeline/positions/fixes-sql.ts'

/**
 * The stored fixes of one ship within a time range, oldest first. When there are more than the limit, the newest ones.
 */
export async function readVesselPositions(
  db: Db,
  of: {
    /** True for the sandbox's ships. */
    readonly isSandbox: boolean
    readonly imo: string
    /** ISO instants. Both ends belong to the range. */
    readonly from: string
    readonly to: string
    readonly limit: number
  },
): Promise<readonly Fix[]> {
  const { rows } = await db.query<Fix>({
    name: 'read_vessel_positions',
    text: `select * from (
             select imo, heard_at as "heardAt", latitude, longitude, speed_knots as "speedKnots",
                    course_degrees as "courseDegrees", source
               from vessel_positions
              where is_fiction = $1 and imo = $2 and heard_at between $3 and $4
              order by heard_at desc limit $5) p
            order by "heardAt"`,
    values: [of.isSandbox, of.imo, of.from, of.to, of.limit],
  })
  return rows
}

/** One stored fix for each hour, oldest first: enough to see where the ship was in weeks and months. */
export async function readHourlyPositions(
  db: Db,
  of: { readonly isSandbox: boolean; readonly imo: string; readonly from: string; readonly to: string },
): Promise<readonly VesselFix[]> {
  const { rows } = await db.query<VesselFix>({
    name: 'read_hourly_positions',
    text: `select distinct on (date_trunc('hour', heard_at, 'UTC')) imo, heard_at as "heardAt", latitude, longitude,
                  speed_knots as "speedKnots"
             from vessel_positions
            where is_fiction = $1 and imo = $2 and heard_at between $3 and $4
            order by date_trunc('hour', heard_at, 'UTC'), heard_at`,
    values: [of.isSandbox, of.imo, of.from, of.to],
  })
  return rows
}

/** The last received position of each of these ships. Ships without a position are left out. */
export async function readLastPositions(
  db: Db,
  of: { readonly isSandbox: boolean; readonly imos: readonly string[] },
): Promise<readonly Fix[]> {
  const { rows } = await db.query<Fix>({
    name: 'read_last_positions',
    text: `select imo, heard_at as "heardAt", latitude, longitude, speed_knots as "speedKnots",
                  course_degrees as "courseDegrees", source
             from vessel_last_positions where is_fiction = $1 and imo = any($2)`,
    values: [of.isSandbox, of.imos],
  })
  return rows
}
