/**
 * The AIS radio: a few times per second the ships that matter report their positions to the listeners of both feeds.
 */
import type { IncomingMessage } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { AisStream } from './ais-stream.ts'
import { writeSentences } from './aivdm.ts'
import { Fleet } from './fleet.ts'

export const STREAM_PATH = '/sandbox/ais/v0/stream'

export interface Radio {
  readonly fleet: Fleet
  /** The port of the TCP feed; null when there is none. */
  readonly nmeaPort: number | null
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
  /** Lets every ship that is due report now. */
  readonly tick: () => void
  close(): Promise<void>
}

const TICK_MS = 250
const MESSAGES_A_TICK = 50
const BEHIND_BYTES_MAX = 1_000_000

export async function openRadio(setting: {
  readonly now: () => number
  readonly host: string
  /** The port of the TCP feed: 0 takes a free one, null means no feed. */
  readonly nmeaPort: number | null
}): Promise<Radio> {
  const { nmeaPort } = setting
  const fleet = new Fleet()
  const stream = new AisStream()
  const listeners = new Set<Socket>()
  const server = createServer((socket) => {
    listeners.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => listeners.delete(socket))
    socket.resume()
  })
  if (nmeaPort !== null) {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(nmeaPort, setting.host, resolve)
    })
  }
  const tick = (): void => {
    if (!stream.isHeard && listeners.size === 0) return
    for (const report of fleet.speak(setting.now(), MESSAGES_A_TICK)) {
      stream.tell(report)
      if (listeners.size === 0) continue
      const lines = writeSentences(report)
      for (const socket of listeners) if (socket.writableLength < BEHIND_BYTES_MAX) socket.write(lines)
    }
  }
  const timer = setInterval(tick, TICK_MS)
  return {
    fleet,
    nmeaPort: nmeaPort === null ? null : (server.address() as AddressInfo).port,
    tick,
    upgrade(request, socket, head) {
      const { pathname = '' } = URL.parse(request.url ?? '/', 'http://sandbox') ?? {}
      if (pathname === STREAM_PATH) stream.upgrade(request, socket, head)
      else socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n')
    },
    async close() {
      clearInterval(timer)
      stream.close()
      for (const socket of listeners) socket.destroy()
      if (nmeaPort !== null) await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
