/** Containers whose first charged day begins by a moment, or has begun, and whose clock runs. */

import type { Db } from '../../db/database.ts'
import type { AttentionCharges } from '../../domain/charges/attention-of-charges.ts'
import { addDays, addMs } from '../../domain/values/time.ts'
import { overdueDaysMax, soonMs } from '../../domain/view/attention-reasons.ts'
import {
  type AttentionQuestion,
  buildNarrowing,
  createAttentionBinder,
  ofContainers,
} from './attention-narrowing-sql.ts'

/** A shipment and a container are found by the indexes of the tallies. */
const ofTallies = { ...ofContainers, subject: 't.container_id', shipment: 't.shipment_id' }

/** The statement has no name: it is planned for its own values. */
export async function readAttentionCharges(db: Db, question: AttentionQuestion): Promise<readonly AttentionCharges[]> {
  const { values, bind } = createAttentionBinder(question)
  const narrowed = buildNarrowing('will_cost', question, { columns: ofTallies, bind })
  const { rows } = await db.query<AttentionCharges>({
    text: `select c.id, c.shipment_id as "shipmentId", c.number, c.status, t.tally
             from charge_tallies t
             join containers c on c.account_id = $1 and c.id = t.container_id
             join shipments s on s.account_id = $1 and s.id = c.shipment_id
            where t.account_id = $1 and t.costs_from is not null
              and t.costs_from between ${bind(addDays(question.now, -overdueDaysMax))} and ${bind(addMs(question.now, soonMs))}
              and s.tracking_stopped_at is null ${narrowed}
            order by t.costs_from desc, t.container_id limit ${bind(question.limit)}`,
    values,
  })
  return rows
}
