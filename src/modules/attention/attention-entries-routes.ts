/** /v2/attention_entries and /v2/attention_entries/:id: what needs a person, one entry for each container or shipment. */

import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../api/callers/request-caller.ts'
import { defineResource, makeIdReader } from '../../api/define-resource.ts'
import { parameterFault, pointerFault } from '../../api/errors/problem.ts'
import { isUuid } from '../../api/http/path-parameters.ts'
import { describeOperation, pageWith } from '../../api/openapi/operation.ts'
import { choiceFilter, idFilter, listFilter, makeTextFilter, scacFilter } from '../../api/query/filters.ts'
import { defineQuery } from '../../api/query/query.ts'
import { closed } from '../../api/request-body/attributes.ts'
import { camelNames, defineChangeBody } from '../../api/request-body/resource-body.ts'
import { sendPage } from '../../api/responses/send.ts'
import * as schema from '../../api/shape/schema.ts'
import { actionGroups } from '../../domain/charges/attention-entry.ts'
import { parseEventTime } from '../../domain/values/time.ts'
import { isTimeZone } from '../../domain/values/time-zone.ts'
import { attentionReasons } from '../../domain/view/attention-reasons.ts'
import { Type } from '../../platform/json-schema.ts'
import { attentionEntry, readAttentionEntry } from './attention-entry-resource.ts'
import { unknownSchema } from './attention-item-resource.ts'
import { entryStates, getEntry, listEntries } from './list-entries.ts'
import { updateEntry } from './update-entry.ts'

const listQuery = defineQuery({
  type: 'attention_entry',
  filters: {
    reasons: listFilter(
      'filter[reason]',
      attentionReasons,
      'One reason, or several, separated by commas. An entry matches if it has one of them.',
    ),
    shipmentId: idFilter('filter[shipment]', 'Id of a shipment.'),
    scac: scacFilter('filter[scac]'),
    assignedTo: idFilter('filter[assigned_to]', 'Id of a member.'),
    state: choiceFilter('filter[state]', entryStates),
    timeZone: makeTextFilter(
      'time_zone',
      Type.String({
        maxLength: 64,
        description: 'IANA time zone whose midnight counts for `done_today`; UTC by default.',
      }),
      (text) => {
        if (!isTimeZone(text)) throw parameterFault('invalid', 'time_zone', '`time_zone` is an IANA time zone.')
        return text
      },
    ),
  },
  isPaged: true,
})
const changes = Type.Object(
  {
    state: Type.Unsafe<'open' | 'done'>({ type: 'string', enum: ['open', 'done'] }),
    snoozed_until: schema.textOrNull({
      maxLength: 40,
      description: 'ISO 8601 date-time with its zone; at most 366 days from now.',
    }),
    assigned_to_id: schema.textOrNull({ maxLength: 36, description: 'Id of a member.' }),
    version: Type.String({ maxLength: 40 }),
  },
  closed,
)
const body = defineChangeBody(attentionEntry, Type.Partial(changes, closed), (given) => {
  const { snoozedUntil, ...rest } = camelNames(given)
  if (rest.assignedToId && !isUuid(rest.assignedToId))
    throw pointerFault('invalid', '/data/attributes/assigned_to_id', 'This is not the id of a member.')
  return snoozedUntil === undefined ? rest : { ...rest, snoozedUntil: snoozedUntil && readTime(snoozedUntil) }
})
const whole = Type.Integer({ minimum: 0 })
const meta = {
  is_cut: Type.Boolean({ description: 'There are more entries than the 500 that are listed. Use filters.' }),
  counts: schema.object(Object.fromEntries(actionGroups.map((group) => [group, whole])), {
    description: 'Entries on all pages, by `group`.',
  }),
  done_today: Type.Integer({
    minimum: 0,
    description: 'Containers, shipments and requests that were marked as done since midnight.',
  }),
  unknown: unknownSchema,
}

export function attentionEntries(app: FastifyInstance): void {
  const routes = defineResource(app, {
    type: 'attention_entry',
    tag: 'Attention',
    path: '/v2/attention_entries/:id',
    ids: { id: 'Id of the container, shipment or tracking request.' },
    keyOf: makeIdReader('attention entry'),
    read: readAttentionEntry,
  })
  app.get(
    '/v2/attention_entries',
    {
      schema: describeOperation({
        id: 'listAttentionEntries',
        tag: 'Attention',
        summary: 'List containers, shipments and requests that need a person, by the day of action',
        description:
          'One entry for each, with all its reasons. The most overdue come first, and of one day the most costly. Without `filter[state]`: open entries. The list ends after 500.',
        query: listQuery.schema,
        answer: pageWith('attention_entry', meta),
        refusals: [422],
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const parameters = listQuery.read(request)
      const { timeZone, ...filter } = parameters.filter
      const { page, isCut, counts, doneToday, unknown } = await listEntries(service, context, {
        filter,
        page: parameters.page,
        timeZone: timeZone ?? 'UTC',
      })
      return sendPage(
        { request, reply },
        {
          page: { ...page, rows: page.rows.map(readAttentionEntry) },
          pageRequest: parameters.page,
          view: parameters,
          meta: { is_cut: isCut, counts, done_today: doneToday, unknown },
        },
      )
    },
  )
  routes.get({ id: 'getAttentionEntry', summary: 'Get an entry of the inbox', verb: getEntry })
  routes.change({
    id: 'updateAttentionEntry',
    summary: 'Mark an entry as done, set it aside, or assign it to a member',
    description: 'All its present reasons are done or set aside. A new reason shows the entry again.',
    get: getEntry,
    body,
    refusals: [409],
    verb: updateEntry,
  })
}

function readTime(text: string): string {
  const time = parseEventTime(text)
  if (time?.kind === 'instant') return time.at
  throw pointerFault('invalid', '/data/attributes/snoozed_until', 'This must be an ISO 8601 date-time with its zone.')
}
