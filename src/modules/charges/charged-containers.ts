/**
 * Containers as their charges are read from them: the stored projection, every statement on holds, and the reported
 * days.
 */

import type { Db } from '../../db/database.ts'
import type { ChargedContainer } from '../../domain/charges/evidence.ts'
import { type ChargeClaim, type ChargedRow, chargeClaimsOf } from './charged-containers-sql.ts'

export async function readChargedContainers(
  db: Db,
  { accountId, rows }: { readonly accountId: string; readonly rows: readonly ChargedRow[] },
): Promise<readonly (ChargedContainer & Pick<ChargedRow, 'id' | 'shipmentId' | 'createdAt'>)[]> {
  const shipmentIds = [...new Set(rows.map((row) => row.shipmentId))]
  const claims = Map.groupBy(await chargeClaimsOf(db, { accountId, shipmentIds }), ({ shipmentId }) => shipmentId)
  return rows.map(({ id, shipmentId, createdAt, container, scac, shipment }) => {
    const applicableClaims = claimsForContainer(claims.get(shipmentId) ?? [], container.number)
    return {
      id,
      shipmentId,
      createdAt,
      container,
      scac,
      bill: shipment.billOfLadingNumber,
      holdClaims: applicableClaims.filter(isHoldClaim),
      facts: applicableClaims.filter((claim) => !isHoldClaim(claim)),
    }
  })
}

/** A statement that names no container is about each container of the shipment. */
export function claimsForContainer(claims: readonly ChargeClaim[], number: string): readonly ChargeClaim[] {
  return claims.filter(({ observation: { equipment } }) => equipment === null || equipment === number)
}

export function isHoldClaim({ observation: { fact } }: ChargeClaim): boolean {
  return fact === 'hold' || fact === 'holds'
}
