/** /v2/shipments: the list of shipments, as a page or a complete export. */

import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../api/callers/request-caller.ts'
import { describeOperation, exportablePageOf } from '../../api/openapi/operation.ts'
import { demandFilters } from '../../api/query/demand-filters.ts'
import {
  booleanFilter,
  firstFilter,
  idFilter,
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
import { toSortKeysOrder } from '../../db/listing/sorted-listing.ts'
import { readFieldFilters } from '../custom-fields/read-field-filters.ts'
import type { Service } from '../service.ts'
import { exportShipments, listShipments } from './list-shipments.ts'
import { shipmentStatuses } from './shipment-status.ts'
import { shipmentSortKeys, shipmentValues } from './shipment-values-sql.ts'

export const shipmentFilters = {
  q: partialTextFilter('q', 'Part of a bill of lading, reference or container number.'),
  number: firstFilter<string | readonly string[]>(
    severalNumbersFilter('filter[number][]'),
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
  podEtaAt: timeFilter('filter[pod_eta_at]'),
  refNumber: refNumberFilter,
  tags: tagsFilter('of it', ['filter[tag]', 'filter[tags]']),
  customerId: idFilter('filter[customer]', 'Id of the party for which it is tracked.'),
  createdAt: timeFilter('filter[created_at]'),
  updatedAt: timeFilter('filter[updated_at]'),
  customFields: customFieldsFilter(),
  demands: demandFilters(shipmentValues),
}

export const shipmentsQuery = defineQuery({
  type: 'shipment',
  filters: { ...shipmentFilters, format: formatFilter },
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
      const { customFields, format: _, ...filters } = parameters.filter
      const fields = await readFieldFilters(service, context, { entityType: 'Shipment', given: customFields })
      const filter = { ...filters, fields }
      return sendPageOrExport(
        { request, reply },
        {
          type: 'shipment',
          parameters,
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
