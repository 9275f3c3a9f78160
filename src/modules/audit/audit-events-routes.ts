/** /v2/audit_events: who did what in the account, as pages or a complete export. */

import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../api/callers/request-caller.ts'
import { describeOperation, exportablePageOf } from '../../api/openapi/operation.ts'
import { choiceFilter, idFilter, textFilter, timeFilter } from '../../api/query/filters.ts'
import { defineQuery } from '../../api/query/query.ts'
import { createOpenExports, sendPageOrExport } from '../../api/responses/export.ts'
import { formatFilter } from '../../api/responses/export-format.ts'
import type { Service } from '../service.ts'
import { readAuditEvent } from './audit-event-resource.ts'
import { actorTypes } from './audit-events-sql.ts'
import { exportAuditEvents, pageAuditEvents } from './list-audit-events.ts'
import { auditOrders } from './list-audit-events-sql.ts'
import { targetTypes } from './record-change.ts'

const query = defineQuery({
  type: 'audit_event',
  filters: {
    action: textFilter('filter[action]', 'One action, `api_key.created`, or all of one noun, `api_key`.'),
    actorId: textFilter('filter[actor]', 'Id of the person, key or app.'),
    actorType: choiceFilter('filter[actor_type]', actorTypes),
    targetId: idFilter('filter[target]', 'Id of the thing that was changed.'),
    targetType: choiceFilter('filter[target_type]', targetTypes),
    at: timeFilter('filter[created_at]'),
    format: formatFilter,
  },
  orders: auditOrders,
  isPaged: true,
  hasCursors: true,
})

export function auditEvents(app: FastifyInstance, service: Service): void {
  const streams = createOpenExports(app, service)
  app.get(
    '/v2/audit_events',
    {
      config: { hasExport: true },
      schema: describeOperation({
        id: 'listAuditEvents',
        tag: 'Administration',
        summary: 'List the audit log: who did what, newest first',
        description: 'Needs the scope `admin`.',
        query: query.schema,
        answer: exportablePageOf('audit_event'),
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const { context } = callerOf(request)
      const parameters = query.read(request)
      const { format: _, ...filter } = parameters.filter
      return sendPageOrExport(
        { request, reply },
        {
          type: 'audit_event',
          parameters,
          linked: [],
          steady: '-created_at',
          page: async () => {
            const page = await pageAuditEvents(service, context, { ...parameters, filter })
            return { ...page, rows: page.rows.map(readAuditEvent) }
          },
          rows: async (order) => readEach(await exportAuditEvents(service, context, { filter, order })),
        },
        streams,
      )
    },
  )
}

async function* readEach(
  batches: Awaited<ReturnType<typeof exportAuditEvents>>,
): AsyncGenerator<readonly ReturnType<typeof readAuditEvent>[]> {
  for await (const rows of batches) yield rows.map(readAuditEvent)
}
