/** Whose request it is: from the `Authorization` header to an account, an actor and what it may do. */

import { isOneOf } from '../../../core/codes.ts'
import { findApiKey, touchApiKey } from '../../../store/api-keys.ts'
import { type Context, scopes } from '../../context.ts'
import { keptBeside } from '../../ground/kept-beside.ts'
import { realNow, type Service } from '../../service.ts'
import { isApiKey } from './api-key.ts'

/** A revoked key stops working within this. */
const rememberedMs = 5_000
const rememberedMax = 10_000
const touchedMs = 60_000

type Identity = Omit<Context, 'requestId'>

interface Remembered {
  readonly identity: Identity
  readonly untilMs: number
}

interface Memory {
  /** By the header as it was sent; gone after five seconds of use, and never written anywhere. */
  readonly identities: Map<string, Remembered>
  /** When this process last wrote that a key was used. */
  readonly touched: Map<string, number>
}

const memoryOf = keptBeside<Service, Memory>(() => ({ identities: new Map(), touched: new Map() }))

/**
 * Null when the key is missing, malformed, cut, unknown, revoked or out of date: the caller cannot tell which. Scheme
 * `Token`, in any case (RFC 9110, 11.1); anything between the scheme and the end but the key makes it malformed.
 */
export async function authenticate(service: Service, header: string | undefined): Promise<Identity | null> {
  if (header === undefined) return null
  const memory = memoryOf(service)
  const now = service.clock.now()
  // Looked up before anything is computed: the checksum and the HMAC cost 18 µs, where a whole read costs 150.
  const known = memory.identities.get(header)
  if (known !== undefined && now < known.untilMs) return known.identity
  memory.identities.delete(header)
  const key = /^Token +(\S+)$/i.exec(header)?.[1]
  if (key === undefined || !isApiKey(key)) return null
  const found = await findApiKey(service.pool, { hmac: service.vault.hmac(key), now: realNow(service) })
  // A publishable key has a way in of its own: authenticate-publishable.ts.
  if (found === null || found.kind !== 'secret') return null
  const identity: Identity = {
    account: { id: found.accountId, companyName: found.companyName, isFiction: found.isFiction },
    actor: { kind: 'api_key', id: found.id },
    scopes: found.scopes.filter((scope) => isOneOf(scopes, scope)),
  }
  if (memory.identities.size >= rememberedMax) memory.identities.clear()
  memory.identities.set(header, { identity, untilMs: now + rememberedMs })
  await noteUse(service, memory, { accountId: found.accountId, id: found.id })
  return identity
}

/** In this process at once; elsewhere within five seconds. */
export function forgetKey(service: Service, keyId: string): void {
  const { identities } = memoryOf(service)
  for (const [header, { identity }] of identities) {
    if (identity.actor.kind === 'api_key' && identity.actor.id === keyId) identities.delete(header)
  }
}

/** At most once a minute for each key, here and (by the statement) in all processes together. */
async function noteUse(
  service: Service,
  memory: Memory,
  key: { readonly accountId: string; readonly id: string },
): Promise<void> {
  const now = service.clock.now()
  if (now - (memory.touched.get(key.id) ?? Number.NEGATIVE_INFINITY) < touchedMs) return
  if (memory.touched.size >= rememberedMax) memory.touched.clear()
  memory.touched.set(key.id, now)
  await touchApiKey(service.pool, { ...key, now: realNow(service) })
}
