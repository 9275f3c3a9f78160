/** `list_containers`: the account's containers, newest news first, each with the address of its resource. */

import { Type } from 'typebox'
import { lfdDay, pickupLfd } from '../../../core/free-time.ts'
import { listContainers as listRows } from '../../../service/containers/list-containers.ts'
import { getShipments } from '../../../service/shipments/get-shipment.ts'
import type { ContainerReading } from '../../../store/read/containers.ts'
import type { ShipmentReading } from '../../../store/read/shipments.ts'
import { momentsOf } from '../../container-moments.ts'
import { fenceUnlessCode } from '../fence.ts'
import { closed, filters, paging, readPage } from '../inputs.ts'
import { containerFilter, filterNames, unknownFilters } from '../list-filters.ts'
import { listGuidance, listOf, writeList } from '../lists.ts'
import { writeInstant, writeTime } from '../local-time.ts'
import { placeSchema, terminalSchema, writePlace, writeTerminal } from '../places.ts'
import { flagOrNull, maybe, object, text, textOrNull } from '../schema.ts'
import { result, tool } from '../tool.ts'

const item = object({
  id: text,
  containerNumber: text,
  status: text,
  shipmentId: text,
  podTerminal: terminalSchema,
  podArrivedAt: textOrNull,
  pickupLfd: textOrNull,
  availableForPickup: flagOrNull,
  updatedAt: text,
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

export const listContainers = tool({
  name: 'list_containers',
  title: 'List containers',
  about: `Newest news first. \`filters\` knows ${filterNames.containers.join(', ')}.`,
  effect: 'read',
  input: Type.Object(
    {
      include: Type.Optional(Type.String({ description: '`shipment`' })),
      filters,
      ...paging,
    },
    closed,
  ),
  output: listOf(item),
  run: async ({ service, context, uriOf }, input) => {
    const page = readPage(input)
    const given = input.filters ?? {}
    const filter = containerFilter(given)
    const found = await listRows(service, context, { filter, order: '-updated_at', page })
    const wantsShipments = input.include?.split(',').some((each) => each.trim() === 'shipment') === true
    const ids = [...new Set(found.rows.map(({ shipmentId }) => shipmentId))]
    const shipments = wantsShipments ? await getShipments(service, context, { ids }) : []
    const byId = new Map(shipments.map((each) => [each.id, each]))
    return result(
      writeList(found, {
        page,
        write: (row) => writeItem(row, byId.get(row.shipmentId) ?? null),
        dropped: unknownFilters('containers', given),
      }),
      { presentation: listGuidance, tools: ['get_container', 'get_container_route'] },
      found.rows.map(({ id, projection }) => ({ uri: uriOf('container', id), name: projection.number })),
    )
  },
})

function writeItem(container: ContainerReading, shipment: ShipmentReading | null) {
  const { projection } = container
  const arrived = momentsOf(container.happened).get('vessel_arrived')
  const lfd = pickupLfd(projection.freeTime)
  return {
    id: container.id,
    containerNumber: projection.number,
    status: container.status,
    shipmentId: container.shipmentId,
    podTerminal: writeTerminal(projection.podTerminal),
    podArrivedAt: arrived === undefined ? null : writeTime(arrived.time, arrived.timeZone),
    pickupLfd: lfd === null ? null : lfdDay(lfd, projection.pickupTimeZone),
    availableForPickup: projection.available,
    updatedAt: writeInstant(container.updatedAt, null),
    ...(shipment === null ? {} : { shipment: writeShipment(shipment) }),
  }
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
