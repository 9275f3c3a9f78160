/** Gives access to an app in another process through the same `inject` as an app in this process. */

import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { TestApi } from '../../test/support/api.ts'

interface Injected {
  readonly method: string
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly payload?: string
}

/** Implements only the parts that `test/support/person.ts` and `test/support/oauth.ts` use. */
export function openAway(apiUrl: string, key: string): TestApi {
  const app = { inject: (asked: Injected) => ask(apiUrl, asked) }
  return { app, key, logged: () => [] } as unknown as TestApi
}

async function ask(apiUrl: string, { method, url, headers, payload }: Injected): Promise<object> {
  const target = new URL(url, apiUrl)
  const outgoing = request(
    target.origin === new URL(apiUrl).origin ? target : new URL(target.pathname + target.search, apiUrl),
    {
      method,
      headers: {
        ...headers,
        ...(payload === undefined ? {} : { 'content-length': Buffer.byteLength(payload) }),
      },
      agent: false,
    },
  )
  outgoing.end(payload)
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks).toString('utf8')
  return {
    statusCode: response.statusCode,
    headers: response.headers,
    body,
    cookies: (response.headers['set-cookie'] ?? []).map(readCookie),
    json: () => JSON.parse(body),
  }
}

function readCookie(line: string): object {
  const [pair = '', ...rest] = line.split(';').map((part) => part.trim())
  const at = pair.indexOf('=')
  const maxAge = rest.find((part) => /^max-age=/i.test(part))?.slice('max-age='.length)
  return {
    name: pair.slice(0, at),
    value: pair.slice(at + 1),
    ...(maxAge === undefined ? {} : { maxAge: Number(maxAge) }),
  }
}
