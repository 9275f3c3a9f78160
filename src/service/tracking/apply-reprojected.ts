/** Folds the entry by which newer merge rules take a shipment over: what they make otherwise is announced as corrections. */

import type { FoldTables } from '../../store/fold-tables.ts'
import type { EntryOf } from '../../store/ledger.ts'
import type { Fold } from '../ledger/fold.ts'
import { trackingFacts } from '../ledger/journey-facts.ts'
import { type Projected, projectAndWrite } from './project-shipment.ts'

/** The shipment stands as it stood before the entry. Requests whose tracking it concerns decide in entries of their own. */
export async function applyReprojected(
  tables: FoldTables,
  fold: Fold,
  entry: EntryOf<'reprojected'>,
): Promise<Projected> {
  const { accountId, shipmentId, recordedAt, payload } = entry
  if (shipmentId === null) throw new Error(`entry ${entry.position} names no shipment`)
  const locked = await tables.lockShipment({ accountId, id: shipmentId })
  if (locked === null) throw new Error(`shipment ${shipmentId} is gone`)
  const isQuiet = payload.isQuiet === true
  const projected = await projectAndWrite(tables, fold, { entry, locked, heardFirst: [], isQuiet })
  // Of a shipment that was only looked through nothing is new, and no request has anything to decide.
  if (projected.isChanged)
    await tables.ringForSiblings({
      accountId,
      shipmentId,
      requestId: null,
      facts: trackingFacts(projected.projection, recordedAt),
      at: recordedAt,
    })
  return projected
}
