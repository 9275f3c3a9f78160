/** Boxes as their charges are read from them: the stored projection, every word on holds, and the reported days. */

import type { ChargedBox } from '../../../core/charges/evidence.ts'
import type { Db } from '../../../store/database.ts'
import { type ChargeClaim, type ChargedRow, chargeClaimsOf } from '../../../store/read/charged-boxes.ts'

export async function chargedBoxes(
  db: Db,
  { accountId, rows }: { readonly accountId: string; readonly rows: readonly ChargedRow[] },
): Promise<readonly (ChargedBox & Pick<ChargedRow, 'id' | 'shipmentId' | 'createdAt'>)[]> {
  const shipmentIds = [...new Set(rows.map((row) => row.shipmentId))]
  const claims = Map.groupBy(
    await chargeClaimsOf(db, { accountId, shipmentIds }),
    ({ shipmentId }) => shipmentId,
  )
  return rows.map(({ id, shipmentId, createdAt, container, scac, shipment }) => {
    const words = wordsOf(claims.get(shipmentId) ?? [], container.number)
    return {
      id,
      shipmentId,
      createdAt,
      container,
      scac,
      bill: shipment.billOfLadingNumber,
      holdWords: words.filter(isOnHolds),
      facts: words.filter((word) => !isOnHolds(word)),
    }
  })
}

/** What is said of no box is about each box of the shipment. */
export function wordsOf(claims: readonly ChargeClaim[], number: string): readonly ChargeClaim[] {
  return claims.filter(({ observation: { equipment } }) => equipment === null || equipment === number)
}

export function isOnHolds({ observation: { fact } }: ChargeClaim): boolean {
  return fact === 'hold' || fact === 'holds'
}
