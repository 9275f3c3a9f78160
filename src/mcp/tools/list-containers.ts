/** `list_containers`: the account's containers, the last updated first, each with the address of its resource. */

import type { PageRequest } from '../../db/listing/page.ts'
import { lfdDay, pickupLfd } from '../../domain/view/free-time.ts'
import { listContainers as listRows } from '../../modules/containers/list-containers.ts'
import type { ContainerReading } from '../../modules/containers/list-containers-sql.ts'
import { momentsOf } from '../../modules/containers/moments.ts'
import { freeUntilOf } from '../../modules/containers/urgency.ts'
import { countUnknownContainers } from '../../modules/search/count-unknown.ts'
import { journeyNow } from '../../modules/service.ts'
import { getShipments } from '../../modules/shipments/get-shipment.ts'
import type { ShipmentReading } from '../../modules/shipments/list-shipments-sql.ts'
import { Type } from '../../platform/json-schema.ts'
import { filterArguments, filterInput, readListFilter } from '../lists/api-filters.ts'
import { fields, pickFields, readFields } from '../lists/columns.ts'
import { readFittingPage } from '../lists/fit-rows.ts'
import { describeFilter, filterNames } from '../lists/list-filters.ts'
import {
  answerCounts,
  filtered,
  listGuidance,
  listSchema,
  writeFitting,
  writeListMetadata,
  writeUnknownCounts,
} from '../lists/lists.ts'
import { orderingSchema, readGroup, readSort } from '../lists/orders.ts'
import { compactContainer, writeCompactContainer } from '../presenters/compact-container.ts'
import { markUnlessCode } from '../presenters/fence.ts'
import { writeLabels } from '../presenters/labels.ts'
import { writeInstant, writeTime } from '../presenters/local-time.ts'
import {
  placeSchema,
  terminalSchema,
  vesselSchema,
  writePlace,
  writeTerminal,
  writeVessel,
} from '../presenters/places.ts'
import { writeUrgency } from '../presenters/urgency.ts'
import { closed, oneOf, paging, readPage } from '../tool/inputs.ts'
import { type Members, schemaOf, writeMembers } from '../tool/members.ts'
import { flagOrNull, numberOrNull, optional, orNull, partial, text, textOrNull, texts } from '../tool/schema.ts'
import { defineTool, makeResult } from '../tool/tool.ts'

interface Row extends ContainerReading {
  readonly shipment: ShipmentReading | null
  readonly urgency: ReturnType<typeof writeUrgency> | null
  readonly wantsShipment: boolean
}

const shipmentOfRow: Members<ShipmentReading> = {
  billOfLading: [textOrNull, ({ billOfLadingNumber }) => markUnlessCode(billOfLadingNumber)],
  scac: [text, ({ scac }) => scac],
  portOfLading: [placeSchema, ({ projection }) => writePlace(projection.portOfLoading.place)],
  portOfDischarge: [placeSchema, ({ projection }) => writePlace(projection.portOfDischarge.place)],
  podEta: [textOrNull, ({ projection }) => writeEta(projection.portOfDischarge)],
}

const item: Members<Row> = {
  id: [text, ({ id }) => id],
  number: [text, ({ projection }) => projection.number],
  containerNumber: [text, ({ projection }) => projection.number],
  status: [text, ({ status }) => status],
  shipmentId: [text, ({ shipmentId }) => shipmentId],
  podTerminal: [terminalSchema, ({ projection }) => writeTerminal(projection.podTerminal)],
  podArrivedAt: [textOrNull, ({ happened }) => writeArrival(happened)],
  pickupLfd: [textOrNull, ({ projection }) => writePickupLfd(projection)],
  earliestLfd: [textOrNull, (row) => freeUntilOf(row)?.on ?? null],
  urgency: [textOrNull, ({ urgency }) => urgency?.urgency ?? null],
  daysUntilLfd: [numberOrNull, ({ urgency }) => urgency?.days_until_lfd ?? null],
  availableForPickup: [flagOrNull, ({ projection }) => projection.available],
  actBy: [textOrNull, ({ actsOn }) => actsOn],
  updatedAt: [text, ({ updatedAt }) => writeInstant(updatedAt, null)],
  line: [textOrNull, ({ shipment }) => shipment?.scac ?? null],
  holds: [orNull(texts), ({ projection }) => holdsOf(projection)],
  podEta: [textOrNull, ({ projection }) => writeEta(projection.portOfDischarge)],
  vessel: [vesselSchema, ({ shipment }) => shipment && writeVessel(shipment.projection.podVessel)],
  refNumbers: [texts, ({ refNumbers }) => writeLabels(refNumbers)],
  shipment: [
    optional(schemaOf(shipmentOfRow)),
    ({ shipment, wantsShipment }) =>
      shipment !== null && wantsShipment ? writeMembers(shipmentOfRow, shipment) : undefined,
  ],
}

