/**
 * Webhook receivers that run through the whole chaos. Each fails in its own way, recovers, and keeps everything that it
 * received.
 */

import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { type Delivery, readDelivery } from '../../test/e2e/receiver.ts'

export const failureModes = [
  'unavailable_503',
  'slow',
  'redirect',
  'gone_410',
  'error_500',
  'reset_mid_answer',
  'hang',
  'huge_body',
  'ok_then_drop',
  'too_many_429',
  'garbage',
  'closes',
] as const
export type FailureMode = (typeof failureModes)[number]

export interface Arrival extends Delivery {
  readonly atMs: number
  /** The receiver sent a complete 2xx answer, in time or not. */
  readonly isAcknowledged: boolean
  /** How it failed on purpose; null when it did not. */
  readonly failed: FailureMode | null
}

export interface Receiver {
  readonly mode: FailureMode
  readonly url: string
  readonly arrivals: readonly Arrival[]
  readonly trust: (secret: string) => void
}

export interface Receivers {
  readonly all: readonly Receiver[]
  /** From now on the receiver with the mode `gone_410` answers 410. */
  readonly goAway: () => void
  /** From now on no receiver fails. */
  readonly recover: () => void
  /** How many requests came to the address to which redirects lead. There must be none. */
  readonly strayed: () => number
  /** The longest time for which this process, and with it every receiver, did nothing: answers were late by as much. */
  readonly stoodStillMs: () => number
  readonly close: () => Promise<void>
}

/** The share of notifications with a first delivery that fails. Faults that block a receiver are rarer. */
const failingShare = 0.08
const waitingShare = 0.02
const waiting: readonly FailureMode[] = ['slow', 'hang']

export async function openReceivers(timeoutMs: number): Promise<Receivers> {
  let isRecovered = false
  let isGone = false
  let strayed = 0
  const kept = failureModes.map(() => [] as Arrival[])
  const seen = failureModes.map(() => new Set<string>())
  const secrets = failureModes.map((): string | null => null)

  function fails(index: number, mode: FailureMode, id: string): boolean {
    if (isRecovered) return false
    if (mode === 'gone_410') return isGone
    const share = waiting.includes(mode) ? waitingShare : failingShare
    return seen[index]?.has(id) === false && shareOf(id) < share
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('error', () => {})
    response.on('error', () => {})
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const index = Number(/^\/hook\/(\d+)$/.exec(request.url ?? '')?.[1] ?? -1)
      const mode = failureModes[index]
      if (mode === undefined) {
        strayed += 1
        response.end()
        return
      }
      const delivery = readDelivery(Buffer.concat(chunks), request.headers, secrets[index] ?? null)
      const failed = fails(index, mode, delivery.id) ? mode : null
      seen[index]?.add(delivery.id)
      const isAcknowledged = failed === null || failed === 'slow' || failed === 'ok_then_drop'
      kept[index]?.push({ ...delivery, atMs: Date.now(), failed, isAcknowledged })
      if (failed === null) response.end('ok')
      else misbehave(failed, response, timeoutMs)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const delay = monitorEventLoopDelay()
  delay.enable()
  return {
    all: failureModes.map((mode, index) => ({
      mode,
      url: `http://127.0.0.1:${port}/hook/${index}`,
      arrivals: kept[index] ?? [],
      trust: (secret) => {
        secrets[index] = secret
      },
    })),
    goAway: () => {
      isGone = true
    },
    recover: () => {
      isRecovered = true
      delay.disable()
    },
    strayed: () => strayed,
    stoodStillMs: () => Math.round(delay.max / 1e6),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function misbehave(mode: FailureMode, response: ServerResponse, timeoutMs: number): void {
  switch (mode) {
    case 'error_500':
      response.writeHead(500).end('broken')
      return
    case 'unavailable_503':
      response.writeHead(503, { 'retry-after': '6' }).end()
      return
    case 'too_many_429':
      response.writeHead(429, { 'retry-after': '1' }).end()
      return
    case 'redirect':
      response.writeHead(307, { location: '/elsewhere' }).end()
      return
    case 'gone_410':
      response.writeHead(410).end()
      return
    case 'huge_body':
      response.writeHead(500).end(Buffer.alloc(3_000_000, 120))
      return
    case 'reset_mid_answer':
      response.writeHead(500, { 'content-length': '1000' })
      response.write('half', () => response.socket?.resetAndDestroy())
      return
    case 'ok_then_drop':
      response.writeHead(200, { 'content-length': '1000' })
      response.write('half', () => response.destroy())
      return
    case 'slow':
      setTimeout(() => response.end('late'), timeoutMs * 1.3)
      return
    case 'hang':
      setTimeout(() => response.destroy(), timeoutMs * 3)
      return
    case 'garbage':
      response.socket?.end('\u0000\u0001 this is no HTTP at all\r\n\r\n')
      return
    case 'closes':
      response.destroy()
      return
    default:
      mode satisfies never
  }
}

/** A number from 0 to 1 that is always the same for an id. */
function shareOf(id: string): number {
  return createHash('sha256').update(id).digest().readUInt32BE() / 2 ** 32
}
