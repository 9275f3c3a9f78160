/** `list_shipments`: the account's shipments, newest first, with their containers when wanted. */

import { Type } from '../../../platform/json-schema.ts'
import { countUnknownShipments } from '../../../service/ground/count-unknown.ts'
import { journeyNow } from '../../../service/service.ts'
import { listContainersOfShipments } from '../../../service/tracking/containers/list-containers.ts'
import { listShipments as listRows } from '../../../service/tracking/shipments/list-shipments.ts'
import { shipmentStatus } from '../../../service/tracking/shipments/shipment-status.ts'
import type { ContainerReading } from '../../../store/read/containers.ts'
import type { ShipmentReading } from '../../../store/read/shipments.ts'
import { cutRow, fields, readFields } from '../lists/columns.ts'
import { filterNames, readFilters, shipmentFilter, writeUnderstood } from '../lists/list-filters.ts'
import { answerCounts, filtered, listGuidance, listOf, writeList, writeUnknown } from '../lists/lists.ts'
import { ordering, readGroup, readSort } from '../lists/orders.ts'
import { readOwnNames } from '../lists/own-names.ts'
import { closed, filters, paging, readPage } from '../tool/inputs.ts'
import { list, maybe, number, numberOrNull, object, row, text, textOrNull, texts } from '../tool/schema.ts'
import { result, tool } from '../tool/tool.ts'
import { slipHours } from '../words/delay.ts'
import { fenceUnlessCode } from '../words/fence.ts'
import { writeLabels } from '../words/labels.ts'
import { writeInstant, writeTime } from '../words/local-time.ts'
import { placeSchema, vesselSchema, writePlace, writeVessel } from '../words/places.ts'

const item = row({
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
  firstEta: textOrNull,
  slipHours: numberOrNull,
  vessel: vesselSchema,
})

const members = Object.keys(item.properties)
/** Only where `fields` asks for them. */
const rare = ['firstEta', 'slipHours', 'vessel'] as const

export const listShipments = tool({
  name: 'list_shipments',
  title: 'List shipments',
  about: `Newest first. \`filters\`: ${filterNames.shipments.join(', ')}.`,
  effect: 'read',
  input: Type.Object(
    {
      number: Type.Optional(Type.String({ description: 'The exact number that was tracked' })),
      query: Type.Optional(Type.String({ description: 'Part of a number or reference' })),
      tracking_stopped: Type.Optional(
        Type.Boolean({ description: 'true: only stopped ones; false: only the others' }),
      ),
      filters,
      include_containers: Type.Optional(
        Type.Boolean({ default: false, description: 'List the containers of each' }),
      ),
      ...ordering('shipments'),
      fields,
      ...paging,
    },
    closed,
  ),
  output: listOf(item, filtered),
  run: async (asking, input) => {
    const { service, context } = asking
    const page = readPage(input)
    const filter = shipmentFilter(await readOwnNames(asking, readFilters('shipments', input.filters)), input)
    const by = readGroup('shipments', input.count_by)
    const order = readSort('shipments', input.sort, '-created_at')
    const names = readFields(input.fields, members)
    const now = journeyNow(service, context.account.isFiction)
    const [found, unknown] = await Promise.all([
      by === null ? listRows(service, context, { filter, order, page }) : null,
      countUnknownShipments(service, context, { filter }),
    ])
    const about = { understood: writeUnderstood(filter), unknown: writeUnknown(unknown, 'shipments') }
    if (found === null)
      return answerCounts(asking, {
        list: { of: 'shipments', filter, by: by ?? 'status' },
        now,
        more: about,
        unknown,
      })
    const shipmentIds = found.rows.map(({ id }) => id)
    const containers =
      input.include_containers || names?.includes('containers')
        ? Map.groupBy(
            await listContainersOfShipments(service, context, { shipmentIds }),
            (each) => each.shipmentId,
          )
        : null
    const write = (shipment: ShipmentReading) =>
      cutRow(writeItem(shipment, containers === null ? null : (containers.get(shipment.id) ?? [])), {
        fields: names,
        rare,
      })
    const guidance = listGuidance(found, { page, unknown, tools: ['get_shipment_details'] })
    return result(
      { ...writeList(found, { now, page, unknown, write }), ...about },
      names === null ? guidance : null,
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
    firstEta: writeTime(shipment.projection.originalEta, podZone),
    slipHours: slipHours(shipment.projection),
    vessel: writeVessel(shipment.projection.podVessel),
  }
}
