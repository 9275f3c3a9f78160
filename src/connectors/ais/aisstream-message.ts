/** Reads one message of AISStream (`type-definition.yaml` of aisstream/ais-message-models, MIT) as a report. */

import { isObject, type JsonObject } from '../../domain/values/json-value.ts'
import { type AisReading, createIssue, readIdentity, readPosition } from './report.ts'

/** The message types that we subscribe to; the others of the type definition have nothing that we use. */
export const messageTypes = [
  'PositionReport',
  'StandardClassBPositionReport',
  'ExtendedClassBPositionReport',
  'LongRangeAisBroadcastMessage',
  'ShipStaticData',
] as const

/**
 * `receivedAt`: ISO instant, for a message without a time of its own. `error`: why the server closes the connection.
 */
export function readAisStreamMessage(
  text: string,
  receivedAt: string,
): AisReading | { readonly kind: 'error'; readonly error: string } {
  const message = parseFields(text)
  if (message === null) return createIssue('garbage')
  if (typeof message['error'] === 'string') return { kind: 'error', error: message['error'].slice(0, 200) }
  const type = messageTypes.find((each) => each === message['MessageType'])
  if (type === undefined) return typeof message['MessageType'] === 'string' ? { kind: 'other' } : createIssue('garbage')
  const body = fieldsOf(fieldsOf(message['Message'])?.[type])
  if (body === null) return createIssue('garbage')
  const heardAt = readTime(fieldsOf(message['MetaData'])?.['time_utc'], receivedAt)
  if (heardAt === null) return createIssue('bad_time')
  const mmsi = body['UserID']
  if (type === 'ShipStaticData') {
    return readIdentity({
      mmsi,
      heardAt,
      imo: body['ImoNumber'],
      name: body['Name'],
      callSign: body['CallSign'],
    })
  }
  return readPosition({
    mmsi,
    heardAt,
    latitude: body['Latitude'],
    longitude: body['Longitude'],
    speedKnots: body['Sog'],
    courseDegrees: body['Cog'],
  })
}

/**
 * The subscription, which must be sent within three seconds of connecting. Rectangles are pairs of corners, latitude
 * first.
 */
export function writeSubscription(options: {
  readonly apiKey: string
  readonly boundingBoxes: readonly BoundingBox[]
  readonly mmsi: readonly string[]
}): string {
  return JSON.stringify({
    APIKey: options.apiKey,
    BoundingBoxes: options.boundingBoxes.map(({ south, west, north, east }) => [
      [south, west],
      [north, east],
    ]),
    ...(options.mmsi.length > 0 && { FiltersShipMMSI: options.mmsi }),
    FilterMessageTypes: messageTypes,
  })
}

export interface BoundingBox {
  readonly south: number
  readonly west: number
  readonly north: number
  readonly east: number
}
export const wholeWorld: BoundingBox = { south: -90, west: -180, north: 90, east: 180 }

/**
 * The time as Go prints it, `2022-12-29 18:22:32.318353 +0000 UTC`; ISO 8601 is read as well. An absent time becomes
 * the time of receipt.
 */
function readTime(value: unknown, receivedAt: string): string | null {
  if (value === undefined || value === null || value === '') return receivedAt
  if (typeof value !== 'string') return null
  const parts = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2})(\.\d+)?\s*(?:Z|\+0000(?: UTC)?)$/.exec(value)
  if (parts === null) return null
  const ms = Date.parse(`${parts[1]}T${parts[2]}${(parts[3] ?? '').slice(0, 4)}Z`)
  return Number.isNaN(ms) ? null : new Date(ms).toISOString()
}

function parseFields(text: string): JsonObject | null {
  try {
    return fieldsOf(JSON.parse(text))
  } catch {
    return null
  }
}

function fieldsOf(value: unknown): JsonObject | null {
  return isObject(value) ? value : null
}
