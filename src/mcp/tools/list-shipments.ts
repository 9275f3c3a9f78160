/** `list_shipments`: the account's shipments, newest first, with their containers when wanted. */

import type { PageRequest } from '../../db/listing/page.ts'
import { shipmentStatus } from '../../domain/view/shipment-status.ts'
import { listContainersOfShipments } from '../../modules/containers/list-containers.ts'
import type { ContainerReading } from '../../modules/containers/list-containers-sql.ts'
import { countUnknownShipments } from '../../modules/search/count-unknown.ts'
import { journeyNow } from '../../modules/service.ts'
import { listShipments as listRows } from '../../modules/shipments/list-shipments.ts'
import type { ShipmentReading } from '../../modules/shipments/list-shipments-sql.ts'
import { listSlips, type Slips } from '../../modules/shipments/list-slips.ts'
import { Type } from '../../platform/json-schema.ts'
import { filterArguments, filterInput, readListFilter } from '../lists/api-filters.ts'
import { listBySlip, readSlipSort, slipSorts } from '../lists/by-slip.ts'
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
import { markUnlessCode } from '../presenters/fence.ts'
import { writeLabels } from '../presenters/labels.ts'
import { writeInstant, writeTime } from '../presenters/local-time.ts'
import { placeSchema, vesselSchema, writePlace, writeVessel } from '../presenters/places.ts'
import { closed, paging, readPage } from '../tool/inputs.ts'
import { type Members, schemaOf, writeMembers } from '../tool/members.ts'
import { list, number, numberOrNull, optional, text, textOrNull, texts } from '../tool/schema.ts'
import { defineTool, makeResult } from '../tool/tool.ts'

interface Row extends ShipmentReading {
  /** Undefined when they are not listed. */
  readonly containers: readonly ContainerReading[] | undefined
  /** Only when they are shown. */
  readonly slips: Slips | undefined
}

const container: Members<ContainerReading> = {
  id: [text, ({ id }) => id],
  number: [text, ({ projection }) => projection.number],
  containerNumber: [text, ({ projection }) => projection.number],
  status: [text, ({ status }) => status],
}

const item: Members<Row> = {
  id: [text, ({ id }) => id],
  billOfLading: [textOrNull, ({ billOfLadingNumber }) => markUnlessCode(billOfLadingNumber)],
  status: [text, shipmentStatus],
  scac: [text, ({ scac }) => scac],
  refNumbers: [texts, ({ refNumbers }) => writeLabels(refNumbers)],
  tags: [texts, ({ tags }) => writeLabels(tags)],
  portOfLading: [placeSchema, ({ projection }) => writePlace(projection.portOfLoading.place)],
  portOfDischarge: [placeSchema, ({ projection }) => writePlace(projection.portOfDischarge.place)],
  destination: [placeSchema, ({ projection }) => writePlace(projection.destination?.place)],
  podEta: [textOrNull, (row) => writeTime(row.projection.portOfDischarge.eta, podZone(row))],
  podAta: [textOrNull, (row) => writeTime(row.projection.portOfDischarge.ata, podZone(row))],
  trackingStoppedReason: [textOrNull, ({ trackingStoppedReason }) => trackingStoppedReason],
  containerCount: [number, ({ containerIds }) => containerIds.length],
  containers: [
    optional(list(schemaOf(container))),
    ({ containers }) => containers?.map((each) => writeMembers(container, each)),
  ],
  createdAt: [text, ({ createdAt }) => writeInstant(createdAt, null)],
  firstEta: [textOrNull, (row) => writeTime(row.projection.originalEta, podZone(row))],
  slipSincePlanHours: [numberOrNull, ({ slips }) => slips?.sincePlan ?? null],
  slipSinceFirstEstimateHours: [numberOrNull, ({ slips }) => slips?.sinceFirstEstimate ?? null],
  slipSinceYesterdayHours: [numberOrNull, ({ slips }) => slips?.sinceYesterday ?? null],
  vessel: [vesselSchema, ({ projection }) => writeVessel(projection.podVessel)],
}

/** Only where `fields` selects them, or the rows are sorted by one of them. */
const slipMembers = ['slipSincePlanHours', 'slipSinceFirstEstimateHours', 'slipSinceYesterdayHours'] as const
const otherRare = ['firstEta', 'vessel'] as const

export const listShipments = defineTool({
  name: 'list_shipments',
  title: 'List shipments',
  about: `Newest first. \`filters\`: ${filterNames.shipments.join(', ')}.`,
  effect: 'read',
  input: Type.Object(
    {
      ...filterArguments.shipments,
      query: Type.Optional(Type.String({ description: 'Part of a number or reference' })),
      ...filterInput,
      include_containers: Type.Optional(Type.Boolean({ default: false, description: 'List the containers of each' })),
      ...orderingSchema('shipments', slipSorts),
      fields,
      ...paging,
    },
    closed,
  ),
  output: listSchema(schemaOf(item), filtered),
  run: async (toolContext, input) => {
    const { service, context } = toolContext
    const read = await readListFilter(toolContext, 'shipments', input, { q: input.query })
    const { filter } = read
    const by = readGroup('shipments', input.count_by)
    const slipSort = readSlipSort(input.sort)
    const order = slipSort === null ? readSort('shipments', input.sort, '-created_at') : '-created_at'
    const names = readFields(input.fields, Object.keys(item))
    const now = journeyNow(service, context.account.isSandbox)
    const wantsContainers = input.include_containers === true || names?.includes('containers') === true
    const namesSlips = slipMembers.some((name) => names?.includes(name))
    const readRows = async (page: PageRequest) => {
      const sorted = slipSort && (await listBySlip(toolContext, { filter, page, sort: slipSort, now }))
      const found = sorted ?? (await listRows(service, context, { filter, order, page }))
      const slips =
        sorted?.slips ?? (namesSlips ? await listSlips(service, context, { shipments: found.rows, now }) : null)
      const shipmentIds = found.rows.map(({ id }) => id)
      const containers = wantsContainers
        ? Map.groupBy(await listContainersOfShipments(service, context, { shipmentIds }), (each) => each.shipmentId)
        : null
      const write = (shipment: ShipmentReading) =>
        pickFields(
          writeMembers(item, {
            ...shipment,
            containers: containers === null ? undefined : (containers.get(shipment.id) ?? []),
            slips: slips?.get(shipment.id),
          }),
          { fields: names, rare: slips === null ? [...otherRare, ...slipMembers] : otherRare },
        )
      return { found, items: found.rows.map(write) }
    }
    const isWhole = names !== null || wantsContainers
    const [fitting, unknown] = await Promise.all([
      by === null ? readFittingPage(input, { isWhole, read: readRows }) : null,
      countUnknownShipments(service, context, { filter }),
    ])
    const { page } = fitting ?? { page: readPage(input) }
    const about = {
      understood: describeFilter(filter),
      unknown: writeUnknownCounts(unknown, 'shipments'),
      _metadata: writeListMetadata(read, { page, sort: input.sort, total: fitting?.found.total ?? 0 }),
    }
    if (fitting === null)
      return answerCounts(toolContext, {
        list: { of: 'shipments', filter, by: by ?? 'status' },
        now,
        more: about,
        unknown,
      })
    const guidance = listGuidance(fitting.found, { page, unknown, tools: ['get_shipment_details'], ...read })
    return makeResult({ ...writeFitting(fitting, { now, unknown }), ...about }, names === null ? guidance : null)
  },
})

function podZone({ projection }: ShipmentReading): string | null {
  return projection.portOfDischarge.place?.timeZone ?? null
}
