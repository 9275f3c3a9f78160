/**
 * `fetch` for libraries, through the guarded egress: it reaches nothing inside this network and follows no redirect.
 */

import type { Egress } from './egress.ts'

const timeoutMs = 5_000
const maxBytes = 262_144

/**
 * GET, and POST of a form. Rejects when nothing came, as `fetch` does. `neverLoopback`: for addresses that an app has
 * named.
 */
export async function fetchThrough(
  egress: Pick<Egress, 'request'>,
  url: string | URL | Request,
  options: {
    readonly method?: string | undefined
    readonly headers?: ConstructorParameters<typeof Headers>[0] | undefined
    readonly body?: unknown
    readonly neverLoopback?: true
  } = {},
): Promise<Response> {
  const address = url instanceof Request ? url.url : String(url)
  const { method = 'GET', body } = options
  const isForm = typeof body === 'string' || body instanceof URLSearchParams
  if (method !== 'GET' && !(method === 'POST' && isForm)) throw new TypeError('only GET requests and forms can be sent')
  const requestHeaders = new Headers(options.headers)
  const passedOn = ['accept', 'authorization', 'content-type'].flatMap((name) => {
    const value = requestHeaders.get(name)
    return value === null || (method === 'GET' && name === 'content-type') ? [] : [[name, value] as const]
  })
  const answer = await egress.request({
    url: address,
    ...(method === 'POST' ? { method: 'POST' as const, body: String(body) } : {}),
    headers: Object.fromEntries(passedOn),
    timeoutMs,
    maxBytes,
    ...(options.neverLoopback === true && { neverLoopback: true }),
  })
  if (answer.kind === 'refused') throw new TypeError(answer.reason)
  if (answer.kind === 'failed') throw new TypeError(`${answer.reason}: ${answer.message}`)
  if (answer.truncated) throw new TypeError('the answer is too large')
  const { 'content-encoding': _, 'content-length': __, ...headers } = answer.headers
  const hasBody = answer.status >= 200 && ![204, 205, 304].includes(answer.status)
  return new Response(hasBody ? new Uint8Array(answer.body) : null, {
    status: Math.max(200, answer.status),
    headers,
  })
}
