/**
 * Turns a stream of NMEA lines into reports. Lines, checksums and sentence parts are handled here, and only the bits of
 * a whole message go to `ais-stream-decoder`. That library's own assembly mixes the parts of two channels, keeps
 * incomplete messages for ever, and ends its stream at the first broken line.
 */

import aisStreamDecoder from 'ais-stream-decoder'
import { isObject, type JsonObject } from '../../domain/values/json-value.ts'
import {
  type AisIssueKind,
  type AisReading,
  type AisReport,
  createIssue,
  readIdentity,
  readPosition,
} from './report.ts'
import { readSentence, type Sentence } from './sentence.ts'

const { default: AisDecoder } = aisStreamDecoder
type AisDecoder = InstanceType<typeof AisDecoder>

/** The standard allows 82 characters; tag blocks take more. */
const lineLengthMax = 1_024
const waitingMax = 64
const waitingMs = 30_000

interface PartialMessage {
  readonly since: number
  readonly parts: (string | null)[]
}

export interface NmeaReader {
  /** `receivedMs`: ms since 1970, for lines without a time of their own. */
  readonly push: (text: string, receivedMs: number) => void
}

export function openNmeaReader(ears: {
  readonly ingest: (report: AisReport) => void
  readonly count: (issue: AisIssueKind) => void
}): NmeaReader {
  const decoder = new AisDecoder({ silent: true })
  const waiting = new Map<string, PartialMessage>()
  let rest = ''
  let isSkipping = false

  function readLine(line: string, receivedMs: number): void {
    const read = readSentence(line)
    if (read.kind === 'issue') ears.count(read.issue)
    if (read.kind !== 'sentence') return
    const payload = assemblePayload(read.sentence, receivedMs)
    if (payload === null) return
    const reading = decodeMessage(decoder, payload, read.sentence.statedAtMs ?? receivedMs)
    if (reading.kind === 'report') ears.ingest(reading.report)
    if (reading.kind === 'issue') ears.count(reading.issue)
  }

  /** The complete payload when its last part has arrived; null before. */
  function assemblePayload(sentence: Sentence, nowMs: number): string | null {
    if (sentence.parts === 1) return sentence.payload
    for (const [key, { since }] of waiting) {
      if (nowMs - since < waitingMs && waiting.size < waitingMax) break
      waiting.delete(key)
      ears.count('incomplete')
    }
    const key = `${sentence.group}/${sentence.channel}/${sentence.parts}`
    const known = waiting.get(key)
    const begins = sentence.part === 1 || known === undefined
    if (begins && known !== undefined) ears.count('incomplete')
    const message = begins
      ? { since: nowMs, parts: Array.from({ length: sentence.parts }, (): string | null => null) }
      : known
    message.parts[sentence.part - 1] = sentence.payload
    waiting.delete(key)
    const parts = message.parts.filter((part) => part !== null)
    if (parts.length === sentence.parts) return parts.join('')
    waiting.set(key, message)
    return null
  }

  return {
    push(text, receivedMs) {
      const lines = (rest + text).split(/\r\n|\n|\r/)
      rest = lines.pop() ?? ''
      for (const line of lines) {
        if (isSkipping) isSkipping = false
        else if (line.length > lineLengthMax) ears.count('oversized')
        else readLine(line, receivedMs)
      }
      if (rest.length <= lineLengthMax) return
      if (!isSkipping) ears.count('oversized')
      isSkipping = true
      rest = ''
    },
  }
}

/**
 * Minimum bits by message type: a shorter message lacks fields that we read. A whole message has 168 bits (1–3 and 18)
 * or 424 (5, of which the last few are often missing).
 */
const bitsMin: Readonly<Record<number, number>> = { 1: 149, 2: 149, 3: 149, 18: 139, 5: 232 }

function decodeMessage(decoder: AisDecoder, payload: string, observedAtMs: number): AisReading {
  const type = payload === '' ? 0 : decodeSixBits(payload.charCodeAt(0))
  const least = bitsMin[type]
  if (least === undefined) return payload === '' ? createIssue('garbage') : { kind: 'other' }
  if (payload.length * 6 < least) return createIssue('incomplete')
  const message = decodeBits(decoder, payload)
  if (message === null) return createIssue('garbage')
  const heardAt = new Date(observedAtMs).toISOString()
  const { mmsi } = message
  if (type === 5) {
    return readIdentity({
      mmsi,
      heardAt,
      imo: message['imo'],
      name: message['name'],
      callSign: message['callsign'],
    })
  }
  return readPosition({
    mmsi,
    heardAt,
    latitude: message['lat'],
    longitude: message['lon'],
    speedKnots: message['speedOverGround'],
    courseDegrees: message['courseOverGround'],
  })
}

/** The decoder is a stream: it writes its result as JSON, which is read back here. */
function decodeBits(decoder: AisDecoder, payload: string): JsonObject | null {
  try {
    decoder.decodePayload(payload, 'A', [])
    const text: unknown = decoder.read()
    const value: unknown = typeof text === 'string' ? JSON.parse(text) : null
    return isObject(value) && 'mmsi' in value ? value : null
  } catch {
    return null
  }
}

function decodeSixBits(code: number): number {
  const value = code - 48
  return value > 40 ? value - 8 : value
}
