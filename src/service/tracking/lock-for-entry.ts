/**
 * What comes before every entry about a shipment: its lock, the moment before which nothing may be recorded, and the
 * merge rules of this program. One that older rules folded last is taken over first, by an entry of its own.
 */

import { rulesVersion } from '../../core/projection-rules.ts'
import { compareInstants } from '../../core/time.ts'
import type { Db } from '../../store/database.ts'
import { tablesOf } from '../../store/fold-tables.ts'
import { appendEntry } from '../../store/ledger.ts'
import { setRules } from '../../store/shipment-rules.ts'
import { lockShipmentFloor, type ShipmentFloor } from '../../store/shipments.ts'
import { readStood } from '../../store/stood.ts'
import type { Fold } from '../ledger/fold.ts'
import { applyReprojected } from './apply-reprojected.ts'

interface Of {
  readonly accountId: string
  readonly shipmentId: string
  /** ISO instant on the journey clock. */
  readonly now: string
}

/** Null when there is no such shipment. The caller has locked the requests that the entry will change. */
export async function lockForEntry(db: Db, fold: Fold, of: Of): Promise<ShipmentFloor | null> {
  const key = { accountId: of.accountId, id: of.shipmentId }
  const floor = await lockShipmentFloor(db, key)
  if (floor === null || floor.rules === rulesVersion) return floor
  await takeOver(db, fold, of, floor)
  return lockShipmentFloor(db, key)
}

/**
 * Writes the entry by which the rules of this program take the shipment over. What a newer program has taken over
 * meanwhile is only marked as folded by older rules again: that program takes it over once more. True: it changed.
 */
export async function takeOver(db: Db, fold: Fold, of: Of, floor: ShipmentFloor): Promise<boolean> {
  const { accountId, shipmentId, now } = of
  await setRules(db, { accountId, shipmentId, rules: rulesVersion })
  if (floor.rules > rulesVersion) return false
  const stood = await readStood(db, { accountId, shipmentId })
  if (stood === null) return false
  const entry = await appendEntry(db, {
    accountId,
    kind: 'reprojected',
    trackingRequestId: null,
    shipmentId,
    subjectId: null,
    snapshotId: null,
    reader: null,
    recordedAt: notBefore(now, floor.updatedAt),
    payload: {
      from: floor.rules,
      to: rulesVersion,
      stood,
      ...(!fold.rules.announcesMended && { isQuiet: true }),
    },
  })
  return (await applyReprojected(tablesOf(db), fold, entry)).isChanged
}

/** The later of the two: a clock that was set back must not turn the ledger's order around. */
export function notBefore(now: string, floor: string): string {
  return compareInstants(now, floor) < 0 ? floor : now
}
