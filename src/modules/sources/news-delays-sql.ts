/** How long after an event its line reported it, from recent answers and messages to an account. */

import type { Db } from '../../db/database.ts'

/** At most this many of the newest answers of a line are read, and at most this many statements of each. */
const answersMax = 10
const statementsMax = 300

/**
 * The median in ms, by access. An access of which nothing is known is left out. Only events count whose time has a zone
 * and that happened after our first poll: what came with the first answer had been known long before.
 */
export async function readNewsDelays(
  db: Db,
  of: { readonly accountId: string; readonly credentialIds: readonly string[] },
): Promise<ReadonlyMap<string, number>> {
  if (of.credentialIds.length === 0) return new Map()
  const { rows } = await db.query<{ credentialId: string; delayMs: number }>({
    name: 'news_delays',
    text: `with looked as materialized (
             select a.id, l.subject_id, l.snapshot_id, s.created_at
               from unnest($2::uuid[]) as a (id)
              cross join lateral (
                select subject_id, snapshot_id from looks
                 where credential_id = a.id and events_told > events_aside
                 order by ended_at desc limit ${answersMax}) l
               join subjects s on s.id = l.subject_id
           )
           select l.id as "credentialId", percentile_disc(0.5) within group (
                    order by extract(epoch from e.recorded_at - e.at) * 1000)::float8 as "delayMs"
             from looked l
            cross join lateral (
              select recorded_at, (observation #>> '{time,at}')::timestamptz as at
                from (select recorded_at, first_snapshot_id, observation from claims
                       where account_id = $1 and subject_id = l.subject_id limit ${statementsMax}) c
               where first_snapshot_id = l.snapshot_id and observation ->> 'kind' = 'event'
                 and observation ->> 'classifier' = 'ACT' and observation #>> '{time,kind}' = 'instant') e
            where e.at > l.created_at and e.recorded_at > e.at
            group by l.id`,
    values: [of.accountId, of.credentialIds],
  })
  return new Map(rows.map(({ credentialId, delayMs }) => [credentialId, delayMs]))
}
