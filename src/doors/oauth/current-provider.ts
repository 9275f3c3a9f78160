/** The authorization server with the keys of now: opened with the first request that needs it, and anew when they change. */

import type Provider from 'oidc-provider'
import { getPublishedKeys, keysKnownMs } from '../../service/oauth/signing-keys.ts'
import type { Service } from '../../service/service.ts'
import { openProvider } from './provider.ts'

interface Opened {
  readonly provider: Provider
  readonly stamp: string
  readonly checkedMs: number
}

/** Who asks while one looks waits for the same look. Where the keys cannot be had, those that are known do. */
export function currentProvider(service: Service): () => Promise<Provider> {
  let opened: Opened | null = null
  let looking: Promise<Opened> | null = null
  const look = async (): Promise<Opened> => {
    const checkedMs = service.clock.now()
    const published = await getPublishedKeys(service)
    const { stamp } = published
    if (opened?.stamp === stamp) return { ...opened, checkedMs }
    return { provider: await openProvider(service, published), stamp, checkedMs }
  }
  return async () => {
    if (opened !== null && service.clock.now() < opened.checkedMs + keysKnownMs) return opened.provider
    looking ??= look().finally(() => {
      looking = null
    })
    try {
      opened = await looking
    } catch (error) {
      if (opened === null) throw error
      service.log.warn('database.unreachable', { error })
    }
    return opened.provider
  }
}
