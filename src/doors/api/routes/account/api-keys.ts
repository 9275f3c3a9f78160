/** /v2/api_keys and /v2/api_keys/:id: the keys of the account, for those who manage them. */

import type { FastifyInstance } from 'fastify'
import { deleteApiKey, getApiKey, listApiKeys } from '../../../../service/people/access/api-keys.ts'
import { issueApiKey } from '../../../../service/people/access/create-api-key.ts'
import { readApiKey } from '../../../documents/resources/account/api-key.ts'
import { readId } from '../../../http/path-id.ts'
import { sendList, sendNothing, sendOne } from '../../answering/answer.ts'
import { defineQuery, refuseParameters } from '../../asking/query.ts'
import { atAttributes } from '../../bodies/named-fault.ts'
import { callerOf } from '../../caller/caller.ts'
import { documentOf, listOf, nothingBack, operation } from '../../description/operation.ts'
import { apiKeyBody, readNewApiKey } from '../../inputs/api-key.ts'

const tag = 'Administration'
const query = defineQuery({ type: 'api_key' })
const path = { id: 'Id of the key.' }

export function apiKeys(app: FastifyInstance): void {
  app.get(
    '/v2/api_keys',
    {
      schema: operation({
        id: 'listApiKeys',
        tag,
        summary: 'List API keys, newest first',
        description: 'Lists all keys. Secrets are masked. Needs the scope `admin`.',
        query: query.schema,
        answer: listOf('api_key'),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const keys = await listApiKeys(service, context)
      return sendList({ request, reply }, { data: keys.map((key) => readApiKey(key)), view })
    },
  )

  app.post(
    '/v2/api_keys',
    {
      config: { permission: 'keys' },
      schema: operation({
        id: 'createApiKey',
        tag,
        summary: 'Create an API key',
        description:
          'Needs the scope `admin`. Only this answer contains `secret`. Store it. The new key cannot have more rights than its creator. If a key creates it, it cannot expire later than that key.',
        query: query.schema,
        body: apiKeyBody,
        status: 201,
        answer: documentOf('api_key'),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const names = { expires: 'expires_at', origins: 'allowed_origins' }
      const made = await atAttributes(issueApiKey(service, context, readNewApiKey(request.body)), names)
      const key = await getApiKey(service, context, { id: made.id })
      return sendOne({ request, reply }, { data: readApiKey(key, made.key), view, status: 201 })
    },
  )

  app.get(
    '/v2/api_keys/:id',
    {
      schema: operation({
        id: 'getApiKey',
        tag,
        summary: 'Get an API key, masked',
        path,
        query: query.schema,
        answer: documentOf('api_key'),
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      const view = query.read(request)
      const key = await getApiKey(service, context, { id: readId(request.params, 'API key') })
      return sendOne({ request, reply }, { data: readApiKey(key), view })
    },
  )

  app.delete(
    '/v2/api_keys/:id',
    {
      schema: operation({
        id: 'deleteApiKey',
        tag,
        summary: 'Delete an API key',
        description: 'The key stops working within five seconds. A key may delete itself.',
        path,
        status: 204,
        answer: nothingBack,
      }),
    },
    async (request, reply) => {
      const { service, context } = callerOf(request)
      refuseParameters(request)
      await deleteApiKey(service, context, { id: readId(request.params, 'API key') })
      return sendNothing(reply)
    },
  )
}
