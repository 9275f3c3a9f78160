/**
 * Digitraffic (digitraffic.fi) of the Finnish transport agencies: AIS of the northern Baltic, open data (CC BY 4.0)
 * over REST, polled every minute. Its documentation: https://www.digitraffic.fi/en/marine-traffic/ais/
 */

import { setTimeout as pause } from 'node:timers/promises'
import { isObject, type JsonObject } from '../../domain/values/json-value.ts'
import type { AisFeed, FeedContext } from './feed.ts'
import { type BackoffLimits, keepConnected, type Session } from './reconnect.ts'
import { type AisReading, createIssue, readIdentity, readPosition } from './report.ts'

export interface DigitrafficOptions {
  /** Without the path, such as `https://meri.digitraffic.fi`. */
  readonly url: string
  readonly patience?: BackoffLimits
  readonly everyMs?: number
}

const name = 'digitraffic'
const bytesMax = 20_000_000
const timeoutMs = 30_000
/** Ships seldom change what they state about themselves. */
const identitiesEveryMs = 600_000
/** The first answer holds the ships of this time before. */
const firstMs = 3_600_000
/** A position that reaches the server late has an older time than those of the answer before. */
const overlapMs = 60_000

export function openDigitrafficFeed(options: DigitrafficOptions): AisFeed {
  return {
    name,
    listen: (context) =>
      keepConnected(() => poll(options, context), {
        signal: context.signal,
        random: context.random,
        onEnd: ({ why }) => context.ears.note({ is: 'closed', why }, name),
        ...(options.patience !== undefined && { patience: options.patience }),
      }),
  }
}

/** Polls until an answer fails. */
async function poll(options: DigitrafficOptions, context: FeedContext): Promise<Session> {
  const { ears, signal, now } = context
  let fromMs = now() - firstMs
  let identitiesFromMs = fromMs
  let isOpen = false
  while (!signal.aborted) {
    const askedMs = now()
    const isIdentitiesDue = !isOpen || askedMs - identitiesFromMs >= identitiesEveryMs
    // First which ship each radio is aboard, so that no position waits for it.
    for (const part of [...(isIdentitiesDue ? (['vessels'] as const) : []), 'locations' as const]) {
      const from = part === 'vessels' ? identitiesFromMs : fromMs
      const answer = await read(`${options.url}/api/ais/v1/${part}?from=${from}`, context)
      if (typeof answer === 'string') return { why: answer, wasGood: isOpen }
      if (!isOpen && part === 'locations') {
        isOpen = true
        ears.note({ is: 'open' }, name)
      }
      for (const each of answer) tell(part === 'vessels' ? readVessel(each) : readLocation(each), context)
    }
    if (isIdentitiesDue) identitiesFromMs = askedMs - overlapMs
    fromMs = askedMs - overlapMs
    await pause(options.everyMs ?? 60_000, undefined, { signal }).catch(() => {})
  }
  return { why: 'told to stop', wasGood: isOpen }
}

/** What the answer holds, else why there is none. */
async function read(url: string, { egress }: FeedContext): Promise<readonly unknown[] | string> {
  const answer = await egress.request({
    url,
    timeoutMs,
    maxBytes: bytesMax,
    headers: { accept: 'application/json', 'digitraffic-user': 'Landfall' },
  })
  if (answer.kind === 'refused') return answer.reason
  if (answer.kind === 'failed') return `${answer.reason}: ${answer.message}`
  if (answer.status !== 200) return `the server answers ${answer.status}`
  if (answer.truncated) return `the answer is longer than ${bytesMax} bytes`
  try {
    const body: unknown = JSON.parse(answer.body.toString())
    const rows = isObject(body) ? body['features'] : body
    return Array.isArray(rows) ? rows : 'the answer is no list'
  } catch {
    return 'the answer is no JSON'
  }
}

function tell(reading: AisReading, { ears, now }: FeedContext): void {
  if (reading.kind === 'issue') ears.count(reading.issue, name)
  else if (reading.kind === 'report') {
    const isAhead = Date.parse(reading.report.heardAt) > now() + overlapMs
    if (isAhead) ears.count('bad_time', name)
    else ears.ingest(reading.report, name)
  }
}

function readLocation(feature: unknown): AisReading {
  const { mmsi, geometry, properties } = objectOf(feature)
  const { coordinates } = objectOf(geometry)
  const { sog, cog, timestampExternal } = objectOf(properties)
  const [longitude, latitude] = Array.isArray(coordinates) ? (coordinates as unknown[]) : []
  const receivedAt = timeOf(timestampExternal)
  if (receivedAt === null) return createIssue('bad_time')
  return readPosition({ mmsi, heardAt: receivedAt, latitude, longitude, speedKnots: sog, courseDegrees: cog })
}

function readVessel(row: unknown): AisReading {
  const { mmsi, timestamp, imo, name: shipName, callSign } = objectOf(row)
  const receivedAt = timeOf(timestamp)
  if (receivedAt === null) return createIssue('bad_time')
  return readIdentity({ mmsi, heardAt: receivedAt, imo, name: shipName, callSign })
}

function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

/** Milliseconds since 1970 as an ISO instant; null for anything else. */
function timeOf(ms: unknown): string | null {
  return typeof ms === 'number' && ms > 0 && ms < 8e15 ? new Date(ms).toISOString() : null
}
