/** A carrier on loopback that answers in DCSA Track & Trace 2.2 as carriers do: it repeats, reorders, delays and fails. */

import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { CarrierEvent, Journey } from './journeys.ts'

export interface Carrier {
  readonly url: string
  /** It tells its journeys from now on. */
  readonly begin: () => void
  /** From now on it says all it knows, and says it plainly. */
  readonly calmDown: () => void
  readonly told: () => {
    readonly answers: number
    readonly failures: number
    readonly repeats: number
    readonly stale: number
  }
  readonly close: () => Promise<void>
}

const failureShare = 0.04
const staleShare = 0.12
const staleMs = 12_000
const repeatShare = 0.25
const delayMsMax = 250

export async function openCarrier(journeys: readonly Journey[], random: () => number): Promise<Carrier> {
  const byBill = new Map(journeys.map((journey) => [journey.bill, journey]))
  const told = { answers: 0, failures: 0, repeats: 0, stale: 0 }
  let startedMs: number | null = null
  let isCalm = false

  function answer(bill: string, response: ServerResponse): void {
    told.answers += 1
    const isFailing = !isCalm && random() < failureShare
    if (isFailing) {
      told.failures += 1
      if (random() < 0.3) response.destroy()
      else
        response.writeHead(random() < 0.5 ? 500 : 502, { 'content-type': 'text/html' }).end('<h1>Sorry</h1>')
      return
    }
    const isStale = !isCalm && random() < staleShare
    if (isStale) told.stale += 1
    const atMs = startedMs === null ? 0 : Date.now() - startedMs - (isStale ? staleMs : 0)
    const journey = byBill.get(bill)
    const events =
      journey === undefined || atMs < journey.knownAfterMs ? [] : eventsAt(journey, isCalm ? Infinity : atMs)
    const status = events.length === 0 ? 404 : 200
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(status === 404 ? { error: 'not found' } : shuffle(repeat(events))))
  }

  function repeat(events: readonly CarrierEvent[]): readonly CarrierEvent[] {
    if (isCalm) return events
    const again = events.filter(() => random() < repeatShare)
    told.repeats += again.length
    return [...events, ...again]
  }

  function shuffle(events: readonly CarrierEvent[]): readonly CarrierEvent[] {
    return events
      .map((event) => ({ event, rank: random() }))
      .toSorted((a, b) => a.rank - b.rank)
      .map(({ event }) => event)
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://carrier')
    const bill = url.searchParams.get('transportDocumentReference') ?? ''
    setTimeout(() => answer(bill, response), isCalm ? 0 : random() * delayMsMax)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    begin: () => {
      startedMs = Date.now()
    },
    calmDown: () => {
      isCalm = true
    },
    told: () => told,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Of each statement the latest version. */
function eventsAt({ statements }: Journey, atMs: number): readonly CarrierEvent[] {
  return statements.flatMap(({ versions }) => {
    const said = versions.findLast(({ fromMs }) => fromMs <= atMs)
    return said === undefined ? [] : [said.event]
  })
}

/** `carriers.json` for an installation whose lines all answer at this address, as fast as they are asked. */
export function carriersAt(url: string, scacs: readonly string[]): readonly unknown[] {
  const profile = {
    base: url,
    path: '/v2/events',
    auth: { keyHeaders: {}, oauth: null },
    stripPrefixes: [],
    extraParameters: {},
    createdSince: null,
    paging: null,
    body: 'array',
    rate: {},
    concurrency: 16,
    timeoutMs: 5_000,
  }
  return scacs.map((scac) => ({ scac, profile, secrets: {} }))
}
