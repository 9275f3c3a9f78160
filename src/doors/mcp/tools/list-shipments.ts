/** `list_shipments`: the account's shipments, newest first, with their containers when wanted. */

import { Type } from 'typebox'
import { countUnknownShipments } from '../../../service/ground/count-unknown.ts'
import { journeyNow } from '../../../service/service.ts'
import { listContainersOfShipments } from '../../../service/tracking/containers/list-containers.ts'
import { listShipments as listRows } from '../../../service/tracking/shipments/list-shipments.ts'
import { shipmentStatus } from '../../../service/tracking/shipments/shipment-status.ts'
import type { ContainerReading } from '../../../store/read/containers.ts'
import type { ShipmentReading } from '../../../store/read/shipments.ts'
import { fenceUnlessCode } from '../fence.ts'
import { closed, filters, paging, readPage } from '../inputs.ts'
import { writeLabels } from '../labels.ts'
import { filterNames, readFilters, shipmentFilter, writeUnderstood } from '../list-filters.ts'
import { filtered, listGuidance, listOf, writeList, writeUnknown } from '../lists.ts'
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
  containers: maybe(list(object({ id: text, number: text, containerNumber: text, status: text }))),
  createdAt: text,
})

export const listShipments = tool({
  name: 'list_shipments',
  title: 'List shipments',
  about: `Newest first. \`filters\` knows ${filterNames.shipments.join(', ')}.`,
  effect: 'read',
  input: Type.Object(
    {
      number: Type.Optional(Type.String({ description: 'Exactly as it was asked for' })),
      query: Type.Optional(Type.String({ description: 'Part of a number or reference' })),
      tracking_stopped: Type.Optional(Type.Boolean({ description: 'Only stopped ones, or only others' })),
      filters,
      include_containers: Type.Optional(
        Type.Boolean({ default: false, description: 'With the containers of each' }),
      ),
      ...paging,
    },
    closed,
  ),
  output: listOf(item, filtered),
  run: async (asking, input) => {
    const { service, context } = asking
    const page = readPage(input)
    const filter = shipmentFilter(readFilters('shipments', input.filters), input)
    const [found, unknown] = await Promise.all([
      listRows(service, context, { filter, order: '-created_at', page }),
      countUnknownShipments(service, context, { filter }),
    ])
    const shipmentIds = found.rows.map(({ id }) => id)
    const containers = input.include_containers
      ? Map.groupBy(
          await listContainersOfShipments(service, context, { shipmentIds }),
          (each) => each.shipmentId,
        )
      : null
    return result(
      {
        ...writeList(found, {
          now: journeyNow(service, context.account.isFiction),
          page,
          unknown,
          write: (row) => writeItem(row, containers === null ? null : (containers.get(row.id) ?? [])),
        }),
        understood: writeUnderstood(filter),
        unknown: writeUnknown(unknown, 'shipments'),
      },
      listGuidance(found, { page, unknown, tools: ['get_shipment_details'] }),
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
            number: projection.number,
            containerNumber: projection.number,
            status,
          })),
        }),
    createdAt: writeInstant(shipment.createdAt, null),
  }
}