/** Only where `fields` selects them. */
const rare = ['line', 'holds', 'podEta', 'vessel', 'refNumbers'] as const

export const listContainers = defineTool({
  name: 'list_containers',
  title: 'List containers',
  about: `Newest news first. \`filters\`: ${filterNames.containers.join(', ')}.`,
  effect: 'read',
  input: Type.Object(
    {
      ...filterArguments.containers,
      ...filterInput,
      view: Type.Optional(oneOf(['compact', 'full'], 'With `filters`: full by default')),
      include: Type.Optional(
        Type.Unsafe<string | readonly string[]>({
          type: ['string', 'array'],
          description: '`shipment`: with bill, line and ports; `pod_terminal` is always there',
        }),
      ),
      ...orderingSchema('containers'),
      fields,
      ...paging,
    },
    closed,
  ),
  output: listSchema(Type.Union([partial(schemaOf(item)), compactContainer]), filtered),
  run: async (toolContext, input) => {
    const { service, context, uriOf } = toolContext
    const read = await readListFilter(toolContext, 'containers', input)
    const { filter } = read
    const by = readGroup('containers', input.count_by)
    const order = readSort('containers', input.sort, '-updated_at')
    const names = readFields(input.fields, Object.keys(item))
    const now = journeyNow(service, context.account.isSandbox)
    const wantsShipment =
      names?.includes('shipment') === true ||
      [input.include ?? []].flat().some((each) => each.split(',').some((part) => part.trim() === 'shipment'))
    const isOlderForm = input.filters !== undefined || typeof input.include === 'string'
    const isFull = names !== null || (input.view ?? (isOlderForm ? 'full' : 'compact')) === 'full'
    const readRows = async (page: PageRequest) => {
      const found = await listRows(service, context, { filter, order, page })
      const ids = [...new Set(found.rows.map(({ shipmentId }) => shipmentId))]
      const byId = new Map((await getShipments(service, context, { ids })).map((each) => [each.id, each]))
      const write = (container: ContainerReading) => {
        const shipment = byId.get(container.shipmentId) ?? null
        if (shipment !== null && !isFull) return writeCompactContainer({ container, shipment, now })
        const urgency = shipment === null ? null : writeUrgency(container, shipment, now)
        const row = { ...container, shipment, urgency, wantsShipment }
        return pickFields(writeMembers(item, row), { fields: names, rare })
      }
      return { found, items: found.rows.map(write) }
    }
    const isWhole = [names ?? undefined, input.view, input.include].some((each) => each !== undefined)
    const [fitting, unknown] = await Promise.all([
      by === null ? readFittingPage(input, { isWhole, read: readRows }) : null,
      countUnknownContainers(service, context, { filter }),
    ])
    const { page } = fitting ?? { page: readPage(input) }
    const about = {
      understood: describeFilter(filter),
      unknown: writeUnknownCounts(unknown, 'containers'),
      _metadata: writeListMetadata(read, { page, sort: input.sort, total: fitting?.found.total ?? 0 }),
    }
    if (fitting === null)
      return answerCounts(toolContext, {
        list: { of: 'containers', filter, by: by ?? 'status' },
        now,
        more: about,
        unknown,
      })
    const { found } = fitting
    const data = { ...writeFitting(fitting, { now, unknown }), ...about }
    return names === null
      ? makeResult(
          data,
          listGuidance(found, { page, unknown, tools: ['get_container', 'get_container_route'], ...read }),
          found.rows.map(({ id, projection }) => ({ uri: uriOf('container', id), name: projection.number })),
        )
      : makeResult(data, null)
  },
})

function writeArrival(happened: ContainerReading['happened']): string | null {
  const arrived = momentsOf(happened).get('vessel_arrived')
  return arrived === undefined ? null : writeTime(arrived.time, arrived.timeZone)
}

function writePickupLfd({ freeTime, pickupTimeZone }: ContainerReading['projection']): string | null {
  const lfd = pickupLfd(freeTime)
  return lfd === null ? null : lfdDay(lfd, pickupTimeZone)
}

function writeEta({ eta, place }: ContainerReading['projection']['portOfDischarge']): string | null {
  return writeTime(eta, place?.timeZone ?? null)
}

/** Null when no terminal has stated anything, so that it is not known. */
function holdsOf({ holds, available }: ContainerReading['projection']): readonly string[] | null {
  if (holds.length === 0 && available === null) return null
  return holds.filter(({ status }) => status === 'hold').map(({ name }) => markUnlessCode(name))
}
