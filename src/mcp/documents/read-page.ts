/** The pages of containers and shipments, for the resources and for `fetch`. */

import { shipmentStatus } from '../../domain/view/shipment-status.ts'
import type { Context } from '../../modules/access/context.ts'
import { getContainerWithShipment } from '../../modules/containers/get-container.ts'
import { journeyNow, type Service } from '../../modules/service.ts'
import { getShipment } from '../../modules/shipments/get-shipment.ts'
import { listTransportEvents } from '../../modules/transport-events/list-transport-events.ts'
import { writeContainerPage, writeShipmentPage } from './container-page.ts'

interface PageReader {
  readonly service: Service
  readonly context: Context
}

export async function readContainerPage({ service, context }: PageReader, id: string): Promise<string> {
  const found = await getContainerWithShipment(service, context, { id })
  const events = await listTransportEvents(service, context, { containerIds: [id] })
  return writeContainerPage({ ...found, now: journeyNow(service, context.account.isSandbox) }, events)
}

export async function readShipmentPage({ service, context }: PageReader, id: string): Promise<string> {
  const shipment = await getShipment(service, context, { id })
  return writeShipmentPage(shipment, shipmentStatus(shipment))
}
