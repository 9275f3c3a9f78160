/**
 * How good the statements of a channel are, from what an account made of them: what was overruled, and which part of a
 * journey it never reported.
 */

import type { Db } from '../../db/database.ts'
import type { MilestoneName } from '../../domain/view/projection.ts'

/** Maximum of newest rows that are read, for all channels together. */
const contradictionsMax = 1_000
const containersMax = 200

/**
 * For each channel, how many of its statements were overruled since then, by statements of others, earlier or later
 * ones.
 */
export async function countContradictions(
  db: Db,
  of: { readonly accountId: string; readonly since: string },
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await db.query<{ channelId: string; count: number }>({
    name: 'sources_contradicted',
    text: `with overruled as materialized (
             select distinct c.id, c.subject_id
               from (select claim_id from issues
                      where account_id = $1 and kind = 'contradicted' and last_at >= $2
                      order by last_at desc, id limit ${contradictionsMax}) i
               join claims c on c.account_id = $1 and c.id = i.claim_id
           )
           select s.credential_id as "channelId", count(*)::integer as count
             from overruled o join subjects s on s.id = o.subject_id
            group by s.credential_id`,
    values: [of.accountId, of.since],
  })
  return new Map(rows.map(({ channelId, count }) => [channelId, count]))
}

export interface MilestoneCoverage {
  readonly scac: string
  /** How many of the containers that came back empty last are counted. */
  readonly boxes: number
  /** How many milestones of these containers are known, from any source. */
  readonly known: number
  /** How many of these milestones each channel reported, by its id. */
  readonly own: Readonly<Record<string, number>>
}

/** By line, for those containers of the account that came back empty last. */
export async function countMilestones(
  db: Db,
  of: { readonly accountId: string; readonly names: readonly MilestoneName[] },
): Promise<readonly MilestoneCoverage[]> {
  const { rows } = await db.query<MilestoneCoverage>({
    name: 'sources_milestones',
    text: `with boxes as (
             select id, scac, projection from containers
              where account_id = $1 and status = 'empty_returned'
              order by updated_at desc, id limit ${containersMax}
           ), told as (
             select distinct on (b.id, m ->> 'name') b.scac, (m ->> 'claimId')::uuid as claim_id
               from boxes b cross join lateral jsonb_array_elements(b.projection -> 'milestones') m
              where m ->> 'kind' = 'actual' and m ->> 'name' = any($2::text[])
              order by b.id, m ->> 'name'
           ), said as materialized (
             select t.scac, c.subject_id
               from told t left join claims c on c.account_id = $1 and c.id = t.claim_id
           ), by_channel as (
             select scac, credential_id, count(*) as told
               from (select t.scac, (select s.credential_id from subjects s where s.id = t.subject_id) as credential_id
                       from said t) c
              group by scac, credential_id
           )
           select b.scac, count(*)::integer as boxes,
                  coalesce((select sum(c.told) from by_channel c where c.scac = b.scac), 0)::integer as known,
                  coalesce((select jsonb_object_agg(c.credential_id, c.told) from by_channel c
                             where c.scac = b.scac and c.credential_id is not null), '{}') as own
             from boxes b group by b.scac`,
    values: [of.accountId, of.names],
  })
  return rows
}
