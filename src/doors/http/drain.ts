/** Ends the connections of a server whose place another process has taken, without cutting or refusing a request. */

import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

const lookEveryMs = 100

/**
 * Takes no new connection. Each answer from now on says that its connection ends, so a client opens its next one, which
 * comes to another process. Resolves when no connection is left, or after `withinMs`: then what is open is silent, or a
 * stream. The closing of the server afterwards ends those.
 */
export async function drainConnections(servers: readonly Server[], withinMs = 5_000): Promise<void> {
  const ended = servers.map((server) => {
    server.prependListener('request', (_request, response) => void response.setHeader('connection', 'close'))
    // The closing of an HTTP server would end the connections of clients that may be sending at this moment.
    const isEnded = new Promise<void>(
      (resolve) => void NetServer.prototype.close.call(server, () => resolve()),
    )
    server.close = (done) => {
      const sweep = setInterval(() => server.closeIdleConnections(), lookEveryMs)
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
  await Promise.race([
    Promise.all(ended),
    pause(withinMs, undefined, { signal: over.signal }).catch(() => {}),
  ])
  over.abort()
}
