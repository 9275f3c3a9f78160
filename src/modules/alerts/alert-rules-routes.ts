/** /v2/alert_rules, /v2/alert_rules/:id and its verb test: which exceptions are sent to whom. */

import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../api/callers/request-caller.ts'
import { defineResource, makeIdReader } from '../../api/define-resource.ts'
import { describeOperation } from '../../api/openapi/operation.ts'
import { refuseParameters } from '../../api/query/query.ts'
import { checkVerbBody } from '../../api/request-body/body.ts'
import { sendJsonApi } from '../../api/responses/send.ts'
import * as schema from '../../api/shape/schema.ts'
import { Type } from '../../platform/json-schema.ts'
import { alertRuleChanges, newAlertRule } from './alert-rule-input.ts'
import { readAlertRule } from './alert-rule-resource.ts'
import { createRule, deleteRule, getRule, listRules, updateRule } from './alert-rules.ts'
import { testRule } from './test-rule.ts'

const of = {
  type: 'alert_rule',
  tag: 'Attention',
  path: '/v2/alert_rules/:id',
  ids: { id: 'Id of the rule.' },
  keyOf: makeIdReader('alert rule'),
  read: readAlertRule,
} as const

export function alertRules(app: FastifyInstance): void {
  const routes = defineResource(app, of)
  routes.list({
    id: 'listAlertRules',
    summary: 'List the alert rules, the oldest first',
    verb: listRules,
  })
  routes.create({
    id: 'createAlertRule',
    summary: 'Create an alert rule that sends exceptions by mail or to a chat',
    description:
      'The first message contains everything that needs attention already. An item is sent once until it ends; items that are set aside are not sent. A person needs the permission to manage webhooks for a rule with a webhook.',
    body: newAlertRule,
    verb: createRule,
  })
  routes.get({ id: 'getAlertRule', summary: 'Get an alert rule', verb: getRule })
  routes.change({
    id: 'updateAlertRule',
    summary: 'Change an alert rule',
    description: 'Attributes that are left out do not change. `webhook: null` removes the webhook.',
    get: getRule,
    body: alertRuleChanges,
    verb: updateRule,
  })
  routes.remove({ id: 'deleteAlertRule', summary: 'Delete an alert rule', verb: deleteRule })
}

const result = schema.object({
  channel: schema.oneOf(['email', 'webhook']),
  to: schema.text(),
  sent: Type.Boolean(),
  status_code: schema.integerOrNull(),
  error: schema.textOrNull(),
})

export function alertRulesTest(app: FastifyInstance): void {
  app.post(
    '/v2/alert_rules/:id/test',
    {
      schema: describeOperation({
        id: 'testAlertRule',
        tag: of.tag,
        summary: 'Send a sample message of an alert rule',
        description:
          'The sample is sent at once to each confirmed address and to the webhook. The answer shows the results.',
        path: of.ids,
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
      const { id } = of.keyOf(request.params)
      await getRule(service, context, { id })
      checkVerbBody(request.body, { type: 'alert_rule', id })
      const results = await testRule(service, context, { id })
      return sendJsonApi(reply, {
        meta: {
          results: results.map(({ channel, to, isSent, statusCode, error }) => {
            return { channel, to, sent: isSent, status_code: statusCode, error }
          }),
        },
      })
    },
  )
}
