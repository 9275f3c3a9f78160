/**
 * Limits connections to our servers, before any request is read: how many one address may have open, and how long one
 * may be silent. A connection with a running request (a stream, a long poll) is not silent, unless its client reads
 * nothing.
 */

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { networkOf } from '../../modules/api-keys/failed-keys.ts'
import { networkList } from '../../platform/addresses.ts'
import type { Config } from '../../platform/config.ts'
import type { Metrics } from '../../platform/metrics.ts'

const silentMs = 55_000
const sweepMs = 5_000

/**
 * How long a connection stays open for the next request after an answer. It must be longer than a proxy waits (most
 * wait 60 seconds), so that the proxy closes it. Otherwise a request could arrive just when we close.
 */
export function keepAliveMs({ network }: Pick<Config, 'network'>): number {
  return network.trustedProxies.length > 0 ? 75_000 : 55_000
}

interface WatchedConnection {
  requests: number
  moved: number
  movedMs: number
}

export interface ConnectionLimitOptions {
  readonly config: Pick<Config, 'network' | 'limits'>
  readonly metrics: Pick<Metrics, 'connectionsRefused'>
  /** Only tests set this. */
  readonly gaps?: { readonly silentMs: number; readonly sweepMs: number }
}

export function limitConnections(server: Server, { config, metrics, gaps }: ConnectionLimitOptions): void {
  const { connectionsPerAddress: max } = config.limits
  const proxies = networkList(config.network.trustedProxies)
  const open = new Map<string, number>()
  const all = new Map<Socket, WatchedConnection>()
  server.on('connection', (socket) => {
    const address = socket.remoteAddress ?? ''
    const isProxy = proxies.has(address)
    const place = networkOf(address)
    const count = (open.get(place) ?? 0) + 1
    if (max > 0 && !isProxy && count > max) {
      metrics.connectionsRefused({ address })
      socket.end(tooMany)
      socket.destroySoon()
      return
    }
    open.set(place, count)
    // All connections through a proxy have one address, and a proxy keeps idle connections on purpose. So they are not
    // watched.
    if (!isProxy) all.set(socket, { requests: 0, moved: 0, movedMs: performance.now() })
    socket.once('close', () => {
      all.delete(socket)
      const openCount = (open.get(place) ?? 1) - 1
      if (openCount === 0) open.delete(place)
      else open.set(place, openCount)
    })
  })
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const watched = all.get(socket)
    if (watched === undefined) return
    watched.requests += 1
    response.once('close', () => {
      watched.requests -= 1
    })
  })
  const sweep = setInterval(() => closeIdleConnections(all, gaps?.silentMs ?? silentMs), gaps?.sweepMs ?? sweepMs)
  sweep.unref()
  server.once('close', () => clearInterval(sweep))
}

const tooMany = 'HTTP/1.1 429 Too Many Requests\r\nRetry-After: 5\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'

function closeIdleConnections(all: ReadonlyMap<Socket, WatchedConnection>, longestMs: number): void {
  const now = performance.now()
  for (const [socket, watched] of all) {
    // Bytes that still wait to be sent do not count.
    const moved = socket.bytesRead + socket.bytesWritten - socket.writableLength
    const isWaitingForUs = watched.requests > 0 && socket.writableLength === 0
    if (moved !== watched.moved || isWaitingForUs) {
      watched.moved = moved
      watched.movedMs = now
    } else if (now - watched.movedMs > longestMs) socket.destroy()
  }
}
