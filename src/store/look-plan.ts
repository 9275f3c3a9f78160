/** What is known of the live requests of a subject, for planning its next look. */

import type { ContainerProjection } from '../core/projection.ts'
import type { TrackingRequestState } from '../core/tracking-request-state.ts'
import type { Db } from './database.ts'
import { liveOnes } from './live-statuses.ts'

export interface LookPlanRow {
  readonly status: string
  readonly lifecycle: TrackingRequestState
  readonly changedAt: string
  /** Without what happened to them, most of their bytes: the plan looks ahead. */
  readonly containers: readonly Omit<ContainerProjection, 'milestones'>[]
}

export interface SubjectPlanRow {
  readonly subjectId: string
  readonly requestId: string
  readonly status: string
  readonly changedAt: string
  /** Null of requests that the caller holds in memory. */
  readonly lifecycle: TrackingRequestState | null
  readonly containers: LookPlanRow['containers'] | null
}

/** Of many subjects, in order of their ids. Requests with work under way are left out: they plan when it is done. */
export async function planRowsOf(
  db: Db,
  of: { readonly subjectIds: readonly string[]; readonly heldRequestIds: readonly string[] },
): Promise<readonly SubjectPlanRow[]> {
  const { rows } = await db.query<SubjectPlanRow>({
    name: 'look_plans',
    text: `select r.subject_id as "subjectId", r.id as "requestId", r.status,
                  coalesce(s.updated_at, r.updated_at) as "changedAt",
                  case when not r.id = any($2::uuid[]) then r.lifecycle end as lifecycle,
                  case when not r.id = any($2::uuid[]) then
                    coalesce((select jsonb_agg(c.projection - 'milestones') from containers c
                               where c.account_id = r.account_id and c.shipment_id = r.shipment_id), '[]')
                  end as containers
             from tracking_requests r
             left join shipments s on s.account_id = r.account_id and s.id = r.shipment_id
            where r.subject_id = any($1::uuid[]) and r.status in ${liveOnes}
              and not exists (select 1 from tasks t where t.account_id = r.account_id and t.tracking_request_id = r.id)
            order by r.subject_id, r.id`,
    values: [of.subjectIds, of.heldRequestIds],
  })
  return rows
}

/** Null: nobody wants it looked at. What is only told of never is. A look that is under way keeps its lease. Locked in order of their ids. */
export async function setNextLooks(
  db: Db,
  plans: readonly { readonly subjectId: string; readonly at: string | null }[],
): Promise<void> {
  if (plans.length === 0) return
  await db.query({
    name: 'subject_plans',
    text: `update subjects s set next_look_at = k.at
             from (select o.id, p.at
                     from unnest($1::uuid[], $2::timestamptz[]) as p (id, at) join subjects o on o.id = p.id
                     join channels c on c.id = o.credential_id and c.is_asked
                    order by o.id for no key update of o) k
            where s.id = k.id`,
    values: [plans.map(({ subjectId }) => subjectId), plans.map(({ at }) => at)],
  })
}
