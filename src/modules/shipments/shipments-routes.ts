/** /v2/shipments: the list of shipments, as a page or a complete export. */

import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../api/callers/request-caller.ts'
import { parameterFault } from '../../api/errors/problem.ts'
import { describeOperation, exportablePageOf } from '../../api/openapi/operation.ts'
import { demandFilters } from '../../api/query/demand-filters.ts'
import {
  booleanFilter,
  type Filter,
  firstFilter,
  idFilter,
  makeTextFilter,
  numberFilter,
  partialTextFilter,
  scacFilter,
  timeFilter,
} from '../../api/query/filters.ts'
import {
  customFieldsFilter,
  placeFilter,
  refNumberFilter,
  severalNumbersFilter,
  statusFilter,
  tagsFilter,
  vesselFilter,
} from '../../api/query/list-filters.ts'
import { defineQuery } from '../../api/query/query.ts'
import { createOpenExports, sendPageOrExport } from '../../api/responses/export.ts'
import { formatFilter } from '../../api/responses/export-format.ts'
import type { NamedDemands, ValueDemand } from '../../db/listing/demands.ts'
import { toSortKeysOrder } from '../../db/listing/sorted-listing.ts'
import { shipmentStatuses } from '../../domain/view/shipment-status.ts'
import { Type } from '../../platform/json-schema.ts'
import { readFieldFilters } from '../custom-fields/read-field-filters.ts'
import type { Service } from '../service.ts'
import { exportShipments, listShipments } from './list-shipments.ts'
import { shipmentSortKeys, shipmentValues } from './shipment-values-sql.ts'

export const shipmentFilters = {
  q: partialTextFilter('q', 'Part of a bill of lading, booking, reference or container number.'),
  number: firstFilter<string | readonly string[]>(
    severalNumbersFilter('filter[number][]', 'One of these numbers.'),
    numberFilter('filter[number]', 'The number of the shipment; not a container number.'),
    numberFilter('number', 'As `filter[number]`.'),
  ),
  trackingStopped: firstFilter(booleanFilter('filter[tracking_stopped]'), booleanFilter('tracking_stopped')),
  status: statusFilter(shipmentStatuses),
  scac: scacFilter('filter[scac]'),
  pol: placeFilter('filter[port_of_lading]', 'The port of lading'),
  pod: placeFilter('filter[port_of_discharge]', 'The port of discharge'),
  terminalId: idFilter(
    'filter[pod_terminal]',
    'Id of the terminal at the port of discharge of at least one container.',
  ),
  vesselImo: vesselFilter('filter[vessel]', 'The ship that brings it to the port of discharge'),
  podEtaAt: timeFilter('filter[pod_eta_at]', { isAtPlace: true }),
  refNumber: refNumberFilter,
  tags: tagsFilter('of it', ['filter[tag]', 'filter[tags]']),
  customerId: idFilter('filter[customer]', 'Id of the party for which it is tracked.'),
  createdAt: timeFilter('filter[created_at]'),
  updatedAt: timeFilter('filter[updated_at]'),
  customFields: customFieldsFilter(),
  demands: withPartyOperator(demandFilters(shipmentValues)),
}

export const partiesFlag = booleanFilter(
  'flag[parties]',
  'True: adds the relationship `party_roles`. The roles and parties themselves are included by `include=party_roles.party`.',
)

/** With the operator `all`, each party of `filter[party_id]` must have a role. */
function withPartyOperator(demands: Filter<readonly NamedDemands[]>): Filter<readonly NamedDemands[]> {
  const name = 'filter[party_id][operator]'
  const schema = Type.Unsafe({ type: 'string', enum: ['any', 'all'], default: 'any' })
  const operator = makeTextFilter(name, schema, (text) => {
    if (text !== 'any' && text !== 'all') throw parameterFault('malformed', name, `\`${name}\` must be any or all.`)
    return text
  })
  const needEach = (demand: ValueDemand): readonly ValueDemand[] =>
    demand.kind === 'texts' ? demand.anyOf.map((id) => ({ kind: 'texts', anyOf: [id] })) : [demand]
  return {
    ...demands,
    parameters: { ...demands.parameters, ...operator.parameters },
    read: (given) => {
      const all = operator.read(given) === 'all'
      return demands
        .read(given)
        .map((each) => (all && each.name.startsWith('party_id') ? { ...each, all: each.all.flatMap(needEach) } : each))
    },
  }
}

export const shipmentsQuery = defineQuery({
  type: 'shipment',
  filters: { ...shipmentFilters, format: formatFilter, showsParties: partiesFlag },
  orders: ['-created_at', 'created_at', '-updated_at', 'updated_at', '-pod_eta_at', 'pod_eta_at', 'urgency'],
  sortKeys: { names: Object.keys(shipmentSortKeys), toOrder: toSortKeysOrder },
  isPaged: true,
  hasCursors: true,
})

export function shipments(app: FastifyInstance, service: Service): void {
  const streams = createOpenExports(app, service)
  app.get(
    '/v2/shipments',
    {
      config: { hasExport: true },
      schema: describeOperation({
        id: 'listShipments',
        tag: 'Shipments',
        summary: 'List shipments, newest first',
        description:
          '`sort=urgency` lists by the day by which somebody has to act on the first of its containers, as the list of containers does.',
        query: shipmentsQuery.schema,
        answer: exportablePageOf('shipment'),
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const { context } = callerOf(request)
      const parameters = shipmentsQuery.read(request)
      const { customFields, format: _, showsParties, ...filters } = parameters.filter
      const fields = await readFieldFilters(service, context, { entityType: 'Shipment', given: customFields })
      const filter = { ...filters, fields }
      return sendPageOrExport(
        { request, reply },
        {
          type: 'shipment',
          parameters: { ...parameters, linked: showsParties === true ? ['party_roles'] : [] },
          linked: ['port_of_lading', 'port_of_discharge', 'destination'],
          steady: '-created_at',
          page: () => listShipments(service, context, { ...parameters, filter }),
          rows: (order) => exportShipments(service, context, { filter, order }),
        },
        streams,
      )
    },
  )
}
