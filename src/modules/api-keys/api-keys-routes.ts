/** /v2/api_keys and /v2/api_keys/:id: the keys of the account, for those who manage them. */

import type { FastifyInstance } from 'fastify'
import { defineResource, makeIdReader } from '../../api/define-resource.ts'
import { pointErrorsToAttributes } from '../../api/request-body/at-attributes.ts'
import { newApiKey } from './api-key-input.ts'
import { readApiKey } from './api-key-resource.ts'
import { deleteApiKey, getApiKey, listApiKeys } from './api-keys.ts'
import { issueApiKey } from './create-api-key.ts'

export function apiKeys(app: FastifyInstance): void {
  const routes = defineResource(app, {
    type: 'api_key',
    tag: 'Administration',
    path: '/v2/api_keys/:id',
    ids: { id: 'Id of the key.' },
    keyOf: makeIdReader('API key'),
    read: readApiKey,
  })
  routes.list({
    id: 'listApiKeys',
    summary: 'List API keys, newest first',
    description: 'Lists all keys. Secrets are masked. Needs the scope `admin`.',
    verb: listApiKeys,
  })
  routes.createWithSecret({
    id: 'createApiKey',
    summary: 'Create an API key',
    description:
      'Needs the scope `admin`. Only this answer contains `secret`. Store it. The new key cannot have more rights than its creator. If a key creates it, it cannot expire later than that key.',
    permission: 'keys',
    body: newApiKey,
    verb: async (service, context, input) => {
      const names = { expires: 'expires_at', origins: 'allowed_origins' }
      const { id, key: secret } = await pointErrorsToAttributes(issueApiKey(service, context, input), names)
      return { key: await getApiKey(service, context, { id }), secret }
    },
    read: ({ key, secret }) => readApiKey(key, secret),
  })
  routes.get({ id: 'getApiKey', summary: 'Get an API key, masked', verb: getApiKey })
  routes.remove({
    id: 'deleteApiKey',
    summary: 'Delete an API key',
    description: 'The key stops working within five seconds. A key may delete itself.',
    verb: deleteApiKey,
  })
}
