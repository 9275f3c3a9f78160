/**
 * Containers that need not be polled by their own numbers, because the answer about their bill or booking states the
 * same.
 */

import type { Db } from '../../db/database.ts'
import { liveOnes } from '../projection/live-statuses-sql.ts'

const isActiveClaim = (claim: string): string =>
  `${claim}.retired_at is null and ${claim}.missing_since is null and ${claim}.gone_snapshot_id is null`

/** What is due within this time counts as due: somebody may have requested it just now. */
const soon = `interval '1 minute'`
/** At most this many containers are checked at a time, those that are due soonest. */
const containersMax = 200

const isOfContainer = `c.account_id = o.account_id and c.subject_id = o.subject_id and ${isActiveClaim('c')}`
/** SQL: the document states the same. `equipment` lets an index find the claim among all claims of a large bill. */
const isStatedBy = (equipment: string): string => `exists (
  select from claims s where s.account_id = o.account_id and s.subject_id = $1 and ${equipment}
                         and s.source_key = c.source_key and s.observation = c.observation and ${isActiveClaim('s')})`

/**
 * Delays polls of the containers of a document until `marginMs` after the document's own next poll. Only for containers
 * whose live requests all have their shipment in common with a request of the document, and whose own answer states
 * nothing that the document does not state. A poll that is due or under way, or whose poll target is failing, stays as
 * it is. Never waits for a lock. Returns how many were delayed.
 */
export async function postponeContainerPolls(
  db: Db,
  of: { readonly subjectId: string; readonly now: string; readonly marginMs: number },
): Promise<number> {
  const { rowCount } = await db.query({
    name: 'boxes_put_off',
    text: `with document as materialized (
             select credential_id, next_look_at + $3 * interval '1 millisecond' as at from subjects
              where id = $1 and kind <> 'container' and failures = 0 and next_look_at is not null
           ), beside as materialized (
             select distinct o.subject_id as id
               from tracking_requests h
               join tracking_requests o on o.account_id = h.account_id and o.shipment_id = h.shipment_id
              where h.subject_id = $1 and h.status = 'created' and o.status = 'created'
           ), soonest as materialized (
             select b.id from document d join subjects b on b.credential_id = d.credential_id
              where b.id in (select id from beside)
                and b.kind = 'container' and b.failures = 0 and b.lease_token is null
                and b.next_look_at > $2::timestamptz + ${soon} and b.next_look_at < d.at
              order by b.next_look_at limit ${containersMax}
           ), needed as materialized (
             select distinct o.subject_id as id
               from tracking_requests o
              where o.subject_id = any(array(select id from soonest)) and o.status in ${liveOnes}
                and not (o.status = 'created'
                         and exists (select from tracking_requests h
                                      where h.account_id = o.account_id and h.shipment_id = o.shipment_id
                                        and h.subject_id = $1 and h.status = 'created')
                         and exists (select from claims c where ${isOfContainer})
                         and not exists (select from claims c where ${isOfContainer} and c.equipment is not null
                                                                and not ${isStatedBy('s.equipment = c.equipment')})
                         and not exists (select from claims c where ${isOfContainer} and c.equipment is null
                                                                and not ${isStatedBy('s.equipment is null')}))
           ), boxes as (
             select b.id from subjects b
              where b.id = any(array(select id from soonest except select id from needed))
                and b.lease_token is null and b.next_look_at > $2::timestamptz + ${soon}
                for no key update skip locked
           )
           update subjects s set next_look_at = d.at from boxes b, document d where s.id = b.id`,
    values: [of.subjectId, of.now, of.marginMs],
  })
  return rowCount ?? 0
}
