// Receivers as others build them, on loopback: an Express app that parses JSON, and a proxy that accepts only plain
// JSON. They refuse what such receivers refuse in practice.

import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, request as forward, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'

export interface Taken {
  readonly headers: IncomingHttpHeaders
  readonly raw: Buffer
  readonly document: {
    readonly data?: { readonly id: string; readonly attributes: Readonly<Record<string, unknown>> }
  }
}

export interface ForeignReceiver {
  readonly url: string
  /** What the receiver found genuine and answered with 200. */
  readonly taken: readonly Taken[]
  readonly refused: readonly number[]
  /** Called once the webhook is made and its secret is known. */
  readonly trust: (secret: string) => void
  readonly close: () => Promise<void>
}

/** `express.json()`, then a handler that looks for the hex HMAC-SHA256 of the raw body under `signatureHeader`. */
export async function openExpressApp(signatureHeader: string): Promise<ForeignReceiver> {
  const taken: Taken[] = []
  const refused: number[] = []
  const raws = new WeakMap<object, Buffer>()
  let secret = ''
  const app = express()
  app.use(express.json({ verify: (request, _, raw) => raws.set(request, raw) }))
  app.post('/hook', (request, response) => {
    const raw = raws.get(request)
    const document: Taken['document'] | undefined = request.body
    const given = Buffer.from(request.get(signatureHeader) ?? '')
    const wanted = Buffer.from(
      createHmac('sha256', secret)
        .update(raw ?? '')
        .digest('hex'),
    )
    const isGenuine = given.length === wanted.length && timingSafeEqual(given, wanted)
    const status = document?.data === undefined ? 400 : isGenuine ? 200 : 401
    if (status === 200 && document !== undefined && raw !== undefined)
      taken.push({ headers: request.headers, raw, document })
    else refused.push(status)
    response.sendStatus(status)
  })
  const server = await listen(createServer(app))
  return {
    url: urlOf(server),
    taken,
    refused,
    trust: (known) => {
      secret = known
    },
    close: () => end(server),
  }
}

/** Passes on only what is exactly `application/json`, and answers 415 to everything else. */
export async function openStrictProxy(
  to: string,
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const server = createServer((request, response) => {
    if (request.headers['content-type'] !== 'application/json') {
      request.resume()
      response.writeHead(415).end()
      return
    }
    const onward = forward(to, { method: 'POST', headers: request.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502)
      answer.pipe(response)
    })
    onward.on('error', () => response.writeHead(502).end())
    request.pipe(onward)
  })
  await listen(server)
  return { url: urlOf(server), close: () => end(server) }
}

async function listen(server: Server): Promise<Server> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
}

async function end(server: Server): Promise<void> {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
}
