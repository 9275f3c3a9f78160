/**
 * The authorization server with the current keys, one for each name by which it is called. It is created at the first
 * request that needs it, and again when the keys change.
 */

import type Provider from 'oidc-provider'
import { authorizationServer, type LoopbackName } from '../../modules/oauth-apps/protected-resources.ts'
import { getPublishedKeys, keysKnownMs, type PublishedKeys } from '../../modules/oauth-apps/signing-keys.ts'
import type { Service } from '../../modules/service.ts'

interface KnownProviders {
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
  let known: KnownProviders | null = null
  let pendingCheck: Promise<KnownProviders> | null = null
  const checkKeys = async (): Promise<KnownProviders> => {
    const checkedMs = service.clock.now()
    const published = await getPublishedKeys(service)
    if (known?.published.stamp === published.stamp) return { ...known, checkedMs }
    return { published, checkedMs, opened: new Map() }
  }
  const keysOfNow = async (): Promise<KnownProviders> => {
    if (known !== null && service.clock.now() < known.checkedMs + keysKnownMs) return known
    pendingCheck ??= checkKeys().finally(() => {
      pendingCheck = null
    })
    try {
      known = await pendingCheck
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
