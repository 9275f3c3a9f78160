/**
 * `fetch` for libraries, through the guarded egress: it reaches nothing inside this network and follows no redirect.
 */

import type { Egress } from '../../../platform/egress.ts'

const timeoutMs = 5_000
const maxBytes = 262_144

/** GET only. Rejects when nothing came, as `fetch` does. `neverLoopback`: for addresses that an app has named. */
export async function fetchThrough(
  egress: Pick<Egress, 'request'>,
  url: string | URL | Request,
  options: {
    readonly method?: string | undefined
    readonly headers?: ConstructorParameters<typeof Headers>[0] | undefined
    readonly neverLoopback?: true
  } = {},
): Promise<Response> {
  const address = url instanceof Request ? url.url : String(url)
  if ((options.method ?? 'GET') !== 'GET') throw new TypeError('only what is read is fetched')
  const accept = new Headers(options.headers).get('accept')
  const answer = await egress.request({
    url: address,
    headers: accept === null ? {} : { accept },
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
