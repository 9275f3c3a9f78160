/** Whose request it is: from the `Authorization` header to an account, an actor and what it may do. */

import { findApiKey, touchApiKey } from '../../store/api-keys.ts'
import { type Context, type Scope, scopes } from '../context.ts'
import { realNow, type Service } from '../service.ts'
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
  readonly identities: Map<string, Remembered>
  /** When this process last wrote that a key was used. */
  readonly touched: Map<string, number>
}

/** By service, so that two installations in one process (tests) never mix. */
const memories = new WeakMap<Service, Memory>()

/**
 * Null when the key is missing, malformed, cut, unknown, revoked or out of date: the caller cannot tell which. Scheme
 * `Token`, in any case (RFC 9110, 11.1); anything between the scheme and the end but the key makes it malformed.
 */
export async function authenticate(service: Service, header: string | undefined): Promise<Identity | null> {
  const key = /^Token +(\S+)$/i.exec(header ?? '')?.[1]
  if (key === undefined || !isApiKey(key)) return null
  const memory = memoryOf(service)
  const now = service.clock.now()
  // Kept under its HMAC: a dump of the memory gives no key away. 3 µs, where a query costs 100.
  const hmac = service.vault.hmac(key)
  const name = hmac.toString('base64')
  const known = memory.identities.get(name)
  if (known !== undefined && now < known.untilMs) return known.identity
  memory.identities.delete(name)
  const found = await findApiKey(service.pool, { hmac, now: realNow(service) })
  if (found === null) return null
  if (memory.identities.size >= rememberedMax) memory.identities.clear()
  const identity: Identity = {
    account: { id: found.accountId, companyName: found.companyName, isFiction: found.isFiction },
    actor: { kind: 'api_key', id: found.id },
    scopes: found.scopes.filter((scope): scope is Scope => (scopes as readonly string[]).includes(scope)),
  }
  memory.identities.set(name, { identity, untilMs: now + rememberedMs })
  if (now - (memory.touched.get(found.id) ?? 0) >= touchedMs) {
    memory.touched.set(found.id, now)
    await touchApiKey(service.pool, { accountId: found.accountId, id: found.id, now: realNow(service) })
  }
  return identity
}

function memoryOf(service: Service): Memory {
  const known = memories.get(service)
  if (known !== undefined) return known
  const memory: Memory = { identities: new Map(), touched: new Map() }
  memories.set(service, memory)
  return memory
}
