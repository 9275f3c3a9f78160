/** How many containers or shipments there are for which no source has stated whether a reason holds. */

import type { Db } from '../../db/database.ts'
import type { AttentionReason } from '../../domain/view/attention-reasons.ts'
import { arrived } from './attention-containers-sql.ts'
import {
  type AttentionQuestion,
  buildNarrowing,
  createAttentionBinder,
  ofContainers,
  ofShipments,
} from './attention-narrowing-sql.ts'

const underWay = `s.tracking_stopped_at is null and s.status in ('pending', 'in_transit')`
const containersWhere = (where: string) =>
  `containers c join shipments s on s.account_id = $1 and s.id = c.shipment_id and s.tracking_stopped_at is null
    where c.account_id = $1 and ${where}`
const shipmentsWhere = (where: string) => `shipments s where s.account_id = $1 and ${underWay} and ${where}`

/** The reasons that are missing here are always known. */
export const unknowns = {
  free_time_ended: containersWhere(`${arrived} and c.free_on = 'infinity'`),
  free_time_ends_soon: containersWhere(`${arrived} and c.free_on = 'infinity'`),
  will_cost: containersWhere(
    `${arrived} and not exists (select from charge_tallies t where t.account_id = $1 and t.container_id = c.id
                                   and jsonb_path_exists(t.tally, '$.terms[*] ? (@.missing == null)'))`,
  ),
  held: containersWhere(`${arrived} and c.hold_names = '{}' and c.projection ->> 'available' is null`),
  fees: containersWhere(
    `${arrived} and c.projection -> 'fees' = '[]' and c.projection #> '{saidBy,fees}' is null and c.projection #> '{saidBy,fee}' is null`,
  ),
  waiting_for_train: containersWhere(`c.status = 'awaiting_inland_transfer' and discharged_at(c.projection) is null`),
  overdue: containersWhere(
    `(${arrived} or c.status in ('on_ship', 'picked_up')) and not exists (
       select from container_expectations e where e.account_id = $1 and e.container_id = c.id and e.due_at is not null)`,
  ),
  eta_moved: shipmentsWhere(`s.eta_at = 'infinity'`),
  rolled: shipmentsWhere(`s.projection -> 'originalEtd' = 'null'`),
} as const satisfies Partial<Record<AttentionReason, string>>

/** Null for more than `max`. */
export async function countAttentionUnknown(
  db: Db,
  reason: keyof typeof unknowns,
  { max, ...question }: AttentionQuestion & { readonly max: number },
): Promise<number | null> {
  const { values, bind } = createAttentionBinder(question)
  const from = unknowns[reason]
  const columns = from.startsWith('containers') ? ofContainers : ofShipments
  const narrowed = buildNarrowing(reason, { ...question, snoozed: 'all' }, { columns, bind })
  const { rows } = await db.query<{ count: number }>({
    text: `select count(*)::int as count from (select from ${from} ${narrowed} limit ${bind(max + 1)}) as few`,
    values,
  })
  const count = rows[0]?.count ?? 0
  return count > max ? null : count
}
