/**
 * AISStream (aisstream.io) over its WebSocket. The client must subscribe within three seconds; then each received AIS
 * report is one message.
 */

import type { WebSocket } from 'ws'
import { type BoundingBox, readAisStreamMessage, writeSubscription } from './aisstream-message.ts'
import type { AisFeed, FeedContext } from './feed.ts'
import { type BackoffLimits, keepConnected, type Session } from './reconnect.ts'

export interface AisStreamOptions {
  readonly url: string
  readonly apiKey: string
  readonly boundingBoxes: readonly BoundingBox[]
  /** MMSI numbers to receive; empty for all ships within the rectangles. */
  readonly mmsi: readonly string[]
  readonly patience?: BackoffLimits
  /** After this time without a message, the connection is considered dead. */
  readonly idleMs?: number
}

const messageBytesMax = 65_536
const heartbeatMs = 30_000
/** A report whose time is further ahead of our clock is dropped as `bad_time`. */
const aheadMsMax = 600_000

export function openAisStream(options: AisStreamOptions): AisFeed {
  return {
    name: 'aisstream',
    listen: (context) =>
      keepConnected(() => runSession(options, context), {
        signal: context.signal,
        random: context.random,
        onEnd: ({ why }) => context.ears.note({ is: 'closed', why }, 'aisstream'),
        ...(options.patience !== undefined && { patience: options.patience }),
      }),
  }
}

async function runSession(options: AisStreamOptions, context: FeedContext): Promise<Session> {
  const opened = await context.egress.openWebSocket({ url: options.url, messageBytesMax })
  if (opened.kind === 'refused') return { why: opened.reason, wasGood: false }
  if (opened.kind === 'failed') return { why: `${opened.reason}: ${opened.message}`, wasGood: false }
  const socket = opened.connection
  context.ears.note({ is: 'open' }, 'aisstream')
  return receiveReports(socket, options, context)
}

function receiveReports(socket: WebSocket, options: AisStreamOptions, context: FeedContext): Promise<Session> {
  const { ears, signal, now } = context
  return new Promise((done) => {
    let wasGood = false
    let why: string | null = null
    let isAlive = true
    const end = (reason: string): void => {
      why ??= reason
      socket.terminate()
    }
    const stop = (): void => end('told to stop')
    const idle = setTimeout(() => end('no message came before the timeout'), options.idleMs ?? 120_000)
    const heartbeat = setInterval(() => {
      if (!isAlive) return end('no answer to a ping')
      isAlive = false
      socket.ping()
    }, heartbeatMs)
    signal.addEventListener('abort', stop, { once: true })
    socket.on('pong', () => {
      isAlive = true
    })
    socket.on('message', (data) => {
      isAlive = true
      idle.refresh()
      const receivedMs = now()
      const read = readAisStreamMessage(data.toString(), new Date(receivedMs).toISOString())
      if (read.kind === 'error') return end(`the server says: ${read.error}`)
      if (read.kind === 'issue') return ears.count(read.issue, 'aisstream')
      wasGood = true
      if (read.kind === 'other') return
      const isAhead = Date.parse(read.report.heardAt) > receivedMs + aheadMsMax
      return isAhead ? ears.count('bad_time', 'aisstream') : ears.ingest(read.report, 'aisstream')
    })
    socket.on('error', (error) => end(error.message))
    socket.once('close', (code) => {
      clearTimeout(idle)
      clearInterval(heartbeat)
      signal.removeEventListener('abort', stop)
      done({ why: why ?? `closed with ${code}`, wasGood })
    })
    if (signal.aborted) return stop()
    socket.resume()
    socket.send(writeSubscription(options))
  })
}
