// Long-lived connections, TCP and WebSocket, under the same address rules as requests. Opening never rejects. Later
// errors are for the caller, who also ends the connection.
import { isIP, type LookupFunction, connect as netConnect, type Socket } from 'node:net'
import { rootCertificates } from 'node:tls'
import type { WebSocket } from 'ws'
import type { AddressRules } from './addresses.ts'
import { AddressRefusedError, classifyFailure, type FailureReason } from './egress-lookup.ts'
import { parseTarget } from './egress-target.ts'

export type OpenResult<Connection> =
  | { readonly kind: 'open'; readonly connection: Connection }
  /** No connection was tried. The reason is a sentence that may be shown to the public. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: FailureReason; readonly message: string }

/** Datagrams of one sender. Closed by its user. */
export type Datagrams = {
  readonly onDatagram: (take: (bytes: Buffer) => void) => void
  readonly onError: (take: (error: Error) => void) => void
  readonly close: () => void
}

export type Sockets = {
  /** Takes UDP datagrams at this port, only of this sender. Those of others are dropped. */
  readonly receiveDatagrams: (from: { readonly host: string; readonly port: number }) => Promise<OpenResult<Datagrams>>
  /** Opens TCP to a name or an address (IPv6 without brackets). */
  readonly connect: (to: { readonly host: string; readonly port: number }) => Promise<OpenResult<Socket>>
  /**
   * Opens `ws:` or `wss:`. No redirect is followed and nothing is compressed. A longer message ends the connection. The
   * connection comes paused: call `resume` when a listener is ready.
   */
  readonly openWebSocket: (to: {
    readonly url: string
    readonly messageBytesMax: number
  }) => Promise<OpenResult<WebSocket>>
}

export function openSockets(by: {
  readonly rules: AddressRules
  readonly lookup: LookupFunction
  readonly connectTimeoutMs: number
  readonly ca: string | undefined
  readonly only: readonly string[] | undefined
}): Sockets {
  const barred = { kind: 'refused', reason: 'The host of the URL is not at a public address.' } as const

  async function connect(to: { readonly host: string; readonly port: number }): Promise<OpenResult<Socket>> {
    const host = to.host.includes(':') ? `[${to.host}]` : to.host
    const target = parseTarget(`http://${host}:${to.port}/`, by.only)
    if (target.kind === 'refused') return target
    if (/[/?#]/.test(to.host)) return { kind: 'refused', reason: 'The host is not a plain name or address.' }
    if (target.isAddress && by.rules.findRefusal(target.host) !== null) return barred
    return new Promise((done) => {
      const socket = netConnect({ host: target.host, port: to.port, lookup: by.lookup })
      const timer = setTimeout(() => socket.destroy(new ConnectTimeoutError()), by.connectTimeoutMs)
      const fail = (error: Error): void => {
        clearTimeout(timer)
        done(failureOf(error))
      }
      socket.once('error', fail)
      socket.once('connect', () => {
        clearTimeout(timer)
        socket.removeListener('error', fail)
        done({ kind: 'open', connection: socket })
      })
    })
  }

  async function openWebSocket(to: {
    readonly url: string
    readonly messageBytesMax: number
  }): Promise<OpenResult<WebSocket>> {
    if (!/^wss?:/i.test(to.url)) return { kind: 'refused', reason: 'The URL is not ws or wss with a host.' }
    const target = parseTarget(to.url.replace(/^ws/i, 'http'), by.only)
    if (target.kind === 'refused') return target
    if (target.isAddress && by.rules.findRefusal(target.host) !== null) return barred
    const { WebSocket } = await import('ws')
    return new Promise((done) => {
      // The options reach the TCP connection below, so its name is resolved under the address rules.
      const socket = new WebSocket(to.url, {
        lookup: by.lookup,
        followRedirects: false,
        perMessageDeflate: false,
        maxPayload: to.messageBytesMax,
        ...(by.ca !== undefined && { ca: [...rootCertificates, by.ca] }),
      })
      const timer = setTimeout(() => {
        socket.terminate()
        done(failureOf(new ConnectTimeoutError()))
      }, by.connectTimeoutMs)
      // Stays after the connection is open: an error event without a listener would end the process.
      socket.on('error', (error) => {
        clearTimeout(timer)
        done(failureOf(error))
      })
      socket.once('open', () => {
        clearTimeout(timer)
        // Bytes that came together with the answer wait until the caller listens.
        socket.pause()
        done({ kind: 'open', connection: socket })
      })
    })
  }

  async function receiveDatagrams(from: {
    readonly host: string
    readonly port: number
  }): Promise<OpenResult<Datagrams>> {
    const sender = await new Promise<string | Error>((done) => {
      if (isIP(from.host) !== 0) return done(from.host)
      by.lookup(from.host, { all: false }, (error, address) => done(error ?? String(address)))
    })
    if (sender instanceof Error) return failureOf(sender)
    if (by.rules.findRefusal(sender) !== null) return barred
    const { createSocket } = await import('node:dgram')
    const socket = createSocket(isIP(sender) === 6 ? 'udp6' : 'udp4')
    return new Promise((done) => {
      socket.once('error', (error) => {
        done(failureOf(error))
      })
      socket.bind({ port: from.port }, () =>
        done({
          kind: 'open',
          connection: {
            onDatagram: (take) =>
              socket.on('message', (bytes, { address }) => {
                if (address === sender) take(bytes)
              }),
            onError: (take) => socket.on('error', take),
            close: () => socket.close(),
          },
        }),
      )
    })
  }

  return { connect, openWebSocket, receiveDatagrams }
}

class ConnectTimeoutError extends Error {}

function failureOf(error: Error): OpenResult<never> {
  if (error instanceof AddressRefusedError) return { kind: 'refused', reason: error.message }
  if (error instanceof ConnectTimeoutError)
    return { kind: 'failed', reason: 'timeout', message: 'no connection in time' }
  // The server answered without an upgrade. The message of `ws` contains the status.
  const status = /^Unexpected server response: (\d{3})$/.exec(error.message)?.[1]
  if (status !== undefined) return { kind: 'failed', reason: 'protocol', message: `status ${status}` }
  return { kind: 'failed', ...classifyFailure(error, 'connect') }
}
