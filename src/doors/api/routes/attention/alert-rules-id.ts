/** /v2/alert_rules/:id, and its verb test. */

import type { FastifyInstance } from 'fastify'
import { Type } from '../../../../platform/json-schema.ts'
import { deleteRule, getRule, updateRule } from '../../../../service/telling/alerts/rules.ts'
import { testRule } from '../../../../service/telling/alerts/test-rule.ts'
import { readAlertRule } from '../../../documents/resources/attention/alert-rule.ts'
import * as schema from '../../../documents/shape/schema.ts'
import { readId } from '../../../http/path-id.ts'
import { send, sendNothing, sendOne } from '../../answering/answer.ts'
import { readIfCurrent } from '../../answering/entity-tag.ts'
import { defineQuery, refuseParameters } from '../../asking/query.ts'
import { checkVerbBody } from '../../bodies/body.ts'
import { callerOf } from '../../caller/caller.ts'
import { documentOf, nothingBack, operation } from '../../description/operation.ts'
import { alertRuleChangesBody, readAlertRuleChanges } from '../../inputs/alert-rule.ts'

const tag = 'Attention'
const path = { id: 'Id of the rule.' }
const query = defineQuery({ type: 'alert_rule' })
const common = { tag, path, query: query.schema, answer: documentOf('alert_rule') }
const result = schema.object({
  channel: schema.oneOf(['email', 'webhook']),
  to: schema.text(),
  sent: Type.Boolean(),
  status_code: schema.integerOrNull(),
  error: schema.textOrNull(),
})

export function alertRulesId(app: FastifyInstance): void {
  app.get(
    '/v2/alert_rules/:id',
    { schema: operation({ ...common, id: 'getAlertRule', summary: 'Get an alert rule' }) },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const rule = await getRule(service, context, { id: readId(request.params, 'alert rule') })
      return sendOne({ request, reply }, { data: readAlertRule(rule), view })
    },
  )

  app.patch(
    '/v2/alert_rules/:id',
    {
      config: { hasPrecondition: true },
      schema: operation({
        ...common,
        id: 'updateAlertRule',
        summary: 'Change an alert rule',
        description: 'What is left out stays. `webhook: null` ends it.',
        body: alertRuleChangesBody,
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const id = readId(request.params, 'alert rule')
      // Checks the rule first: if it does not exist, that is the answer, whatever the body contains.
      await getRule(service, context, { id })
      const isCurrent = readIfCurrent(request)
      const rule = await updateRule(service, context, {
        id,
        ...readAlertRuleChanges(request.body, id),
        ifCurrent: isCurrent && ((found) => isCurrent(readAlertRule(found))),
      })
      return sendOne({ request, reply }, { data: readAlertRule(rule), view })
    },
  )

  app.delete(
    '/v2/alert_rules/:id',
    {
      schema: operation({
        id: 'deleteAlertRule',
        tag,
        summary: 'End an alert rule',
        path,
        status: 204,
        answer: nothingBack,
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      refuseParameters(request)
      await deleteRule(service, context, { id: readId(request.params, 'alert rule') })
      return sendNothing(reply)
    },
  )

  app.post(
    '/v2/alert_rules/:id/test',
    {
      schema: operation({
        id: 'testAlertRule',
        tag,
        summary: 'Send a sample by an alert rule',
        description:
          'It goes at once to each confirmed address and to the webhook. The answer tells how it went.',
        path,
        hasOptionalBody: true,
        answer: schema.object(
          { meta: schema.object({ results: schema.list(result) }) },
          { description: 'How it went, for each receiver.' },
        ),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      refuseParameters(request)
      const id = readId(request.params, 'alert rule')
      await getRule(service, context, { id })
      checkVerbBody(request.body, { type: 'alert_rule', id })
      const results = await testRule(service, context, { id })
      return send(reply, {
        meta: {
          results: results.map(({ channel, to, isSent, statusCode, error }) => {
            return { channel, to, sent: isSent, status_code: statusCode, error }
          }),
        },
      })
    },
  )
}
