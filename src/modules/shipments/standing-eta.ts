/** Our own estimate is shown while the positions that it is made of are not older than its range allows. */

import { isRangeStanding } from '../../domain/vessels/own-eta.ts'
import type { Context } from '../access/context.ts'
import { journeyNow, type Service } from '../service.ts'
import type { ShipmentReading } from './list-shipments-sql.ts'

/** The very same reading when there is nothing to withdraw. */
export function withdrawOldEta(service: Service, context: Context, shipment: ShipmentReading): ShipmentReading {
  const { ownEta } = shipment
  if (ownEta === null || isRangeStanding(ownEta, journeyNow(service, context.account.isSandbox))) return shipment
  return { ...shipment, ownEta: null }
}
