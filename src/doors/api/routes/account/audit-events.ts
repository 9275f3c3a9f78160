/** /v2/audit_events: who did what in the account, as pages or a whole export. */

import type { FastifyInstance } from 'fastify'
import { exportAuditEvents, pageAuditEvents } from '../../../../service/people/audit/list-activity.ts'
import { targetTypes } from '../../../../service/people/audit/record-change.ts'
import type { Service } from '../../../../service/service.ts'
import { actorTypes } from '../../../../store/people/audit.ts'
import { auditOrders } from '../../../../store/people/audit-log.ts'
import { readAuditEvent } from '../../../documents/resources/account/audit-event.ts'
import { createOpenExports, sendPageOrExport } from '../../answering/export.ts'
import { formatFilter } from '../../answering/export-format.ts'
import { choiceFilter, idFilter, textFilter, timeFilter } from '../../asking/filters.ts'
import { defineQuery } from '../../asking/query.ts'
import { callerOf } from '../../caller/caller.ts'
import { exportablePageOf, operation } from '../../description/operation.ts'

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
      schema: operation({
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
      const asked = query.read(request)
      const { format: _, ...filter } = asked.filter
      return sendPageOrExport(
        { request, reply },
        {
          type: 'audit_event',
          asked,
          linked: [],
          steady: '-created_at',
          page: async () => {
            const page = await pageAuditEvents(service, context, { ...asked, filter })
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
