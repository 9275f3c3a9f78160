/** Ends the connections of a server that another process has replaced, without cutting or refusing a request. */

import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

const pollIntervalMs = 100

/**
 * Accepts no new connection. Each answer from now on states that its connection ends, so a client opens its next one,
 * which comes to another process. Resolves when no connection is left, or after `withinMs`: then the connections that
 * are open are idle, or streams. The closing of the server afterwards ends those.
 */
export async function drainConnections(servers: readonly Server[], withinMs = 5_000): Promise<void> {
  const ended = servers.map((server) => {
    server.prependListener('request', (_request, response) => void response.setHeader('connection', 'close'))
    // The closing of an HTTP server would end the connections of clients that may be sending at this moment.
    const isEnded = new Promise<void>((resolve) => void NetServer.prototype.close.call(server, () => resolve()))
    server.close = (done) => {
      const sweep = setInterval(() => server.closeIdleConnections(), pollIntervalMs)
      server.closeIdleConnections()
      void isEnded.then(() => {
        clearInterval(sweep)
        done?.()
      })
      return server
    }
    return isEnded
  })
  const over = new AbortController()
  await Promise.race([Promise.all(ended), pause(withinMs, undefined, { signal: over.signal }).catch(() => {})])
  over.abort()
}
