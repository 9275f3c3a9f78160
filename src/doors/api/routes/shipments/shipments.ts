/** /v2/shipments: the list of shipments, as a page or a whole export. */

import type { FastifyInstance } from 'fastify'
import type { Service } from '../../../../service/service.ts'
import { readFieldFilters } from '../../../../service/tracking/custom-fields/read-field-filters.ts'
import { exportShipments } from '../../../../service/tracking/shipments/export-shipments.ts'
import { listShipments } from '../../../../service/tracking/shipments/list-shipments.ts'
import { shipmentStatuses } from '../../../../service/tracking/shipments/shipment-status.ts'
import { createOpenExports, sendPageOrExport } from '../../answering/export.ts'
import { formatFilter } from '../../answering/export-format.ts'
import {
  booleanFilter,
  idFilter,
  listFilter,
  numberFilter,
  scacFilter,
  textFilter,
  timeFilter,
} from '../../asking/filters.ts'
import { customFieldsFilter, placeFilter, textsFilter, vesselFilter } from '../../asking/list-filters.ts'
import { defineQuery } from '../../asking/query.ts'
import { callerOf } from '../../caller/caller.ts'
import { exportablePageOf, operation } from '../../description/operation.ts'

export const shipmentFilters = {
  q: textFilter('q', 'Part of a bill of lading, reference or container number.'),
  number: numberFilter('number', 'The number of the shipment; not a container number.'),
  trackingStopped: booleanFilter('filter[tracking_stopped]'),
  status: listFilter(
    'filter[status]',
    shipmentStatuses,
    'One status, or a comma list; each of them matches.',
  ),
  scac: scacFilter('filter[scac]'),
  pol: placeFilter('filter[port_of_lading]', 'The port of lading'),
  pod: placeFilter('filter[port_of_discharge]', 'The port of discharge'),
  terminalId: idFilter(
    'filter[pod_terminal]',
    'Id of the terminal at the port of discharge of at least one container.',
  ),
  vesselImo: vesselFilter('filter[vessel]', 'The ship that brings it to the port of discharge'),
  podEtaAt: timeFilter('filter[pod_eta_at]'),
  refNumber: textFilter(
    'filter[ref_number]',
    'One whole reference number; upper and lower case are the same.',
  ),
  tags: textsFilter('filter[tags]', 'Comma list of tags. It must have all of them.'),
  customerId: idFilter('filter[customer]', 'Id of the party for which it is tracked.'),
  createdAt: timeFilter('filter[created_at]'),
  updatedAt: timeFilter('filter[updated_at]'),
  customFields: customFieldsFilter(),
}

export const shipmentsQuery = defineQuery({
  type: 'shipment',
  filters: { ...shipmentFilters, format: formatFilter },
  orders: ['-created_at', 'created_at', '-updated_at', 'updated_at', '-pod_eta_at', 'pod_eta_at', 'urgency'],
  isPaged: true,
  hasCursors: true,
})

export function shipments(app: FastifyInstance, service: Service): void {
  const streams = createOpenExports(app, service)
  app.get(
    '/v2/shipments',
    {
      config: { hasExport: true },
      schema: operation({
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
      const asked = shipmentsQuery.read(request)
      const { customFields, format: _, ...filters } = asked.filter
      const fields = await readFieldFilters(service, context, { entityType: 'Shipment', given: customFields })
      const filter = { ...filters, fields }
      return sendPageOrExport(
        { request, reply },
        {
          type: 'shipment',
          asked,
          linked: ['port_of_lading', 'port_of_discharge', 'destination'],
          steady: '-created_at',
          page: () => listShipments(service, context, { ...asked, filter }),
          rows: (order) => exportShipments(service, context, { filter, order }),
        },
        streams,
      )
    },
  )
}
