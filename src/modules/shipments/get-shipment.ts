/** One shipment of the account, or several by id for callers that read related resources. */

import type { OwnEta } from '../../domain/vessels/own-eta.ts'
import { type Context, requireScope } from '../access/context.ts'
import { notFound } from '../errors.ts'
import { journeyNow, type Service } from '../service.ts'
import {
  readShipmentFacilities,
  readShipments,
  type ShipmentFacilities,
  type ShipmentReading,
} from './list-shipments-sql.ts'

export async function getShipment(
  service: Service,
  context: Context,
  input: { readonly id: string },
): Promise<ShipmentReading> {
  const [shipment] = await getShipments(service, context, { ids: [input.id] })
  if (shipment === undefined) throw notFound('shipment')
  return shipment
}

/** Returns those of the ids that the account has, in no order. */
export async function getShipments(
  service: Service,
  context: Context,
  input: { readonly ids: readonly string[] },
): Promise<readonly ShipmentReading[]> {
  requireScope(context, 'read')
  const shipments = await readShipments(service.pool, { accountId: context.account.id, ids: input.ids })
  const now = journeyNow(service, context.account.isSandbox)
  return shipments.map((each) => hideCustomerIfEmbedded(context, withdrawOldEta(each, now)))
}

/** A range that is narrower allows for positions as old as this, too. */
const silentMsMin = 12 * 3_600_000

/**
 * Whether the range still holds: the ship's position may be as old as the range is wide. Without news for longer,
 * nobody knows what the range would be now.
 */
export function isRangeStanding(eta: Pick<OwnEta, 'earliest' | 'latest' | 'fixAt'>, now: string): boolean {
  const widthMs = Date.parse(eta.latest) - Date.parse(eta.earliest)
  return Date.parse(now) - Date.parse(eta.fixAt) <= Math.max(silentMsMin, widthMs)
}

/** The very same reading when there is nothing to withdraw. */
export function withdrawOldEta(shipment: ShipmentReading, now: string): ShipmentReading {
  const { ownEta } = shipment
  return ownEta === null || isRangeStanding(ownEta, now) ? shipment : { ...shipment, ownEta: null }
}

/** A page that anybody may open is not shown the customer. */
export function hideCustomerIfEmbedded(context: Context, shipment: ShipmentReading): ShipmentReading {
  return context.isEmbedded === true ? { ...shipment, customerId: null, customerName: null } : shipment
}

/** The place of pick-up is read only for shipments that go on inland. For the others it is the terminal at the port. */
export async function getShipmentFacilities(
  service: Service,
  context: Context,
  input: { readonly shipments: readonly ShipmentReading[] },
): Promise<readonly ShipmentFacilities[]> {
  requireScope(context, 'read')
  const inland = input.shipments.filter(({ projection }) => projection.destination !== null)
  return readShipmentFacilities(service.pool, {
    accountId: context.account.id,
    ids: input.shipments.map(({ id }) => id),
    inlandIds: inland.map(({ id }) => id),
  })
}
