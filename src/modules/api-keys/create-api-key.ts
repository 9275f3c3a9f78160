/** Makes an API key for an account. The key is returned here and never again: only its HMAC is stored. */

import { type Db, inTransaction } from '../../db/database.ts'
import { uuidV7 } from '../../platform/ids.ts'
import { type Context, requirePermission, type Scope } from '../access/context.ts'
import { parseOrigin } from '../access/web-origin.ts'
import { recordChange } from '../audit/record-change.ts'
import { refusedAt, ServiceError } from '../errors.ts'
import { realNow, type Service } from '../service.ts'
import { type KeyKind, makeApiKey, maskKey } from './api-key.ts'
import { listApiKeys } from './api-keys.ts'
import { insertApiKey } from './api-keys-sql.ts'

interface NewKey {
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly kind?: KeyKind
  /** Of a publishable key: the pages that may use it, as `https://www.example.com`. */
  readonly allowedOrigins?: readonly string[]
  /** ISO 8601; null for a key that does not expire. */
  readonly expiresAt?: string | null
}

/** For the installation itself. The first key is made in the transaction (`db`) that makes its account. */
export function createApiKey(
  service: Service,
  input: NewKey & { readonly accountId: string },
  db?: Db,
): Promise<{ readonly key: string; readonly id: string }> {
  const by = { account: { id: input.accountId }, actor: { kind: 'system' }, requestId: 'none' } as const
  const make = (within: Db) => insertNewKey(within, service, by, input)
  return db === undefined ? inTransaction(service.pool, make) : make(db)
}

const originsMax = 20

/** For an automation that runs wild. */
const keysMax = 500

/** For people and keys that manage keys, and for the operator at the command line. */
export async function issueApiKey(
  service: Service,
  context: Context,
  input: Required<NewKey>,
): Promise<{ readonly key: string; readonly id: string }> {
  requirePermission(context, 'keys')
  const name = input.name.trim().normalize('NFC')
  if (name === '' || name.length > 100 || /\p{Cc}/u.test(name))
    throw refusedAt('/name', 'A name has 1 to 100 characters.')
  if (input.scopes.length === 0) throw refusedAt('/scopes', 'A key needs at least the scope `read`.')
  if (input.expiresAt !== null && !(Date.parse(input.expiresAt) > service.clock.now()))
    throw refusedAt('/expires', 'The end of a key must be in the future.')
  await requireOwnPermissions(service, context, input)
  const make = (key: NewKey) => inTransaction(service.pool, (db) => insertNewKey(db, service, context, key))
  if (input.kind === 'secret') return make({ ...input, name, allowedOrigins: [] })
  const allowedOrigins = [...new Set(input.allowedOrigins.map(readOrigin))]
  if (allowedOrigins.length === 0 || allowedOrigins.length > originsMax)
    throw refusedAt('/origins', `A publishable key must name 1 to ${originsMax} origins that may use it.`)
  return make({ ...input, name, allowedOrigins, scopes: ['read'] })
}

/** Nobody gives a key what they do not have: no further scope, and a key no longer life than its own. */
async function requireOwnPermissions(
  service: Service,
  context: Context,
  input: Pick<NewKey, 'scopes' | 'expiresAt'>,
): Promise<void> {
  const { scopes } = input
  if (scopes.some((scope) => !context.scopes.includes(scope)))
    throw new ServiceError('forbidden', 'A key cannot have more rights than its creator.', {
      source: { pointer: '/scopes' },
    })
  if (scopes.includes('write') && !scopes.includes('read'))
    throw refusedAt('/scopes', '`write` needs the scope `read`.')
  if (scopes.includes('admin') && !scopes.includes('write'))
    throw refusedAt('/scopes', '`admin` needs `read` and `write`.')
  const keys = await listApiKeys(service, context)
  if (keys.length >= keysMax)
    throw new ServiceError('conflict', `An account has at most ${keysMax} keys. Delete one first.`)
  const actorId = context.actor.kind === 'api_key' ? context.actor.id : null
  const ownKey = keys.find(({ id }) => id === actorId)
  const end = input.expiresAt ?? null
  if (ownKey?.expiresAt == null || (end !== null && Date.parse(end) <= Date.parse(ownKey.expiresAt))) return
  throw new ServiceError('forbidden', `A key cannot expire later than the key that creates it: ${ownKey.expiresAt}.`, {
    source: { pointer: '/expires' },
  })
}

async function insertNewKey(
  db: Db,
  service: Service,
  by: Parameters<typeof recordChange>[2],
  input: NewKey,
): Promise<{ readonly key: string; readonly id: string }> {
  const { kind = 'secret', allowedOrigins = [], expiresAt = null, name, scopes } = input
  const key = makeApiKey(kind)
  const id = uuidV7(service.clock.now())
  await insertApiKey(db, {
    ...maskKey(key),
    accountId: by.account.id,
    id,
    name,
    hmac: service.encryption.hmac(key),
    scopes,
    createdAt: realNow(service),
    kind,
    allowedOrigins,
    createdBy: by.actor.kind === 'user' ? by.actor.id : null,
    expiresAt,
  })
  await recordChange(db, service, by, {
    action: 'api_key.created',
    target: { type: 'api_key', id },
    diff: {
      name: [null, name],
      scopes: [null, scopes],
      ...(kind === 'secret' ? {} : { kind: [null, kind], allowedOrigins: [null, allowedOrigins] }),
    },
  })
  return { key, id }
}

function readOrigin(given: string): string {
  const origin = parseOrigin(given)
  if (origin !== null) return origin
  throw refusedAt(
    '/origins',
    `${JSON.stringify(given.trim().slice(0, 80))} is not an origin. One looks like https://www.example.com.`,
  )
}
