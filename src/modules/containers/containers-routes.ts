/**
 * /v2/containers: the list of containers, as a page or a complete export; and a PATCH of the container that the body
 * names.
 */

import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../api/callers/request-caller.ts'
import { describeOperation, documentAnswer, exportablePageOf } from '../../api/openapi/operation.ts'
import { demandFilters } from '../../api/query/demand-filters.ts'
import { booleanFilter, choiceFilter, idFilter, numberFilter, scacFilter, timeFilter } from '../../api/query/filters.ts'
import {
  customFieldsFilter,
  dayFilter,
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
import { holdNames } from '../../domain/statements/observation.ts'
import { containerStatuses } from '../../domain/view/projection.ts'
import { readContainerFieldFilters } from '../custom-fields/read-field-filters.ts'
import type { Service } from '../service.ts'
import { containerChangesBody, readContainerId } from './container-input.ts'
import { changeContainer, containerQuery } from './container-routes.ts'
import { containerSortKeys, containerValues } from './container-values-sql.ts'
import { exportContainers, listContainers } from './list-containers.ts'

export const containerFilters = {
  number: numberFilter('filter[number]', 'The container number, or a comma list of numbers.', { isList: true }),
  eachNumber: severalNumbersFilter('filter[number][]', 'All of them: a container has one number.'),
  status: statusFilter(containerStatuses),
  scac: scacFilter('filter[scac]'),
  pol: placeFilter('filter[port_of_lading]', 'The port of lading'),
  pod: placeFilter('filter[port_of_discharge]', 'The port of discharge'),
  terminalId: idFilter('filter[pod_terminal]', 'Id of the terminal at the port of discharge.'),
  vesselImo: vesselFilter('filter[vessel]', 'The ship that brings it to the port of discharge'),
  podEtaAt: timeFilter('filter[pod_eta_at]', { isAtPlace: true }),
  pickupLfd: dayFilter('filter[pickup_lfd]', 'The last free day of the contract'),
  freeUntil: dayFilter('filter[free_until]', 'The last free day that counts'),
  isHeld: booleanFilter(
    'filter[has_holds]',
    'True: a hold keeps it at the terminal. False: a terminal reports no hold.',
  ),
  hold: choiceFilter('filter[hold]', holdNames),
  refNumber: refNumberFilter,
  tags: tagsFilter('of its shipment'),
  shipmentId: idFilter('filter[shipment]', 'Id of its shipment.'),
  createdAt: timeFilter('filter[created_at]'),
  updatedAt: timeFilter('filter[updated_at]'),
  customFields: customFieldsFilter(),
  demands: demandFilters(containerValues),
}

export const containersQuery = defineQuery({
  type: 'container',
  filters: { ...containerFilters, format: formatFilter },
  orders: [
    '-updated_at',
    'updated_at',
    '-created_at',
    'created_at',
    '-pod_eta_at',
    'pod_eta_at',
    '-pickup_lfd',
    'pickup_lfd',
    '-free_until',
    'free_until',
    '-number',
    'number',
    'urgency',
  ],
  orderAliases: {
    attention_priority: 'urgency',
    '-last_status_refresh_at': '-updated_at',
    last_status_refresh_at: 'updated_at',
  },
  sortKeys: { names: Object.keys(containerSortKeys), toOrder: toSortKeysOrder },
  isPaged: true,
  hasCursors: true,
})

export function containers(app: FastifyInstance, service: Service): void {
  const streams = createOpenExports(app, service)
  app.get(
    '/v2/containers',
    {
      config: { hasExport: true },
      schema: describeOperation({
        id: 'listContainers',
        tag: 'Containers',
        summary: 'List containers, most recently changed first',
        description:
          '`sort=urgency` sorts by the day by which somebody must act, earliest first: the last free day (`free_until`); for a container on hold, the day of its discharge; for a container that waits for its train, three days after its discharge. Then come containers without such a day, then those that are out or returned, and last those whose day is more than 90 days past.',
        query: containersQuery.schema,
        answer: exportablePageOf('container'),
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const { context } = callerOf(request)
      const parameters = containersQuery.read(request)
      const { customFields, format: _, ...filters } = parameters.filter
      const filter = { ...filters, ...(await readContainerFieldFilters(service, context, customFields)) }
      return sendPageOrExport(
        { request, reply },
        {
          type: 'container',
          parameters,
          linked: ['shipment', 'pod_terminal', 'pickup_facility'],
          steady: '-created_at',
          page: () => listContainers(service, context, { ...parameters, filter }),
          rows: (order) => exportContainers(service, context, { filter, order }),
        },
        streams,
      )
    },
  )

  app.patch(
    '/v2/containers',
    {
      config: { hasPrecondition: true },
      schema: describeOperation({
        id: 'updateContainerInBody',
        tag: 'Containers',
        summary: 'Change the container that the body names',
        description: 'Does the same as PATCH /v2/containers/{id}. The id is in `data.id`.',
        query: containerQuery.schema,
        body: containerChangesBody,
        answer: documentAnswer('container'),
        refusals: [404],
      }),
    },
    async (request, reply) => {
      const view = containerQuery.read(request)
      return changeContainer({ request, reply }, { params: { id: readContainerId(request.body) }, view })
    },
  )
}
