/** `list_containers`: the account's containers, the last updated first, each with the address of its resource. */

import { lfdDay, pickupLfd } from '../../../core/shown/free-time.ts'
import { Type } from '../../../platform/json-schema.ts'
import { countUnknownContainers } from '../../../service/ground/count-unknown.ts'
import { journeyNow } from '../../../service/service.ts'
import { listContainers as listRows } from '../../../service/tracking/containers/list-containers.ts'
import { momentsOf } from '../../../service/tracking/containers/moments.ts'
import { findEarliestLfd } from '../../../service/tracking/containers/urgency.ts'
import { getShipments } from '../../../service/tracking/shipments/get-shipment.ts'
import type { ContainerReading } from '../../../store/read/containers.ts'
import type { ShipmentReading } from '../../../store/read/shipments.ts'
import { cutRow, fields, readFields } from '../lists/columns.ts'
import { containerFilter, filterNames, readFilters, writeUnderstood } from '../lists/list-filters.ts'
import { answerCounts, filtered, listGuidance, listOf, writeList, writeUnknown } from '../lists/lists.ts'
import { ordering, readGroup, readSort } from '../lists/orders.ts'
import { readOwnNames } from '../lists/own-names.ts'
import { closed, filters, paging, readPage } from '../tool/inputs.ts'
import {
  flagOrNull,
  maybe,
  numberOrNull,
  object,
  orNull,
  row,
  text,
  textOrNull,
  texts,
} from '../tool/schema.ts'
import { result, tool } from '../tool/tool.ts'
import { fenceUnlessCode } from '../words/fence.ts'
import { writeLabels } from '../words/labels.ts'
import { writeInstant, writeTime } from '../words/local-time.ts'
import {
  placeSchema,
  terminalSchema,
  vesselSchema,
  writePlace,
  writeTerminal,
  writeVessel,
} from '../words/places.ts'
import { writeUrgency } from '../words/urgency.ts'

const item = row({
  id: text,
  number: text,
  containerNumber: text,
  status: text,
  shipmentId: text,
  podTerminal: terminalSchema,
  podArrivedAt: textOrNull,
  pickupLfd: textOrNull,
  earliestLfd: textOrNull,
  urgency: textOrNull,
  daysUntilLfd: numberOrNull,
  availableForPickup: flagOrNull,
  updatedAt: text,
  line: textOrNull,
  holds: orNull(texts),
  podEta: textOrNull,
  vessel: vesselSchema,
  refNumbers: texts,
  shipment: maybe(
    object({
      billOfLading: textOrNull,
      scac: text,
      portOfLading: placeSchema,
      portOfDischarge: placeSchema,
      podEta: textOrNull,
    }),
  ),
})

const members = Object.keys(item.properties)
/** Only where `fields` asks for them. */
const rare = ['line', 'holds', 'podEta', 'vessel', 'refNumbers'] as const

export const listContainers = tool({
  name: 'list_containers',
  title: 'List containers',
  about: `Newest news first. \`filters\`: ${filterNames.containers.join(', ')}.`,
  effect: 'read',
  input: Type.Object(
    {
      include: Type.Optional(Type.String({ description: '`shipment`: with bill, line and ports' })),
      filters,
      ...ordering('containers'),
      fields,
      ...paging,
    },
    closed,
  ),
  output: listOf(item, filtered),
  run: async (asking, input) => {
    const { service, context, uriOf } = asking
    const page = readPage(input)
    const filter = containerFilter(await readOwnNames(asking, readFilters('containers', input.filters)))
    const by = readGroup('containers', input.count_by)
    const order = readSort('containers', input.sort, '-updated_at')
    const names = readFields(input.fields, members)
    const now = journeyNow(service, context.account.isFiction)
    const [found, unknown] = await Promise.all([
      by === null ? listRows(service, context, { filter, order, page }) : null,
      countUnknownContainers(service, context, { filter }),
    ])
    const about = { understood: writeUnderstood(filter), unknown: writeUnknown(unknown, 'containers') }
    if (found === null)
      return answerCounts(asking, {
        list: { of: 'containers', filter, by: by ?? 'status' },
        now,
        more: about,
        unknown,
      })
    const wantsShipments =
      names?.includes('shipment') === true ||
      input.include?.split(',').some((each) => each.trim() === 'shipment') === true
    const ids = [...new Set(found.rows.map(({ shipmentId }) => shipmentId))]
    const byId = new Map((await getShipments(service, context, { ids })).map((each) => [each.id, each]))
    const write = (row: ContainerReading) =>
      cutRow(writeItem(row, { shipment: byId.get(row.shipmentId) ?? null, now, wantsShipments }), {
        fields: names,
        rare,
      })
    const data = { ...writeList(found, { now, page, unknown, write }), ...about }
    return names === null
      ? result(
          data,
          listGuidance(found, { page, unknown, tools: ['get_container', 'get_container_route'] }),
          found.rows.map(({ id, projection }) => ({ uri: uriOf('container', id), name: projection.number })),
        )
      : result(data, null)
  },
})

function writeItem(
  container: ContainerReading,
  of: {
    readonly shipment: ShipmentReading | null
    readonly now: string
    readonly wantsShipments: boolean
  },
) {
  const { projection } = container
  const { shipment } = of
  const urgency = shipment === null ? null : writeUrgency(container, shipment, of.now)
  const arrived = momentsOf(container.happened).get('vessel_arrived')
  const lfd = pickupLfd(projection.freeTime)
  return {
    id: container.id,
    number: projection.number,
    containerNumber: projection.number,
    status: container.status,
    shipmentId: container.shipmentId,
    podTerminal: writeTerminal(projection.podTerminal),
    podArrivedAt: arrived === undefined ? null : writeTime(arrived.time, arrived.timeZone),
    pickupLfd: lfd === null ? null : lfdDay(lfd, projection.pickupTimeZone),
    earliestLfd: findEarliestLfd(container)?.day ?? null,
    urgency: urgency?.urgency ?? null,
    daysUntilLfd: urgency?.days_until_lfd ?? null,
    availableForPickup: projection.available,
    updatedAt: writeInstant(container.updatedAt, null),
    line: shipment?.scac ?? null,
    holds: holdsOf(projection),
    podEta: writeTime(projection.portOfDischarge.eta, projection.portOfDischarge.place?.timeZone ?? null),
    vessel: shipment === null ? null : writeVessel(shipment.projection.podVessel),
    refNumbers: writeLabels(container.refNumbers),
    ...(shipment === null || !of.wantsShipments ? {} : { shipment: writeShipment(shipment) }),
  }
}

/** Null when no terminal has spoken, so that it is not known. */
function holdsOf({ holds, available }: ContainerReading['projection']): readonly string[] | null {
  if (holds.length === 0 && available === null) return null
  return holds.filter(({ status }) => status === 'hold').map(({ name }) => fenceUnlessCode(name))
}

function writeShipment({ billOfLadingNumber, scac, projection }: ShipmentReading) {
  const { portOfLoading, portOfDischarge } = projection
  return {
    billOfLading: fenceUnlessCode(billOfLadingNumber),
    scac,
    portOfLading: writePlace(portOfLoading.place),
    portOfDischarge: writePlace(portOfDischarge.place),
    podEta: writeTime(portOfDischarge.eta, portOfDischarge.place?.timeZone ?? null),
  }
}
