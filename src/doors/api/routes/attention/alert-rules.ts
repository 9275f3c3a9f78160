/** /v2/alert_rules: which exceptions are told to whom. */

import type { FastifyInstance } from 'fastify'
import { createRule, listRules } from '../../../../service/telling/alerts/rules.ts'
import { readAlertRule } from '../../../documents/resources/attention/alert-rule.ts'
import { sendList, sendOne } from '../../answering/answer.ts'
import { defineQuery } from '../../asking/query.ts'
import { callerOf } from '../../caller/caller.ts'
import { documentOf, listOf, operation } from '../../description/operation.ts'
import { alertRuleBody, readNewAlertRule } from '../../inputs/alert-rule.ts'

const tag = 'Attention'
const query = defineQuery({ type: 'alert_rule' })

export function alertRules(app: FastifyInstance): void {
  app.get(
    '/v2/alert_rules',
    {
      schema: operation({
        id: 'listAlertRules',
        tag,
        summary: 'List the alert rules, the oldest first',
        query: query.schema,
        answer: listOf('alert_rule'),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const rules = await listRules(service, context)
      return sendList({ request, reply }, { data: rules.map(readAlertRule), view })
    },
  )

  app.post(
    '/v2/alert_rules',
    {
      schema: operation({
        id: 'createAlertRule',
        tag,
        summary: 'Have exceptions told by mail or to a chat',
        description:
          'What needs attention already is told with the first message. An item is told once until it is over; what is set aside is not told. A person needs the permission to manage webhooks for a rule with one.',
        query: query.schema,
        body: alertRuleBody,
        status: 201,
        answer: documentOf('alert_rule'),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const rule = await createRule(service, context, readNewAlertRule(request.body))
      return sendOne({ request, reply }, { data: readAlertRule(rule), view, status: 201 })
    },
  )
}
