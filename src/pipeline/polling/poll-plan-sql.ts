/** What is known of the live requests of a poll target, for planning its next poll. */

import type { Db } from '../../db/database.ts'
import { type Urgency, urgencies } from '../../domain/polling/request-budget.ts'
import type { TrackingRequestState } from '../../domain/tracking-requests/tracking-request-state.ts'
import type { ContainerProjection } from '../../domain/view/projection.ts'
import { liveOnes } from '../projection/live-statuses-sql.ts'

export interface PollPlanRow {
  readonly status: string
  readonly lifecycle: TrackingRequestState
  readonly changedAt: string
  /** Without milestones, which are most of the bytes: the plan looks ahead. */
  readonly containers: readonly Omit<ContainerProjection, 'milestones'>[]
}

export interface PollTargetPlanRow {
  readonly subjectId: string
  readonly accountId: string
  /** How many times in a row its last polls failed. */
  readonly failures: number
  readonly requestId: string
  readonly status: string
  readonly changedAt: string
  /** Null for requests that the caller holds in memory. */
  readonly lifecycle: TrackingRequestState | null
  readonly containers: PollPlanRow['containers'] | null
}

/**
 * Rows for many poll targets, in order of their ids. Requests with work under way are left out, because they plan when
 * it is done.
 */
export async function planRowsOf(
  db: Db,
  of: { readonly subjectIds: readonly string[]; readonly heldRequestIds: readonly string[] },
): Promise<readonly PollTargetPlanRow[]> {
  const { rows } = await db.query<PollTargetPlanRow>({
    name: 'look_plans',
    text: `with live as materialized (
             select r.subject_id, r.account_id, r.id, r.status, coalesce(s.updated_at, r.updated_at) as changed_at,
                    case when not r.id = any($2::uuid[]) then r.lifecycle end as lifecycle,
                    case when not r.id = any($2::uuid[]) then
                      coalesce((select jsonb_agg(c.projection - 'milestones') from containers c
                                 where c.account_id = r.account_id and c.shipment_id = r.shipment_id), '[]')
                    end as containers
               from tracking_requests r
               left join shipments s on s.account_id = r.account_id and s.id = r.shipment_id
              where r.subject_id = any($1::uuid[]) and r.status in ${liveOnes}
                and not exists (select 1 from tasks t where t.account_id = r.account_id and t.tracking_request_id = r.id)
           )
           select r.subject_id as "subjectId", r.account_id as "accountId",
                  (select j.failures from subjects j where j.id = r.subject_id) as failures, r.id as "requestId",
                  r.status, r.changed_at as "changedAt", r.lifecycle, r.containers
             from live r order by r.subject_id, r.id`,
    values: [of.subjectIds, of.heldRequestIds],
  })
  return rows
}

/** When a poll target is polled next, how urgently, and in which account's subqueue. */
export interface PollPlan {
  readonly subjectId: string
  readonly at: string
  readonly urgency: Urgency
  readonly accountId: string
}

/**
 * `at` null: nobody wants the poll target polled. A poll target about which only messages come is never planned. A poll
 * that is under way keeps its lease, and a poll that is due stays due: news of the same shipment does not delay it.
 * Poll targets are locked in order of their ids.
 */
export async function setNextPolls(
  db: Db,
  plans: readonly (PollPlan | { readonly subjectId: string; readonly at: null })[],
  now: string,
): Promise<void> {
  if (plans.length === 0) return
  await db.query({
    name: 'subject_plans',
    text: `update subjects s
              set next_look_at = case when k.due_at <= $5 then least(k.due_at, k.at) else k.at end, urgency = coalesce(k.urgency, s.urgency), dealt_to = coalesce(k.account_id, s.dealt_to)
             from (select o.id, case when p.at is not null then o.next_look_at end as due_at, p.at, p.urgency, p.account_id
                     from unnest($1::uuid[], $2::timestamptz[], $3::smallint[], $4::uuid[]) as p (id, at, urgency, account_id)
                     join subjects o on o.id = p.id
                     join channels c on c.id = o.credential_id and c.is_asked
                    order by o.id for no key update of o) k
            where s.id = k.id`,
    values: [
      plans.map(({ subjectId }) => subjectId),
      plans.map(({ at }) => at),
      plans.map((plan) => (plan.at === null ? null : urgencies.indexOf(plan.urgency))),
      plans.map((plan) => (plan.at === null ? null : plan.accountId)),
      now,
    ],
  })
}
