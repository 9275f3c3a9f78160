/**
 * Judges the estimates of shipments when their arrival becomes known or changes. Triggers leave word in
 * `eta_outcomes_due`; one transaction makes the rows of some shipments and deletes the word.
 */

import { type Db, inTransaction } from '../../db/database.ts'
import { findCountedArrival, judgeEtas } from '../../domain/scorecards/eta-outcomes.ts'
import type { Service } from '../service.ts'
import {
  type DueShipments,
  deleteDueShipments,
  lockDueShipments,
  readArrivedShipments,
  replaceEtaOutcomes,
} from './eta-outcomes-sql.ts'

/** Shipments of one transaction. */
const scoredAtOnce = 200

/** Works on one account; returns how many shipments it scored. */
export async function scoreDueEtas(service: Pick<Service, 'pool'>): Promise<number> {
  return inTransaction(service.pool, async (db) => {
    const due = await lockDueShipments(db, scoredAtOnce)
    if (due === null) return 0
    await scoreShipments(db, due)
    await deleteDueShipments(db, due)
    return due.shipmentIds.length
  })
}

export async function scoreShipments(db: Db, due: DueShipments): Promise<void> {
  const judged = (await readArrivedShipments(db, due)).flatMap((shipment) => {
    const arrival = findCountedArrival(shipment, shipment.containers)
    return arrival === null ? [] : [{ ...shipment, arrival, outcomes: judgeEtas(shipment.etas, arrival) }]
  })
  await replaceEtaOutcomes(db, { ...due, judged })
}
