/** NMEA AIVDM over TCP or UDP: from the operator's own receiver, or from an exchange with the same protocol. */

import type { Socket } from 'node:net'
import type { AisFeed, FeedContext } from './feed.ts'
import type { openNmeaReader } from './nmea-reader.ts'
import { type BackoffLimits, keepConnected, type Session } from './reconnect.ts'

export interface NmeaOptions {
  /** UDP: datagrams of this host arrive at this port of our machine. Otherwise we connect by TCP. */
  readonly isUdp?: boolean
  readonly host: string
  readonly port: number
  readonly patience?: BackoffLimits
  /** After this time without data, the connection is considered dead. */
  readonly idleMs?: number
}

/** A report whose tag block has a time further ahead of our clock is dropped as `bad_time`. */
const aheadMsMax = 600_000

export function openNmeaFeed(options: NmeaOptions): AisFeed {
  return {
    name: 'nmea',
    listen: (context) =>
      keepConnected(() => runSession(options, context), {
        signal: context.signal,
        random: context.random,
        onEnd: ({ why }) => context.ears.note({ is: 'closed', why }, 'nmea'),
        ...(options.patience !== undefined && { patience: options.patience }),
      }),
  }
}

async function runSession(options: NmeaOptions, context: FeedContext): Promise<Session> {
  if (options.isUdp === true) return runUdpSession(options, context)
  const opened = await context.egress.connect(options)
  if (opened.kind === 'refused') return { why: opened.reason, wasGood: false }
  if (opened.kind === 'failed') return { why: `${opened.reason}: ${opened.message}`, wasGood: false }
  const { openNmeaReader } = await import('./nmea-reader.ts')
  context.ears.note({ is: 'open' }, 'nmea')
  return receiveReports(opened.connection, options, context, openNmeaReader)
}

async function runUdpSession(options: NmeaOptions, context: FeedContext): Promise<Session> {
  const { ears, signal, now } = context
  const opened = await context.egress.receiveDatagrams(options)
  if (opened.kind === 'refused') return { why: opened.reason, wasGood: false }
  if (opened.kind === 'failed') return { why: `${opened.reason}: ${opened.message}`, wasGood: false }
  const { openNmeaReader } = await import('./nmea-reader.ts')
  ears.note({ is: 'open' }, 'nmea')
  const { connection } = opened
  let wasGood = false
  const reader = openNmeaReader(
    handlersOf(context, () => {
      wasGood = true
    }),
  )
  return new Promise((done) => {
    const end = (why: string): void => {
      signal.removeEventListener('abort', stop)
      connection.close()
      done({ why, wasGood })
    }
    const stop = (): void => end('told to stop')
    signal.addEventListener('abort', stop, { once: true })
    // A datagram holds whole sentences; the last one may have no line end.
    connection.onDatagram((bytes) => reader.push(`${bytes.toString('latin1')}\n`, now()))
    connection.onError((error) => end(error.message))
    if (signal.aborted) stop()
  })
}

function handlersOf({ ears, now }: FeedContext, onReport: () => void): Parameters<typeof openNmeaReader>[0] {
  return {
    ingest: (report) => {
      onReport()
      const isAhead = Date.parse(report.heardAt) > now() + aheadMsMax
      if (isAhead) ears.count('bad_time', 'nmea')
      else ears.ingest(report, 'nmea')
    },
    count: (issue) => ears.count(issue, 'nmea'),
  }
}

function receiveReports(
  socket: Socket,
  options: NmeaOptions,
  context: FeedContext,
  open: typeof openNmeaReader,
): Promise<Session> {
  const { signal, now } = context
  return new Promise((done) => {
    let wasGood = false
    let why: string | null = null
    const end = (reason: string): void => {
      why ??= reason
      socket.destroy()
    }
    const stop = (): void => end('told to stop')
    const reader = open(
      handlersOf(context, () => {
        wasGood = true
      }),
    )
    signal.addEventListener('abort', stop, { once: true })
    socket.setKeepAlive(true, 30_000)
    socket.setTimeout(options.idleMs ?? 300_000, () => end('no message came before the timeout'))
    // One byte is one character: a sentence is ASCII, and with this encoding noise cannot break in the middle of a
    // character.
    socket.setEncoding('latin1')
    socket.on('data', (text) => reader.push(String(text), now()))
    socket.on('error', (error) => end(error.message))
    socket.once('close', () => {
      signal.removeEventListener('abort', stop)
      done({ why: why ?? 'closed by the other side', wasGood })
    })
    if (signal.aborted) stop()
  })
}
