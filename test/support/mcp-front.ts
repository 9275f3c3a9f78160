/**
 * A proxy on loopback that adds an API key to every request, for a suite that cannot send one. Everything else passes
 * unchanged.
 */

import { once } from 'node:events'
import { request as ask, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export async function openFront(
  to: string,
  authorization: string,
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const target = new URL(to)
  const server = createServer((request, response) => {
    const forwarded = ask(
      {
        host: target.hostname,
        port: target.port,
        method: request.method,
        path: request.url,
        headers: { ...request.headers, authorization },
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      },
    )
    forwarded.on('error', () => response.destroy())
    response.on('close', () => forwarded.destroy())
    request.pipe(forwarded)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
