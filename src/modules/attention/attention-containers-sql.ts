/**
 * Containers of which a reason for attention holds, in the order of the list. The statements have no name: each is
 * planned for its own values, because a filter for one shipment needs another plan than the whole account.
 */

import type { Db } from '../../db/database.ts'
import type { Binder } from '../../db/listing/conditions.ts'
import { getJsonInstant } from '../../db/listing/json-instant.ts'
import { addDays, addMs } from '../../domain/values/time.ts'
import type { AttentionContainer, ContainerReason } from '../../domain/view/attention-of-containers.ts'
import { overdueDaysMax, soonMs, trainDays } from '../../domain/view/attention-reasons.ts'
import type { Expectation } from '../../domain/view/expectation.ts'
import { readLastAnswers } from '../overdue/expectations-sql.ts'
import {
  type AttentionQuestion,
  buildNarrowing,
  createAttentionBinder,
  ofContainers,
} from './attention-narrowing-sql.ts'

/** The same list as in the domain. */
const waiting = `c.status in ('on_ship', 'grounded', 'available', 'not_available', 'awaiting_inland_transfer', 'on_rail')`
export const arrived = `c.status in ('grounded', 'available', 'not_available', 'awaiting_inland_transfer', 'on_rail')`
const freeDay = 'c.free_on'
/** When the last free day ends at the place. */
const freeEnds = `moment_of(jsonb_build_object('kind', 'day', 'on', (${freeDay} + 1)::text), c.projection ->> 'pickupTimeZone')`

interface ContainerSearch {
  readonly where: string
  readonly order: string
  /** Alias `e`: what is expected of the container. */
  readonly isExpected?: boolean
  /** The field whose last change is wanted, by its name on the wire. */
  readonly change: string | null
}

const hourMs = 3_600_000

/** A day ends at most 14 hours before it ends in UTC, and 12 hours after, so the index is read for those days alone. */
type BuildSearch = (now: string, bind: Binder['bind']) => ContainerSearch

const searches: Readonly<Record<ContainerReason, BuildSearch>> = {
  free_time_ended: (now, bind) => ({
    where: `${waiting} and ${freeDay} between ${bind(addDays(now, -overdueDaysMax))}::date and ${bind(addMs(now, -10 * hourMs))}::date
      and ${freeEnds} <= ${bind(now)}`,
    order: `${freeDay} desc, c.id`,
    change: null,
  }),
  free_time_ends_soon: (now, bind) => ({
    where: `${waiting} and ${freeDay} between ${bind(addMs(now, -36 * hourMs))}::date and ${bind(addMs(now, soonMs - 10 * hourMs))}::date
      and ${freeEnds} > ${bind(now)} and ${freeEnds} <= ${bind(addMs(now, soonMs))}`,
    // The index, backwards.
    order: `${freeDay}, c.id desc`,
    change: null,
  }),
  held: () => ({
    where: `${arrived} and c.hold_names <> '{}'`,
    order: 'c.updated_at desc, c.id',
    change: 'holds_at_pod_terminal',
  }),
  fees: () => ({
    where: `${arrived} and c.projection -> 'fees' <> '[]'`,
    order: 'c.updated_at desc, c.id',
    change: 'fees_at_pod_terminal',
  }),
  waiting_for_train: (now, bind) => ({
    where: `c.status = 'awaiting_inland_transfer' and discharged_at(c.projection) <= ${bind(addDays(now, -trainDays))}
      and discharged_at(c.projection) > ${bind(addDays(now, -overdueDaysMax))}`,
    order: 'discharged_at(c.projection) desc, c.id',
    change: null,
  }),
  overdue: (now, bind) => ({
    where: `e.overdue_at <= ${bind(now)} and e.overdue_at > ${bind(addDays(now, -overdueDaysMax))}`,
    order: 'e.overdue_at desc, e.container_id',
    isExpected: true,
    change: null,
  }),
}

const fields = ['status', 'freeTime', 'pickupTimeZone', 'holds', 'fees', 'saidBy', 'heardAt'] as const

export async function readAttentionContainers(
  db: Db,
  reason: ContainerReason,
  question: AttentionQuestion,
): Promise<readonly AttentionContainer[]> {
  const { values, bind } = createAttentionBinder(question)
  const { where, order, change, isExpected = false } = searches[reason](question.now, bind)
  const narrowed = buildNarrowing(reason, question, { columns: ofContainers, bind })
  const lastChange =
    change === null
      ? 'null'
      : `(select json_build_object('at', e.created_at, 'before', e.payload #> '{changeset,${change},0}')
            from events e
           where e.account_id = $1 and e.shipment_id = f.shipment_id and e.container_id = f.id and e.sequence is not null
             and e.name = 'container.updated' and e.payload -> 'changeset' ? '${change}'
           order by e.sequence desc limit 1)`
  const { rows } = await db.query<{
    box: Omit<AttentionContainer, 'overdue'> & {
      readonly overdue: { readonly expected: Expectation; readonly scac: string } | null
    }
  }>({
    text: `select jsonb_build_object('id', f.id, 'shipmentId', f.shipment_id, 'number', f.number, 'createdAt', f.created_at,
                    ${fields.map((name) => `'${name}', f.projection -> '${name}'`).join(', ')},
                    'happened', jsonb_path_query_array(f.projection, '$.milestones[*] ? (@.kind == "actual").name'),
                    'calculatedFreeDays', (select free_days_of_tally(t.tally) from charge_tallies t where t.account_id = $1 and t.container_id = f.id),
                    'discharged', jsonb_path_query_array(f.projection,
                       '$.milestones[*] ? (@.kind == "actual" && @.name == "vessel_discharged")') -> -1,
                    'lastChange', ${lastChange},
                    'overdue', ${isExpected ? `jsonb_build_object('expected', f.expected, 'scac', f.scac)` : 'null'}) as box
             from (select c.id, c.shipment_id, c.number, c.created_at, c.projection${isExpected ? ', e.expected, s.scac' : ''}
                     from containers c join shipments s on s.account_id = $1 and s.id = c.shipment_id
                    ${isExpected ? 'join container_expectations e on e.account_id = $1 and e.container_id = c.id' : ''}
                    where c.account_id = $1 and ${where} and s.tracking_stopped_at is null ${narrowed}
                    order by ${order} limit ${bind(question.limit)}) f`,
    values,
  })
  const answers = isExpected
    ? await readLastAnswers(db, {
        accountId: question.accountId,
        shipmentIds: [...new Set(rows.map(({ box }) => box.shipmentId))],
      })
    : new Map<string, string>()
  return rows.map(({ box }) => ({
    ...box,
    createdAt: getJsonInstant(box.createdAt),
    lastChange: box.lastChange && { ...box.lastChange, at: getJsonInstant(box.lastChange.at) },
    overdue: box.overdue && { ...box.overdue, lastAnswerAt: answers.get(box.shipmentId) ?? null },
  }))
}
