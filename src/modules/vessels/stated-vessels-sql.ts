/**
 * Ships that are in no list, as lines named them to one account. Other accounts do not see them, and so do not learn
 * with whom this account sails.
 */

import type { Db } from '../../db/database.ts'

export interface StatedVessel {
  /** As the line gave it: the check digit may be wrong. */
  readonly imo: string
  readonly name: string
}

/** The name by which a line last called the ship to this account; null when none did. */
export async function findStatedName(
  db: Db,
  of: { readonly accountId: string; readonly imo: string },
): Promise<string | null> {
  const { rows } = await db.query<{ name: string | null }>({
    name: 'told_vessel_name',
    text: `select coalesce(
             (select e.vessel_name from transport_events e
               where e.account_id = $1 and e.vessel_imo = $2 and e.vessel_name <> ''
               order by e.created_at desc limit 1),
             (select nullif(s.projection #>> '{podVessel,name}', '') from shipments s
               where s.account_id = $1 and s.vessel_imo = $2
               order by s.created_at desc limit 1)) as name`,
    values: [of.accountId, of.imo],
  })
  return rows[0]?.name ?? null
}

/** All ships that lines named to the account and that are in no list, with the last name of each. */
export async function listStatedVessels(db: Db, accountId: string): Promise<readonly StatedVessel[]> {
  const { rows } = await db.query<StatedVessel>({
    name: 'told_vessels',
    // Goes from ship to ship in two indexes, because an account has many events and few ships.
    text: `with recursive sailed as (
             (select e.vessel_imo as imo from transport_events e
               where e.account_id = $1 and e.vessel_imo is not null order by e.vessel_imo limit 1)
             union all
             select (select e.vessel_imo from transport_events e
                      where e.account_id = $1 and e.vessel_imo > n.imo order by e.vessel_imo limit 1)
               from sailed n where n.imo is not null
           ), awaited as (
             (select s.vessel_imo as imo from shipments s
               where s.account_id = $1 and s.vessel_imo is not null order by s.vessel_imo limit 1)
             union all
             select (select s.vessel_imo from shipments s
                      where s.account_id = $1 and s.vessel_imo > n.imo order by s.vessel_imo limit 1)
               from awaited n where n.imo is not null
           ), unlisted as (
             select t.imo from (select imo from sailed union select imo from awaited) t
              where t.imo is not null and not exists (select from vessels v where v.imo = t.imo)
           )
           select u.imo, told.name
             from unlisted u
            cross join lateral (select coalesce(
                    (select e.vessel_name from transport_events e
                      where e.account_id = $1 and e.vessel_imo = u.imo and e.vessel_name <> ''
                      order by e.created_at desc limit 1),
                    (select nullif(s.projection #>> '{podVessel,name}', '') from shipments s
                      where s.account_id = $1 and s.vessel_imo = u.imo
                      order by s.created_at desc limit 1)) as name) told
            where told.name is not null
            order by u.imo`,
    values: [accountId],
  })
  return rows
}
