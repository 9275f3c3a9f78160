/** A webhook receiver on loopback: checks both signatures of every delivery and stores the deliveries in order. */

import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'

export interface Delivery {
  readonly id: string
  readonly event: string
  readonly body: Buffer
  readonly isSigned: boolean
}

export interface Receiver {
  readonly url: string
  readonly deliveries: readonly Delivery[]
  /** Known once the webhook is made; deliveries before that count as unsigned. */
  readonly trust: (secret: string) => void
  readonly close: () => Promise<void>
}

export async function openReceiver(): Promise<Receiver> {
  const deliveries: Delivery[] = []
  let secret: string | null = null
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      deliveries.push(readDelivery(body, request.headers, secret))
      response.end('ok')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    deliveries,
    trust: (known) => {
      secret = known
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** `secret`: the webhook's; null while it is unknown. */
export function readDelivery(body: Buffer, headers: IncomingHttpHeaders, secret: string | null): Delivery {
  const { data } = JSON.parse(body.toString()) as {
    readonly data: { readonly id: string; readonly attributes: { readonly event: string } }
  }
  const isSigned = secret !== null && headers['webhook-id'] === data.id && isSignedBy(secret, body, headers)
  return { id: data.id, event: data.attributes.event, body, isSigned }
}

function isSignedBy(secret: string, body: Buffer, headers: IncomingHttpHeaders): boolean {
  const one = (name: string): string => String(headers[name] ?? '')
  const hex = createHmac('sha256', secret).update(body).digest('hex')
  const given = one('x-landfall-signature')
  if (given.length !== hex.length || !timingSafeEqual(Buffer.from(given), Buffer.from(hex))) return false
  try {
    new Webhook(secret).verify(body, {
      'webhook-id': one('webhook-id'),
      'webhook-timestamp': one('webhook-timestamp'),
      'webhook-signature': one('webhook-signature'),
    })
    return true
  } catch {
    return false
  }
}
