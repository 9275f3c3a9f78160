/** What is expected of each container, which must be decided again, and how long the steps of others took. */

import type { Db } from '../../db/database.ts'
import type { RowOfAccount } from '../../db/distributed/acquire-per-account.ts'
import { getJsonInstant } from '../../db/listing/json-instant.ts'
import { boundsOf, type Page, type PageRequest } from '../../db/listing/page.ts'
import type { Expectation } from '../../domain/view/expectation.ts'
import type { FollowedContainer, ReportTimes, StepTime } from '../../domain/view/expected-steps.ts'
import { pollTargetIdsSql } from '../../pipeline/polling/last-polled-sql.ts'

/** Of all accounts: what was asked, then what is due. */
export async function findDueExpectations(
  db: Db,
  of: { readonly journeyNow: string; readonly sandboxNow: string; readonly limit: number },
): Promise<readonly RowOfAccount[]> {
  const { rows } = await db.query<RowOfAccount>({
    name: 'container_expectations_due',
    text: `(select e.account_id as "accountId", e.container_id as id
              from container_expectations e where e.is_asked limit $3)
            union
           (select e.account_id, e.container_id
              from container_expectations e join accounts a on a.id = e.account_id
             where e.overdue_at is null and e.due_at <= greatest($1::timestamptz, $2::timestamptz)
               and e.due_at <= case when a.is_fiction then $2::timestamptz else $1::timestamptz end
             order by e.due_at limit $3)`,
    values: [of.journeyNow, of.sandboxNow, of.limit],
  })
  return rows
}

/** What is read of a container: these fields of its projection. */
const parts = ['status', 'milestones', 'portOfDischarge', 'destination', 'podEta', 'isTerminated']
  .map((name) => `'${name}', c.projection -> '${name}'`)
  .join(', ')

export interface ExpectedRow {
  readonly id: string
  readonly shipmentId: string
  readonly number: string
  readonly scac: string
  readonly isSandbox: boolean
  readonly isTracked: boolean
  readonly container: FollowedContainer & { readonly isTerminated: boolean }
  readonly told: ReportTimes
  readonly before: Expectation | null
  readonly overdueAt: string | null
}

/** Locks those that no other worker has. A writer of a container waits, and asks for it again afterwards. */
export async function lockExpectations(
  db: Db,
  of: { readonly accountId: string; readonly ids: readonly string[] },
): Promise<readonly string[]> {
  const { rows } = await db.query<{ id: string }>({
    name: 'container_expectations_lock',
    text: `select container_id as id from container_expectations
            where account_id = $1 and container_id = any($2::uuid[])
            order by container_id for update skip locked`,
    values: [of.accountId, of.ids],
  })
  return rows.map(({ id }) => id)
}

/** To be read after they are locked. */
export async function readExpectedRows(
  db: Db,
  of: { readonly accountId: string; readonly ids: readonly string[] },
): Promise<readonly ExpectedRow[]> {
  const { rows } = await db.query<ExpectedRow>({
    name: 'expected_containers',
    text: `select c.id, c.shipment_id as "shipmentId", c.number, s.scac, a.is_fiction as "isSandbox",
                  s.tracking_stopped_at is null as "isTracked", e.expected as before, e.overdue_at as "overdueAt",
                  jsonb_build_object(${parts}) as container,
                  coalesce((select jsonb_object_agg(t.key, t.told_at)
                     from (select replace(event, 'container.transport.', '') || ' ' || call_key as key, min(created_at) as told_at
                             from transport_events
                            where account_id = $1 and container_id = c.id and call_key is not null group by 1) t), '{}') as told
             from container_expectations e
             join containers c on c.account_id = $1 and c.id = e.container_id
             join shipments s on s.account_id = $1 and s.id = c.shipment_id
             join accounts a on a.id = c.account_id
            where e.account_id = $1 and e.container_id = any($2::uuid[])
            order by c.id`,
    values: [of.accountId, of.ids],
  })
  return rows
}

/** How many of the newest tell the usual time. */
const newest = 500

export interface PastTimes {
  readonly step: string
  readonly scac: string
  readonly hours: readonly number[]
  /** Of each of `hours`. */
  readonly places: readonly (string | null)[]
}

/** The newest times of each of these steps with these lines. */
export async function readPastTimes(
  db: Db,
  of: { readonly accountId: string; readonly steps: readonly string[]; readonly scacs: readonly string[] },
): Promise<readonly PastTimes[]> {
  const { rows } = await db.query<PastTimes>({
    name: 'step_times_newest',
    text: `select k.step, k.scac, p.hours, p.places
             from unnest($2::text[], $3::text[]) as k (step, scac)
            cross join lateral (
              select coalesce(array_agg(n.hours), '{}') as hours, coalesce(array_agg(n.place), '{}') as places
                from (select t.hours, t.place from step_times t
                       where t.account_id = $1 and t.step = k.step and t.scac = k.scac
                       order by t.ended_at desc limit ${newest}) n) p`,
    values: [of.accountId, of.steps, of.scacs],
  })
  return rows
}

