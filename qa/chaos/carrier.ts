/**
 * A carrier on loopback that answers in DCSA Track & Trace 2.2 and behaves as carriers do: it repeats, reorders, delays
 * and fails.
 */

import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { CarrierEvent, Journey } from './journeys.ts'

export interface Carrier {
  readonly url: string
  /** From now on its journeys run. */
  readonly begin: () => void
  /** From now on every answer is complete and without faults. */
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
/**
 * Questions about the boxes of a bill of this size are answered all at once: when all have come, or after some time.
 */
const togetherFrom = 16
const togetherMsMax = 1_000

export async function openCarrier(journeys: readonly Journey[], random: () => number): Promise<Carrier> {
  const byNumber = new Map(
    journeys.flatMap((journey) => [journey.bill, ...journey.boxes].map((number) => [number, journey] as const)),
  )
  const waiting = new Map<string, (() => void)[]>()
  const told = { answers: 0, failures: 0, repeats: 0, stale: 0 }
  let startedMs: number | null = null
  let isCalm = false

  function answer(number: string, response: ServerResponse): void {
    told.answers += 1
    const isFailing = !isCalm && random() < failureShare
    if (isFailing) {
      told.failures += 1
      if (random() < 0.3) response.destroy()
      else response.writeHead(random() < 0.5 ? 500 : 502, { 'content-type': 'text/html' }).end('<h1>Sorry</h1>')
      return
    }
    const isStale = !isCalm && random() < staleShare
    if (isStale) told.stale += 1
    const journey = byNumber.get(number)
    const saidMs = startedMs === null ? 0 : Date.now() - startedMs - (isStale ? staleMs : 0)
    const atMs = journey?.isAlwaysKnown === true ? Math.max(0, saidMs) : saidMs
    const isKnown = journey !== undefined && atMs >= journey.knownAfterMs
    const events = isKnown ? eventsAbout(number, eventsAt(journey, isCalm ? Infinity : atMs)) : []
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

  function gather({ bill, boxes }: Journey, reply: () => void): void {
    const replies = waiting.get(bill) ?? []
    replies.push(reply)
    waiting.set(bill, replies)
    const answerAll = (): void => {
      if (waiting.get(bill) !== replies) return
      waiting.delete(bill)
      for (const each of replies) each()
    }
    if (replies.length === boxes.length) answerAll()
    else if (replies.length === 1) setTimeout(answerAll, togetherMsMax)
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://carrier')
    const number = questions.map((name) => url.searchParams.get(name)).find((value) => value !== null) ?? ''
    const journey = byNumber.get(number)
    const reply = (): void => answer(number, response)
    const isTogether = journey !== undefined && journey.boxes.length >= togetherFrom && number !== journey.bill
    if (isTogether) gather(journey, reply)
    else setTimeout(reply, isCalm ? 0 : random() * delayMsMax)
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

/** The kinds of number that can be asked for. A bill and its booking have the same number here. */
const questions = ['transportDocumentReference', 'carrierBookingReference', 'equipmentReference'] as const

/** The events about a box: its own events, and the calls of its ship. */
function eventsAbout(number: string, events: readonly CarrierEvent[]): readonly CarrierEvent[] {
  const isOfBox = (event: CarrierEvent): boolean =>
    Array.isArray(event['references']) || event['equipmentReference'] === number
  if (!/^[A-Z]{3}U\d{7}$/.test(number)) return events
  const references = [{ referenceType: 'EQ', referenceValue: number }]
  return events.filter(isOfBox).map((event) => (event['references'] === undefined ? event : { ...event, references }))
}

/** The latest version of each statement. */
function eventsAt({ statements }: Journey, atMs: number): readonly CarrierEvent[] {
  return statements.flatMap(({ versions }) => {
    const said = versions.findLast(({ fromMs }) => fromMs <= atMs)
    return said === undefined ? [] : [said.event]
  })
}

/**
 * The content of `carriers.json` for an installation in which all lines answer at this address, without limits on
 * requests.
 */
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
