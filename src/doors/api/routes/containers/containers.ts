/**
 * /v2/containers: the list of containers, as a page or a whole export; and a PATCH of the container that the body
 * names.
 */

import type { FastifyInstance } from 'fastify'
import { containerStatuses } from '../../../../core/shown/projection.ts'
import { holdNames } from '../../../../core/statements/observation.ts'
import type { Service } from '../../../../service/service.ts'
import { exportContainers } from '../../../../service/tracking/containers/export-containers.ts'
import { listContainers } from '../../../../service/tracking/containers/list-containers.ts'
import { readFieldFilters } from '../../../../service/tracking/custom-fields/read-field-filters.ts'
import { createOpenExports, sendPageOrExport } from '../../answering/export.ts'
import { formatFilter } from '../../answering/export-format.ts'
import {
  booleanFilter,
  choiceFilter,
  idFilter,
  listFilter,
  numberFilter,
  scacFilter,
  textFilter,
  timeFilter,
} from '../../asking/filters.ts'
import {
  customFieldsFilter,
  dayFilter,
  placeFilter,
  textsFilter,
  vesselFilter,
} from '../../asking/list-filters.ts'
import { defineQuery } from '../../asking/query.ts'
import { callerOf } from '../../caller/caller.ts'
import { documentOf, exportablePageOf, operation } from '../../description/operation.ts'
import { containerChangesBody, readContainerId } from '../../inputs/container.ts'
import { changeContainer, containerQuery } from './containers-id.ts'

export const containersQuery = defineQuery({
  type: 'container',
  filters: {
    number: numberFilter('filter[number]', 'The container number.'),
    status: listFilter(
      'filter[status]',
      containerStatuses,
      'One status, or a comma list; each of them matches.',
    ),
    scac: scacFilter('filter[scac]'),
    pol: placeFilter('filter[port_of_lading]', 'The port of lading'),
    pod: placeFilter('filter[port_of_discharge]', 'The port of discharge'),
    terminalId: idFilter('filter[pod_terminal]', 'Id of the terminal at the port of discharge.'),
    vesselImo: vesselFilter('filter[vessel]', 'The ship that brings it to the port of discharge'),
    podEtaAt: timeFilter('filter[pod_eta_at]'),
    pickupLfd: dayFilter('filter[pickup_lfd]', 'The last free day'),
    isHeld: booleanFilter('filter[has_holds]', 'True: a hold keeps it at the terminal.'),
    hold: choiceFilter('filter[hold]', holdNames),
    refNumber: textFilter(
      'filter[ref_number]',
      'One whole reference number; upper and lower case are the same.',
    ),
    tags: textsFilter('filter[tags]', 'Comma list of tags. Its shipment must have all of them.'),
    shipmentId: idFilter('filter[shipment]', 'Id of its shipment.'),
    createdAt: timeFilter('filter[created_at]'),
    updatedAt: timeFilter('filter[updated_at]'),
    customFields: customFieldsFilter(),
    format: formatFilter,
  },
  orders: [
    '-updated_at',
    'updated_at',
    '-created_at',
    'created_at',
    '-pod_eta_at',
    'pod_eta_at',
    '-pickup_lfd',
    'pickup_lfd',
    '-number',
    'number',
    'urgency',
  ],
  isPaged: true,
  hasCursors: true,
})

export function containers(app: FastifyInstance, service: Service): void {
  const streams = createOpenExports(app, service)
  app.get(
    '/v2/containers',
    {
      config: { hasExport: true },
      schema: operation({
        id: 'listContainers',
        tag: 'Containers',
        summary: 'List containers, most recently changed first',
        description:
          '`sort=urgency` lists by the day by which somebody has to act, soonest first: the earliest last free day that anybody has given; since it was set down, of what is held; three days later, of what waits for its train. Then what has no such day, what is out or returned, and at the end what was due more than 90 days ago.',
        query: containersQuery.schema,
        answer: exportablePageOf('container'),
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const { context } = callerOf(request)
      const asked = containersQuery.read(request)
      const { customFields, format: _, ...filters } = asked.filter
      const fields = await readFieldFilters(service, context, {
        entityType: 'Container',
        given: customFields,
      })
      const filter = { ...filters, fields }
      return sendPageOrExport(
        { request, reply },
        {
          type: 'container',
          asked,
          linked: ['shipment', 'pod_terminal', 'pickup_facility'],
          steady: '-created_at',
          page: () => listContainers(service, context, { ...asked, filter }),
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
      schema: operation({
        id: 'updateContainerInBody',
        tag: 'Containers',
        summary: 'Change the container that the body names',
        description: 'Does the same as PATCH /v2/containers/{id}. The id is in `data.id`.',
        query: containerQuery.schema,
        body: containerChangesBody,
        answer: documentOf('container'),
        refusals: [404],
      }),
    },
    async (request, reply) => {
      const view = containerQuery.read(request)
      return changeContainer({ request, reply }, { params: { id: readContainerId(request.body) }, view })
    },
  )
}
