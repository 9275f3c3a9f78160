/** A proxy in front of a server: forwards and records requests, and refuses or duplicates one if a test requests it. */

import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Seen {
  /** Method and path, without query: `POST /v2/webhooks`. */
  readonly request: string
  readonly key: string | undefined
  readonly atMs: number
  readonly status: number
}

interface Front {
  readonly url: string
  /** Those whose method and path begin with this. */
  readonly seen: (request: string) => readonly Seen[]
  readonly close: () => Promise<void>
}

export async function openFront(
  target: string,
  asked: {
    /** Answered with 429 the first time. */
    readonly refuseOnce?: string
    /**
     * The first time, sent again under other keys, as if another client had sent it just before, until it is refused. The
     * second request is accepted when the journey of the sandbox ended after the first.
     */
    readonly doubleFirst?: string
    readonly onWebhook?: () => Promise<void>
  },
): Promise<Front> {
  const seen: Seen[] = []
  const extra: Promise<void>[] = []
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '', headers } = request
    const name = `${method} ${url.split('?')[0] ?? ''}`
    const body = Buffer.concat(await request.toArray())
    const isFirst = !seen.some((each) => each.request === name)
    const key = headers['idempotency-key'] as string | undefined
    const note = (status: number): void => void seen.push({ request: name, key, atMs: performance.now(), status })
    if (isFirst && name === asked.refuseOnce) {
      note(429)
      response
        .writeHead(429, { 'retry-after': '1', 'content-type': 'application/vnd.api+json' })
        .end('{"errors":[{"status":"429","code":"rate_limited","title":"Too Many Requests","detail":"Too many."}]}')
      return
    }
    const pass = (under: string): Promise<Response> =>
      fetch(target + url, {
        method,
        headers: {
          authorization: String(headers.authorization),
          'content-type': headers['content-type'] ?? 'application/json',
          'idempotency-key': under,
        },
        ...(method === 'GET' ? {} : { body }),
      })
    let answer = await pass(key ?? randomUUID())
    for (let tries = 0; isFirst && name === asked.doubleFirst && answer.ok && tries < 20; tries += 1)
      answer = await pass(randomUUID())
    const text = await answer.text()
    note(answer.status)
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' }).end(text)
    if (name === 'POST /v2/webhooks' && asked.onWebhook !== undefined) extra.push(asked.onWebhook())
  }
  const server = createServer((request, response) => void handle(request, response))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen: (request) => seen.filter((each) => each.request.startsWith(request)),
    close: async () => {
      await Promise.all(extra)
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}
