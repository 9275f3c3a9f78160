/** /v2/connection_targets and /v2/connections: what an account can connect, and the trial of an access to it. */

import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../api/callers/request-caller.ts'
import { readPathParameter } from '../../api/http/path-parameters.ts'
import { describeOperation } from '../../api/openapi/operation.ts'
import { refuseParameters } from '../../api/query/query.ts'
import { closed } from '../../api/request-body/attributes.ts'
import { readObject } from '../../api/request-body/body.ts'
import { sendPlain } from '../../api/responses/send.ts'
import { type NumberKind, numberKinds } from '../../connectors/source.ts'
import { Type } from '../../platform/json-schema.ts'
import { connectForAccount, getTarget, listTargets } from './account-connections.ts'
import {
  connectionAnswer,
  describedTarget,
  listedTargets,
  writeConnection,
  writeListedTarget,
  writeTarget,
} from './connection-resource.ts'

const tag = 'Shipping lines'
const body = Type.Object(
  {
    target: Type.String({ maxLength: 100, description: '`id` in `GET /v2/connection_targets`.' }),
    number: Type.String({ maxLength: 40, description: 'A number of your own.' }),
    kind: Type.Optional(Type.Unsafe<NumberKind>({ type: 'string', enum: numberKinds })),
    secrets: Type.Optional(
      Type.Record(Type.String(), Type.String({ maxLength: 20_000 }), {
        description:
          'Secrets by their names. If they are missing, the access that this account has stored is tried again.',
      }),
    ),
    profile: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description:
          'Members of the profile that differ from what ships. Of a terminal or railroad: `asking` and `answer`.',
      }),
    ),
    pay: Type.Optional(Type.Boolean({ description: 'True: try although the request is billed.' })),
    save: Type.Optional(
      Type.Boolean({
        description:
          'False: only try. True: store an access that works, also to a test system. Missing: not to a test system.',
      }),
    ),
  },
  closed,
)

export function connections(app: FastifyInstance): void {
  app.get(
    '/v2/connection_targets',
    {
      schema: describeOperation({
        id: 'listConnectionTargets',
        tag,
        summary: 'List the carriers, terminals and railroads that can be connected',
        description: 'Not paginated.',
        answer: listedTargets,
      }),
    },
    async (request, reply) => {
      refuseParameters(request)
      return sendPlain({ request, reply }, { data: listTargets(callerOf(request).context).map(writeListedTarget) })
    },
  )

  app.get(
    '/v2/connection_targets/:id',
    {
      schema: describeOperation({
        id: 'getConnectionTarget',
        tag,
        summary: 'Get what a connection needs, and where to get it',
        path: { id: 'SCAC of a carrier, or the name of a terminal or railroad.' },
        answer: describedTarget,
      }),
    },
    async (request, reply) => {
      refuseParameters(request)
      const target = getTarget(callerOf(request).context, { id: readPathParameter(request.params, 'id') })
      return sendPlain({ request, reply }, { data: writeTarget(target) })
    },
  )

  app.post(
    '/v2/connections',
    {
      config: { bucket: 'refresh', isInSteps: true, permission: 'connections' },
      schema: describeOperation({
        id: 'connectTarget',
        tag,
        summary: 'Try the access to a carrier, terminal or railroad, and store it for this account',
        description:
          'Needs the scope `admin`. One question is sent at once. An access that works is stored with its secrets encrypted, for this account only. 409 while another trial of the account runs. Sandbox accounts cannot connect anything, because their carriers are simulated.',
        body,
        answer: connectionAnswer,
      }),
    },
    async (request, reply) => {
      refuseParameters(request)
      const { service, context } = callerOf(request)
      const { target, number, kind, secrets, profile, pay, save } = readObject(request.body, body)
      const connection = await connectForAccount(service, context, {
        target,
        number,
        kind: kind ?? null,
        secrets: secrets ?? null,
        profile: profile ?? {},
        isPaid: pay === true,
        isSaved: save ?? null,
      })
      return sendPlain({ request, reply }, writeConnection(connection))
    },
  )
}
