/** Body of a new API key. */

import { closed } from '../../api/request-body/attributes.ts'
import { defineCreateBody } from '../../api/request-body/resource-body.ts'
import * as schema from '../../api/shape/schema.ts'
import { Type } from '../../platform/json-schema.ts'
import { type Scope, scopes } from '../access/context.ts'
import { type KeyKind, keyKinds } from './api-key.ts'
import { apiKey } from './api-key-resource.ts'

const attributes = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100 }),
    kind: Type.Optional(Type.Unsafe<KeyKind>({ type: 'string', enum: keyKinds })),
    scopes: Type.Optional(
      Type.Unsafe<readonly Scope[]>({
        type: 'array',
        items: { type: 'string', enum: scopes },
        minItems: 1,
        uniqueItems: true,
        description:
          'If it is missing: `read` and `write`. `write` needs `read`, and `admin` needs both. You cannot give more than you have.',
      }),
    ),
    allowed_origins: Type.Optional(
      Type.Unsafe<readonly string[]>({
        type: 'array',
        items: { type: 'string', maxLength: 300 },
        maxItems: 20,
        description: 'A publishable key needs at least one: `https://www.example.com`.',
      }),
    ),
    expires_at: Type.Optional(
      schema.textOrNull({
        maxLength: 40,
        description: 'ISO 8601 with a zone. If it is missing or null, the key does not expire.',
      }),
    ),
  },
  closed,
)

export const newApiKey = defineCreateBody(apiKey, attributes, (given) => ({
  name: given.name,
  kind: given.kind ?? 'secret',
  scopes: given.scopes ?? (['read', 'write'] as const),
  allowedOrigins: given.allowed_origins ?? [],
  expiresAt: given.expires_at ?? null,
}))
