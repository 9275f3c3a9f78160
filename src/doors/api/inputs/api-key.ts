/** Body of a new API key. */

import { Type } from '../../../platform/json-schema.ts'
import { type Scope, scopes } from '../../../service/context.ts'
import { type KeyKind, keyKinds } from '../../../service/people/access/api-key.ts'
import type { issueApiKey } from '../../../service/people/access/create-api-key.ts'
import * as schema from '../../documents/shape/schema.ts'
import { readAttributes } from '../bodies/body.ts'
import { bodyOf } from '../description/operation.ts'
import { closed, readOnlyOf } from './attributes.ts'

const newKey = Type.Object(
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
export const apiKeyBody = bodyOf('api_key', newKey)
const readOnly = readOnlyOf('api_key', newKey)

export function readNewApiKey(body: unknown): Parameters<typeof issueApiKey>[2] {
  const given = readAttributes(body, { type: 'api_key', id: null, attributes: newKey, readOnly })
  return {
    name: given.name,
    kind: given.kind ?? 'secret',
    scopes: given.scopes ?? ['read', 'write'],
    allowedOrigins: given.allowed_origins ?? [],
    expiresAt: given.expires_at ?? null,
  }
}
