/** `list_shipments`: the account's shipments, newest first, with their containers when wanted. */

import { Type } from 'typebox'
import { listContainersOfShipments } from '../../../service/containers/list-containers.ts'
import { listShipments as listRows } from '../../../service/shipments/list-shipments.ts'
import { shipmentStatus } from '../../../service/shipments/shipment-status.ts'
import type { ContainerReading } from '../../../store/read/containers.ts'
import type { ShipmentReading } from '../../../store/read/shipments.ts'
import { fenceUnlessCode } from '../fence.ts'
import { closed, filters, paging, readPage } from '../inputs.ts'
import { writeLabels } from '../labels.ts'
import { filterNames, shipmentFilter, unknownFilters } from '../list-filters.ts'
import { listGuidance, listOf, writeList } from '../lists.ts'
import { writeInstant, writeTime } from '../local-time.ts'
import { placeSchema, writePlace } from '../places.ts'
import { list, maybe, number, object, text, textOrNull, texts } from '../schema.ts'
import { result, tool } from '../tool.ts'

const item = object({
  id: text,
  billOfLading: textOrNull,
  status: text,
  scac: text,
  refNumbers: texts,
  tags: texts,
  portOfLading: placeSchema,
  portOfDischarge: placeSchema,
  destination: placeSchema,
  podEta: textOrNull,
  podAta: textOrNull,
  trackingStoppedReason: textOrNull,
  containerCount: number,
  containers: maybe(list(object({ id: text, containerNumber: text, status: text }))),
  createdAt: text,
})

export const listShipments = tool({
  name: 'list_shipments',
  title: 'List shipments',
  about: `Newest first. \`number\`: exactly as tracked; \`query\`: part of any. \`filters\` knows ${filterNames.shipments.join(', ')}.`,
  effect: 'read',
  input: Type.Object(
    {
      number: Type.Optional(Type.String()),
      query: Type.Optional(Type.String()),
      tracking_stopped: Type.Optional(Type.Boolean()),
      filters,
      include_containers: Type.Optional(Type.Boolean({ default: false })),
      ...paging,
    },
    closed,
  ),
  output: listOf(item),
  run: async ({ service, context }, input) => {
    const page = readPage(input)
    const filter = shipmentFilter(input)
    const found = await listRows(service, context, { filter, order: '-created_at', page })
    const shipmentIds = found.rows.map(({ id }) => id)
    const containers = input.include_containers
      ? Map.groupBy(
          await listContainersOfShipments(service, context, { shipmentIds }),
          (each) => each.shipmentId,
        )
      : null
    return result(
      writeList(found, {
        page,
        dropped: unknownFilters('shipments', input.filters ?? {}),
        write: (row) => writeItem(row, containers === null ? null : (containers.get(row.id) ?? [])),
      }),
      { presentation: listGuidance, tools: ['get_shipment_details'] },
    )
  },
})

function writeItem(shipment: ShipmentReading, containers: readonly ContainerReading[] | null) {
  const { portOfLoading, portOfDischarge, destination } = shipment.projection
  const podZone = portOfDischarge.place?.timeZone ?? null
  return {
    id: shipment.id,
    billOfLading: fenceUnlessCode(shipment.billOfLadingNumber),
    status: shipmentStatus(shipment),
    scac: shipment.scac,
    refNumbers: writeLabels(shipment.refNumbers),
    tags: writeLabels(shipment.tags),
    portOfLading: writePlace(portOfLoading.place),
    portOfDischarge: writePlace(portOfDischarge.place),
    destination: writePlace(destination?.place),
    podEta: writeTime(portOfDischarge.eta, podZone),
    podAta: writeTime(portOfDischarge.ata, podZone),
    trackingStoppedReason: shipment.trackingStoppedReason,
    containerCount: shipment.containerIds.length,
    ...(containers === null
      ? {}
      : {
          containers: containers.map(({ id, status, projection }) => ({
            id,
            containerNumber: projection.number,
            status,
          })),
        }),
    createdAt: writeInstant(shipment.createdAt, null),
  }
}
