/** A shipment with one box, of which bill and box say the same. */

import type { Db } from '../../src/db/database.ts'
import type { EventObservation } from '../../src/domain/statements/observation.ts'
import type { ContainerProjection } from '../../src/domain/view/projection.ts'
import { saveStates } from '../../src/pipeline/projection/save-states-sql.ts'
import * as made from './state-rows.ts'

export interface TrackedBox {
  readonly billId: string
  readonly boxId: string
  readonly shipmentId: string
  readonly boxRequestId: string
}

/** Subjects are shared by accounts that name the same bill or box. */
export async function trackBox(
  db: Db,
  of: {
    readonly accountId: string
    readonly bill: string
    readonly box: string
    /** False: the account asks by the number of the box alone. */
    readonly asksForBill?: boolean
    /** The ship that has the box on board. */
    readonly imo?: string
  },
): Promise<TrackedBox> {
  const { accountId, bill, box, imo = null } = of
  const billId = await made.makeSubject(db, bill)
  const boxId = await made.makeSubject(db, box)
  const row = made.shipmentRow({ accountId, normalizedNumber: bill })
  const projection = { status: 'on_ship', milestones: [{ kind: 'actual', vessel: { imo } }] }
  const container = made.containerRow(row.id, box, {
    projection: projection as unknown as ContainerProjection,
  })
  const observation = { kind: 'event', key: box, equipment: box } as EventObservation
  const said = (subjectId: string) => made.byId(made.claimRow(`${accountId} ${subjectId}`, { subjectId, observation }))
  const asksOf = (number: string, subjectId: string) =>
    made.requestRow({ accountId, number, subjectId, shipmentId: row.id })
  const boxRequest = asksOf(box, boxId)
  await saveStates(db, {
    before: { state: made.emptyState(accountId), locked: new Set() },
    after: made.emptyState(accountId, {
      requests: made.byId(boxRequest, ...(of.asksForBill === false ? [] : [asksOf(bill, billId)])),
      shipments: new Map([[row.id, made.shipmentState(row, { containers: [container] })]]),
      claimsByTarget: new Map([billId, boxId].map((id) => [id, said(id)])),
    }),
    yields: [],
  })
  return { billId, boxId, shipmentId: row.id, boxRequestId: boxRequest.id }
}
