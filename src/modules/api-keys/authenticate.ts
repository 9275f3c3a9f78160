/** Finds out whose request it is: from the `Authorization` header to an account, an actor and what the actor may do. */

import { isOneOf } from '../../domain/values/codes.ts'
import { memoizePerOwner } from '../../platform/memoize-per-owner.ts'
import { type Context, scopes } from '../access/context.ts'
import { realNow, type Service } from '../service.ts'
import { isApiKey } from './api-key.ts'
import { findApiKey, touchApiKey } from './api-keys-sql.ts'

/** A revoked key stops working within this time. */
const rememberedMs = 5_000
const rememberedMax = 10_000
const touchedMs = 60_000

type Identity = Omit<Context, 'requestId'>

interface CachedIdentity {
  readonly identity: Identity
  readonly untilMs: number
}

interface AuthenticationCache {
  /** By the header as it was sent. An entry is used for five seconds at most, and is never written anywhere. */
  readonly identities: Map<string, CachedIdentity>
  /** When this process last wrote that a key was used. */
  readonly touched: Map<string, number>
}

const memoryOf = memoizePerOwner<Service, AuthenticationCache>(() => ({ identities: new Map(), touched: new Map() }))

/**
 * Null when the key is missing, malformed, cut, unknown, revoked or expired. The caller cannot know which. The scheme
 * is `Token`, in any case (RFC 9110, 11.1). Between the scheme and the end there may be only the key. `isFresh`:
 * queries the database even if the key is remembered.
 */
export async function authenticate(
  service: Service,
  header: string | undefined,
  { isFresh = false }: { readonly isFresh?: boolean } = {},
): Promise<Identity | null> {
  if (header === undefined) return null
  const memory = memoryOf(service)
  const now = service.clock.now()
  // Looked up before anything is computed: the checksum and the HMAC cost 18 µs, where a complete read costs 150.
  const known = memory.identities.get(header)
  if (known !== undefined && now < known.untilMs && !isFresh) return known.identity
  memory.identities.delete(header)
  const key = /^Token +(\S+)$/i.exec(header)?.[1]
  if (key === undefined || !isApiKey(key)) return null
  const found = await findApiKey(service.pool, { hmac: service.encryption.hmac(key), now: realNow(service) })
  // Publishable keys are authenticated in authenticate-publishable.ts.
  if (found === null || found.kind !== 'secret') return null
  const identity: Identity = {
    account: { id: found.accountId, companyName: found.companyName, isSandbox: found.isSandbox },
    actor: { kind: 'api_key', id: found.id },
    scopes: found.scopes.filter((scope) => isOneOf(scopes, scope)),
  }
  if (memory.identities.size >= rememberedMax) memory.identities.clear()
  memory.identities.set(header, { identity, untilMs: now + rememberedMs })
  await noteUse(service, memory, { accountId: found.accountId, id: found.id })
  return identity
}

/** Takes effect at once in this process, and within five seconds in others. */
export function forgetKey(service: Service, keyId: string): void {
  const { identities } = memoryOf(service)
  for (const [header, { identity }] of identities) {
    if (identity.actor.kind === 'api_key' && identity.actor.id === keyId) identities.delete(header)
  }
}

/**
 * Writes at most once a minute for each key, in this process and (because of the SQL statement) in all processes
 * together.
 */
async function noteUse(
  service: Service,
  memory: AuthenticationCache,
  key: { readonly accountId: string; readonly id: string },
): Promise<void> {
  const now = service.clock.now()
  if (now - (memory.touched.get(key.id) ?? Number.NEGATIVE_INFINITY) < touchedMs) return
  if (memory.touched.size >= rememberedMax) memory.touched.clear()
  memory.touched.set(key.id, now)
  await touchApiKey(service.pool, { ...key, now: realNow(service) })
}
