/** `api_key`: a key of the account. The key itself is shown once, in the answer that made it. */

import type { IdentifiedReading, ResourceKind } from '../../api/shape/resource-kind.ts'
import * as schema from '../../api/shape/schema.ts'
import { scopes } from '../access/context.ts'
import { keyKinds } from './api-key.ts'
import type { ApiKey } from './api-keys-sql.ts'

export interface ApiKeyReading extends IdentifiedReading {
  readonly type: 'api_key'
  readonly key: ApiKey
  /** The complete key. Only in the answer that creates it. */
  readonly secret: string | null
}

export function readApiKey(key: ApiKey, secret: string | null = null): ApiKeyReading {
  return { type: 'api_key', id: key.id, key, secret }
}

export const apiKey: ResourceKind<ApiKeyReading> = {
  type: 'api_key',
  attributes: {
    name: schema.text(),
    kind: schema.oneOf(keyKinds, { description: '`publishable`: for journeys embedded in a web page.' }),
    scopes: schema.list(schema.oneOf(scopes)),
    masked: schema.text({ description: 'The beginning and the end of the key: `lf_live_0abc…wxyz`.' }),
    secret: schema.textOrNull({
      description: 'The whole key. Only the answer that creates the key has it; otherwise null.',
    }),
    allowed_origins: schema.texts({ description: 'For a publishable key: the web pages that may use it.' }),
    expires_at: schema.instantOrNull({ description: 'Null: it does not expire.' }),
    last_used_at: schema.instantOrNull({ description: 'Exact to the minute.' }),
    created_by_name: schema.textOrNull({
      description: 'The person who created it. Null: a key or the operator created it.',
    }),
    created_at: schema.instant(),
  },
  relations: {},
  write: ({ key, secret }) => ({
    name: key.name,
    kind: key.kind,
    scopes: key.scopes,
    masked: `${key.prefix}…${key.lastFour}`,
    secret,
    allowed_origins: key.allowedOrigins,
    expires_at: key.expiresAt,
    last_used_at: key.lastUsedAt,
    created_by_name: key.createdByName,
    created_at: key.createdAt,
  }),
  link: () => ({}),
  self: ({ id }) => `/api_keys/${id}`,
}
