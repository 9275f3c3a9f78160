/**
 * How the library fetches the document that an app publishes about itself: once in a request, although the library
 * requests it several times (it fetches a refused document again when it writes the refusal), and never from this
 * machine.
 */

import Provider from 'oidc-provider'
import type { Service } from '../../modules/service.ts'
import { fetchThrough } from '../../platform/fetch-through.ts'
import { findRateLimitRefusal } from './provider-middleware.ts'

type Options = Parameters<typeof fetchThrough>[2]

interface RequestCache {
  readonly isAllowed: Map<string, Promise<boolean>>
  readonly answers: Map<string, Promise<Response>>
}

export interface ClientDocuments {
  readonly mayFetch: (ctx: { readonly ip: string } | undefined, url: string) => Promise<boolean>
  readonly fetch: (url: string | URL | Request, options?: Options) => Promise<Response>
}

export function clientDocuments(service: Service): ClientDocuments {
  const requests = new WeakMap<object, RequestCache>()
  const cacheOf = (ctx: object | undefined): RequestCache => {
    const known = ctx === undefined ? undefined : requests.get(ctx)
    if (known !== undefined) return known
    const cache: RequestCache = { isAllowed: new Map(), answers: new Map() }
    if (ctx !== undefined) requests.set(ctx, cache)
    return cache
  }
  return {
    mayFetch: (ctx, url) =>
      loadOnce(cacheOf(ctx).isAllowed, url, async () => {
        // Called by our own consent page. The person came there through a request that was counted already.
        if (ctx === undefined) return true
        return (await findRateLimitRefusal(service, { kind: 'client_document', of: ctx.ip })) === null
      }),
    fetch: async (url, options) => {
      const address = url instanceof Request ? url.url : String(url)
      const answer = await loadOnce(cacheOf(Provider.ctx).answers, address, () =>
        fetchThrough(service.egress, address, { ...options, neverLoopback: true }),
      )
      return answer.clone()
    },
  }
}

async function loadOnce<Value>(
  known: Map<string, Promise<Value>>,
  key: string,
  load: () => Promise<Value>,
): Promise<Value> {
  const value = known.get(key) ?? load()
  known.set(key, value)
  return value
}
