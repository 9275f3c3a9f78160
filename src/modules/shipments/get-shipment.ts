/** One shipment of the account, or several by id for callers that read related resources. */

import { type Context, requireScope } from '../access/context.ts'
import { notFound } from '../errors.ts'
import type { Service } from '../service.ts'
import {
  readShipmentFacilities,
  readShipments,
  type ShipmentFacilities,
  type ShipmentReading,
} from './list-shipments-sql.ts'
import { withdrawOldEta } from './standing-eta.ts'

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
  return shipments.map((each) => hideCustomerIfEmbedded(context, withdrawOldEta(service, context, each)))
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
