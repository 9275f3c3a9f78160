/**
 * How the library fetches the document that an app publishes about itself: once in a request, although the library asks
 * several times (it looks for a refused document again when it writes the refusal), and never from this machine.
 */

import Provider from 'oidc-provider'
import { fetchThrough } from '../../../service/people/oauth/fetch-through.ts'
import type { Service } from '../../../service/service.ts'
import { findRefusal } from './manners.ts'

type Options = Parameters<typeof fetchThrough>[2]

interface Asked {
  readonly isAllowed: Map<string, Promise<boolean>>
  readonly answers: Map<string, Promise<Response>>
}

export interface ClientDocuments {
  readonly mayFetch: (ctx: { readonly ip: string } | undefined, url: string) => Promise<boolean>
  readonly fetch: (url: string | URL | Request, options?: Options) => Promise<Response>
}

export function clientDocuments(service: Service): ClientDocuments {
  const requests = new WeakMap<object, Asked>()
  const askedIn = (ctx: object | undefined): Asked => {
    const known = ctx === undefined ? undefined : requests.get(ctx)
    if (known !== undefined) return known
    const asked: Asked = { isAllowed: new Map(), answers: new Map() }
    if (ctx !== undefined) requests.set(ctx, asked)
    return asked
  }
  return {
    mayFetch: (ctx, url) =>
      once(askedIn(ctx).isAllowed, url, async () => {
        // Asked by our own consent page. The person came there through a request that was counted already.
        if (ctx === undefined) return true
        return (await findRefusal(service, { kind: 'client_document', of: ctx.ip })) === null
      }),
    fetch: async (url, options) => {
      const address = url instanceof Request ? url.url : String(url)
      const answer = await once(askedIn(Provider.ctx).answers, address, () =>
        fetchThrough(service.egress, address, { ...options, neverLoopback: true }),
      )
      return answer.clone()
    },
  }
}

async function once<Value>(
  known: Map<string, Promise<Value>>,
  key: string,
  ask: () => Promise<Value>,
): Promise<Value> {
  const value = known.get(key) ?? ask()
  known.set(key, value)
  return value
}
