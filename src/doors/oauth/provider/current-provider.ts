/**
 * The authorization server with the current keys, one for each name by which it is called. It is created at the first
 * request that needs it, and again when the keys change.
 */

import type Provider from 'oidc-provider'
import { authorizationServer, type LoopbackName } from '../../../service/people/oauth/protected-resources.ts'
import {
  getPublishedKeys,
  keysKnownMs,
  type PublishedKeys,
} from '../../../service/people/oauth/signing-keys.ts'
import type { Service } from '../../../service/service.ts'

interface Known {
  readonly published: PublishedKeys
  readonly checkedMs: number
  /** Providers by issuer. */
  readonly opened: Map<string, Promise<Provider>>
}

export type FindProvider = (calledAs?: LoopbackName | null) => Promise<Provider>

/**
 * Requests that arrive while the keys are read wait for the same reading. When the keys cannot be read, the known ones
 * are used.
 */
export function currentProvider(service: Service): FindProvider {
  let known: Known | null = null
  let looking: Promise<Known> | null = null
  const look = async (): Promise<Known> => {
    const checkedMs = service.clock.now()
    const published = await getPublishedKeys(service)
    if (known?.published.stamp === published.stamp) return { ...known, checkedMs }
    return { published, checkedMs, opened: new Map() }
  }
  const keysOfNow = async (): Promise<Known> => {
    if (known !== null && service.clock.now() < known.checkedMs + keysKnownMs) return known
    looking ??= look().finally(() => {
      looking = null
    })
    try {
      known = await looking
    } catch (error) {
      if (known === null) throw error
      service.log.warn('database.unreachable', { error })
    }
    return known
  }
  return async (calledAs = null) => {
    const { published, opened } = await keysOfNow()
    const issuer = authorizationServer(service.config, calledAs)
    const provider = opened.get(issuer) ?? loadProvider(service, { issuer, published })
    opened.set(issuer, provider)
    return provider
  }
}

/** The library is loaded with the first app: most starts end before one comes. */
async function loadProvider(
  service: Service,
  options: { readonly issuer: string; readonly published: PublishedKeys },
): Promise<Provider> {
  const { openProvider } = await import('./provider.ts')
  return openProvider(service, options)
}