export interface DecidedRow {
  readonly id: string
  readonly expected: Expectation
  readonly dueAt: string | null
  readonly overdueAt: string | null
}

/** `over`: containers of which nothing is expected. */
export async function putExpectations(
  db: Db,
  of: { readonly accountId: string; readonly decided: readonly DecidedRow[]; readonly over: readonly string[] },
): Promise<void> {
  await db.query({
    name: 'container_expectations_drop',
    text: 'delete from container_expectations where account_id = $1 and container_id = any($2::uuid[])',
    values: [of.accountId, of.over],
  })
  await db.query({
    name: 'container_expectations_put',
    text: `update container_expectations e
              set expected = d.expected, is_asked = false, due_at = d."dueAt", overdue_at = d."overdueAt"
             from jsonb_to_recordset($2::jsonb)
                  as d (id uuid, expected jsonb, "dueAt" timestamptz, "overdueAt" timestamptz)
            where e.account_id = $1 and e.container_id = d.id`,
    values: [of.accountId, JSON.stringify(of.decided)],
  })
}

/** Replaces the times of these containers. Those that stay the same are not written. */
export async function putStepTimes(
  db: Db,
  of: {
    readonly accountId: string
    readonly containerIds: readonly string[]
    readonly times: readonly (StepTime & {
      readonly containerId: string
      readonly scac: string
      readonly ordinal: number
    })[]
  },
): Promise<void> {
  await db.query({
    name: 'step_times_put',
    text: `with made as materialized (
             select * from jsonb_to_recordset($3::jsonb)
                 as m ("containerId" uuid, step text, ordinal smallint, scac text, place text, hours real, "endedAt" timestamptz)
           ), gone as (
             delete from step_times t
              where t.account_id = $1 and t.container_id = any($2::uuid[])
                and not exists (select from made m where m."containerId" = t.container_id and m.step = t.step and m.ordinal = t.ordinal)
           )
           insert into step_times as t (account_id, container_id, step, ordinal, scac, place, hours, ended_at)
           select $1, "containerId", step, ordinal, scac, place, hours, "endedAt" from made order by 2, 3, 4
           on conflict (account_id, container_id, step, ordinal) do update
              set scac = excluded.scac, place = excluded.place, hours = excluded.hours, ended_at = excluded.ended_at
            where (t.scac, t.place, t.hours, t.ended_at)
                  is distinct from (excluded.scac, excluded.place, excluded.hours, excluded.ended_at)`,
    values: [of.accountId, of.containerIds, JSON.stringify(of.times)],
  })
}

/** When the line of each shipment answered last; shipments about which it is not polled are missing. */
export async function readLastAnswers(
  db: Db,
  of: { readonly accountId: string; readonly shipmentIds: readonly string[] },
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await db.query<{ id: string; at: string | null }>({
    name: 'expected_last_answers',
    text: `with s as materialized (
             select s.id, ${pollTargetIdsSql('s.id')}
               from shipments s where s.account_id = $1 and s.id = any($2::uuid[]))
           select s.id, l.at from s cross join lateral (
             select max(coalesce(u.last_succeeded_at, u.created_at)) as at
               from subjects u where u.id = any(s.subject_ids) and u.next_look_at is not null) l`,
    values: [of.accountId, of.shipmentIds],
  })
  return new Map(rows.flatMap(({ id, at }) => (at === null ? [] : [[id, at] as const])))
}

export type ExpectationRow = Pick<DecidedRow, 'id' | 'expected' | 'overdueAt'>

/** Of the containers of a shipment, in the order of their numbers. */
export async function readExpectations(
  db: Db,
  of: { readonly accountId: string; readonly shipmentId: string; readonly page: PageRequest },
): Promise<Page<ExpectationRow>> {
  const { rows } = await db.query<{ row: ExpectationRow | null; total: number }>({
    name: 'read_expectations',
    text: `with found as (
             select c.id, c.number, c.trip, e.expected, e.overdue_at
               from containers c join container_expectations e on e.account_id = $1 and e.container_id = c.id
              where c.account_id = $1 and c.shipment_id = $2 and e.expected is not null and e.due_at is not null)
           select case when f.id is null then null
                       else jsonb_build_object('id', f.id, 'expected', f.expected, 'overdueAt', f.overdue_at) end as row,
                  (select count(*)::int from found) as total
             from (select 1) one left join (select * from found order by number, trip limit $3 offset $4) f on true
            order by f.number, f.trip`,
    values: [of.accountId, of.shipmentId, ...boundsOf(of.page)],
  })
  return {
    rows: rows.flatMap(({ row }) =>
      row === null ? [] : [{ ...row, overdueAt: row.overdueAt === null ? null : getJsonInstant(row.overdueAt) }],
    ),
    total: rows[0]?.total ?? 0,
  }
}
