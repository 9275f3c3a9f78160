/** The pages of containers and shipments, for the resources and for `fetch`. */

import type { Context } from '../../../service/context.ts'
import { journeyNow, type Service } from '../../../service/service.ts'
import { getContainerWithShipment } from '../../../service/tracking/containers/get-container.ts'
import { getShipment } from '../../../service/tracking/shipments/get-shipment.ts'
import { shipmentStatus } from '../../../service/tracking/shipments/shipment-status.ts'
import { listTransportEvents } from '../../../service/tracking/transport-events/list-transport-events.ts'
import { writeContainerPage, writeShipmentPage } from './container-page.ts'

interface Reader {
  readonly service: Service
  readonly context: Context
}

export async function readContainerPage({ service, context }: Reader, id: string): Promise<string> {
  const found = await getContainerWithShipment(service, context, { id })
  const events = await listTransportEvents(service, context, { containerIds: [id] })
  return writeContainerPage({ ...found, now: journeyNow(service, context.account.isFiction) }, events)
}

export async function readShipmentPage({ service, context }: Reader, id: string): Promise<string> {
  const shipment = await getShipment(service, context, { id })
  return writeShipmentPage(shipment, shipmentStatus(shipment))
}
