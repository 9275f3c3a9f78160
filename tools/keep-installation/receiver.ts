/**
 * A webhook receiver on loopback. Its answer depends on the path, and it keeps the last requests exactly as they came.
 */

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ObservedWebhook } from '../../test/upgrade/observed.ts'

export interface Receiver {
  readonly url: (path: string) => string
  readonly last: (path: string) => ObservedWebhook['deliveries']
  readonly close: () => Promise<void>
}

const keptOfEach = 5
/** Requests to this path always fail. */
export const failingPath = '/failing'

export async function openReceiver(): Promise<Receiver> {
  const byPath = new Map<string, ObservedWebhook['deliveries'][number][]>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const path = request.url ?? '/'
      const names = Object.keys(request.headers).filter(
        (name) => !/^(host|connection|content-length|accept-encoding)$/.test(name),
      )
      const headers = Object.fromEntries(names.map((name) => [name, String(request.headers[name])]))
      const deliveries = byPath.get(path) ?? []
      deliveries.push({ headers, body: Buffer.concat(chunks).toString('utf8') })
      byPath.set(path, deliveries.slice(-keptOfEach))
      response.statusCode = path.startsWith(failingPath) ? 503 : 200
      response.end(path.startsWith(failingPath) ? 'not today' : 'ok')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: (path) => `http://127.0.0.1:${port}${path}`,
    last: (path) => byPath.get(path) ?? [],
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
