/** /v2/me: who makes the request, in which account, and what this installation offers them. */

import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../api/callers/request-caller.ts'
import { describeOperation } from '../../api/openapi/operation.ts'
import { refuseParameters } from '../../api/query/query.ts'
import { sendPlain } from '../../api/responses/send.ts'
import * as schema from '../../api/shape/schema.ts'
import { Type } from '../../platform/json-schema.ts'
import { featureNames, getMe, type Me } from './get-me.ts'

const statuses = ['available', 'requires_paid_plan', 'requires_user_credential', 'not_enabled'] as const
const linkage = (type: string) => schema.object({ type: schema.oneOf([type]), id: schema.text() })
const unknown = schema.nothing({ description: 'Always null: Landfall does not know it.' })
const answer = schema.object({
  data: schema.object({
    type: schema.oneOf(['credential']),
    id: schema.text({ description: 'Id of the key, app or person.' }),
    attributes: schema.object({
      kind: schema.oneOf(['api_key', 'user']),
      channel: schema.oneOf(['api', 'dashboard']),
      name: schema.textOrNull({ description: 'Label of the key.' }),
      features: schema.object(
        Object.fromEntries(featureNames.map((name) => [name, schema.object({ status: schema.oneOf(statuses) })])),
      ),
    }),
    relationships: schema.object({
      account: schema.object({ data: linkage('account') }),
      user: schema.object({ data: Type.Union([linkage('user'), Type.Null()]) }),
    }),
  }),
  included: schema.list(
    Type.Union([
      schema.object({
        type: schema.oneOf(['account']),
        id: schema.text(),
        attributes: schema.object({
          company_name: schema.text(),
          company_type: unknown,
          scac: unknown,
          abbr_name: unknown,
          city: unknown,
          state_abbr: unknown,
          country: unknown,
          plan: unknown,
          tracking_slots: unknown,
        }),
      }),
      schema.object({
        type: schema.oneOf(['user']),
        id: schema.text(),
        attributes: schema.object({
          email: schema.text(),
          name: schema.textOrNull(),
          role: schema.oneOf(['member', 'account_manager']),
          job_role: unknown,
          job_title: unknown,
          admin: Type.Boolean({ description: 'Always false: nobody of another company can sign in.' }),
        }),
        relationships: schema.object({ accounts: schema.object({ data: schema.list(linkage('account')) }) }),
      }),
    ]),
  ),
})

export function me(app: FastifyInstance): void {
  app.get(
    '/v2/me',
    {
      config: { isNeverStored: true },
      schema: describeOperation({
        id: 'getMe',
        tag: 'Administration',
        summary: 'Get who makes the request, and their account',
        answer,
      }),
    },
    async (request, reply) => {
      refuseParameters(request)
      const { service, context } = callerOf(request)
      return sendPlain({ request, reply }, writeMe(await getMe(service, context)))
    },
  )
}

function writeMe({ kind, id, name, user, accounts, features }: Me) {
  const [current] = accounts
  const accountsOf = accounts.map((each) => ({ type: 'account', id: each.id }))
  return {
    data: {
      type: 'credential',
      id,
      attributes: {
        kind,
        channel: kind === 'user' ? 'dashboard' : 'api',
        name,
        features: Object.fromEntries(Object.entries(features).map(([feature, status]) => [feature, { status }])),
      },
      relationships: {
        account: { data: { type: 'account', id: current?.id } },
        user: { data: user && { type: 'user', id: user.id } },
      },
    },
    included: [...accounts.map(writeAccount), ...(user === null ? [] : [writeUser(user, accountsOf)])],
  }
}

function writeAccount({ id, companyName }: Me['accounts'][number]) {
  const nowhere = { company_type: null, scac: null, abbr_name: null, city: null, state_abbr: null, country: null }
  const attributes = { company_name: companyName, ...nowhere, plan: null, tracking_slots: null }
  return { type: 'account', id, attributes }
}

function writeUser({ id, email, name, isManager }: NonNullable<Me['user']>, accounts: readonly object[]) {
  const role = isManager ? 'account_manager' : 'member'
  const attributes = { email, name, role, job_role: null, job_title: null, admin: false }
  return { type: 'user', id, attributes, relationships: { accounts: { data: accounts } } }
}
