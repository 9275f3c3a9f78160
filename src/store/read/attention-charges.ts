/** Containers whose first charged day begins by a moment, or has begun, and whose clock runs. */

import type { CostingBox } from '../../core/charges/attention-of-charges.ts'
import { overdueDaysMax, soonMs } from '../../core/shown/attention-reasons.ts'
import { addDays, addMs } from '../../core/values/time.ts'
import type { Db } from '../database.ts'
import { type AttentionQuestion, narrow, ofBoxes, openQuestion } from './attention-narrowing.ts'

/** A shipment and a container are found by the indexes of the tallies. */
const ofTallies = { ...ofBoxes, subject: 't.container_id', shipment: 't.shipment_id' }

/** The statement has no name: it is planned for its own values. */
export async function readCostingBoxes(db: Db, asked: AttentionQuestion): Promise<readonly CostingBox[]> {
  const { values, bind } = openQuestion(asked)
  const narrowed = narrow('will_cost', asked, { columns: ofTallies, bind })
  const { rows } = await db.query<CostingBox>({
    text: `select c.id, c.shipment_id as "shipmentId", c.number, t.tally
             from charge_tallies t
             join containers c on c.account_id = $1 and c.id = t.container_id
             join shipments s on s.account_id = $1 and s.id = c.shipment_id
            where t.account_id = $1 and t.costs_from is not null
              and t.costs_from between ${bind(addDays(asked.now, -overdueDaysMax))} and ${bind(addMs(asked.now, soonMs))}
              and s.tracking_stopped_at is null ${narrowed}
            order by t.costs_from desc, t.container_id limit ${bind(asked.limit)}`,
    values,
  })
  return rows
}
