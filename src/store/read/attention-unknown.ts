/** How many containers or shipments there are of which nobody has said whether a reason holds. */

import type { AttentionReason } from '../../core/shown/attention-reasons.ts'
import type { Db } from '../database.ts'
import { arrived } from './attention-boxes.ts'
import { type AttentionQuestion, narrow, ofBoxes, ofShipments, openQuestion } from './attention-narrowing.ts'

const underWay = `s.tracking_stopped_at is null and s.status in ('pending', 'in_transit')`
const box = (where: string) =>
  `containers c join shipments s on s.account_id = $1 and s.id = c.shipment_id and s.tracking_stopped_at is null
    where c.account_id = $1 and ${where}`
const shipment = (where: string) => `shipments s where s.account_id = $1 and ${underWay} and ${where}`

/** The reasons that are missing here are always known. */
export const unknowns = {
  free_time_ended: box(`${arrived} and c.lfd_on = 'infinity'`),
  free_time_ends_soon: box(`${arrived} and c.lfd_on = 'infinity'`),
  will_cost: box(
    `${arrived} and not exists (select from charge_tallies t where t.account_id = $1 and t.container_id = c.id
                                   and jsonb_path_exists(t.tally, '$.terms[*] ? (@.missing == null)'))`,
  ),
  held: box(`${arrived} and c.hold_names = '{}' and c.projection ->> 'available' is null`),
  fees: box(
    `${arrived} and c.projection -> 'fees' = '[]' and c.projection #> '{saidBy,fees}' is null and c.projection #> '{saidBy,fee}' is null`,
  ),
  waiting_for_train: box(`c.status = 'awaiting_inland_transfer' and discharged_at(c.projection) is null`),
  eta_moved: shipment(`s.eta_at = 'infinity'`),
  rolled: shipment(`s.projection -> 'originalEtd' = 'null'`),
} as const satisfies Partial<Record<AttentionReason, string>>

/** Null for more than `max`. */
export async function countAttentionUnknown(
  db: Db,
  reason: keyof typeof unknowns,
  { max, ...asked }: AttentionQuestion & { readonly max: number },
): Promise<number | null> {
  const { values, bind } = openQuestion(asked)
  const from = unknowns[reason]
  const columns = from.startsWith('containers') ? ofBoxes : ofShipments
  const narrowed = narrow(reason, { ...asked, snoozed: 'all' }, { columns, bind })
  const { rows } = await db.query<{ count: number }>({
    text: `select count(*)::int as count from (select from ${from} ${narrowed} limit ${bind(max + 1)}) as few`,
    values,
  })
  const count = rows[0]?.count ?? 0
  return count > max ? null : count
}
