/**
 * The data that we use from an AIS feed: the position of a radio, and the ship on which it states to be. Everything
 * else is only counted.
 */

import type { ImoNumber } from '../../domain/values/identifiers.ts'
import { parseImoNumber } from '../../domain/values/identifiers.ts'

/**
 * A radio is identified by its MMSI, nine digits. An MMSI does not identify a ship, because radios move from ship to
 * ship.
 */
export type AisReport =
  | {
      readonly kind: 'position'
      readonly mmsi: string
      /** ISO instant. */
      readonly heardAt: string
      readonly latitude: number
      readonly longitude: number
      readonly speedKnots: number
      /** Null when the radio does not state it. */
      readonly courseDegrees: number | null
    }
  | {
      readonly kind: 'identity'
      readonly mmsi: string
      readonly heardAt: string
      readonly imo: ImoNumber
      readonly name: string | null
      readonly callSign: string | null
    }

export const aisIssueKinds = [
  /** Not a message: noise, a broken sentence, invalid JSON. */
  'garbage',
  'oversized',
  'checksum',
  /** A part of a message whose other parts are missing. */
  'incomplete',
  /**
   * The sender does not know its position or speed (91°, 181°, 102.3 knots), states 0/0, or states a value that is
   * impossible for a ship.
   */
  'no_position',
  /** A ship without an IMO number, or with a wrong check digit. */
  'no_imo',
  'bad_mmsi',
  /** A time that cannot be read, or is in the future. */
  'bad_time',
] as const
export type AisIssueKind = (typeof aisIssueKinds)[number]

/** The result of reading one message: a report, nothing that we use, or what is wrong with the message. */
export type AisReading =
  | { readonly kind: 'report'; readonly report: AisReport }
  | { readonly kind: 'other' }
  | { readonly kind: 'issue'; readonly issue: AisIssueKind }

/** No container ship is faster; a radio that reports more is wrong about its position too. */
const speedKnotsMax = 60

export interface RawPosition {
  readonly mmsi: unknown
  readonly heardAt: string
  readonly latitude: unknown
  readonly longitude: unknown
  readonly speedKnots: unknown
  readonly courseDegrees: unknown
}

/** Judges a position as sent (ITU-R M.1371: 91, 181 and 102.3 mean "not available"). */
export function readPosition(raw: RawPosition): AisReading {
  const mmsi = readMmsi(raw.mmsi)
  if (mmsi === null) return createIssue('bad_mmsi')
  const { latitude, longitude, speedKnots } = raw
  if (!isWithin(latitude, 90) || !isWithin(longitude, 180)) return createIssue('no_position')
  if (latitude === 0 && longitude === 0) return createIssue('no_position')
  if (!isWithin(speedKnots, speedKnotsMax) || speedKnots < 0) return createIssue('no_position')
  const course = raw.courseDegrees
  const isCourse = typeof course === 'number' && course >= 0 && course < 360
  return {
    kind: 'report',
    report: {
      kind: 'position',
      mmsi,
      heardAt: raw.heardAt,
      latitude,
      longitude,
      speedKnots,
      courseDegrees: isCourse ? course : null,
    },
  }
}

/** Checks what a ship states about itself. We can only recognise a ship by an IMO number with a correct check digit. */
export function readIdentity(raw: {
  readonly mmsi: unknown
  readonly heardAt: string
  readonly imo: unknown
  readonly name: unknown
  readonly callSign: unknown
}): AisReading {
  const mmsi = readMmsi(raw.mmsi)
  if (mmsi === null) return createIssue('bad_mmsi')
  const imo = typeof raw.imo === 'number' ? parseImoNumber(String(raw.imo)) : null
  if (imo === null || !imo.ok) return createIssue('no_imo')
  return {
    kind: 'report',
    report: {
      kind: 'identity',
      mmsi,
      heardAt: raw.heardAt,
      imo: imo.value,
      name: readText(raw.name),
      callSign: readText(raw.callSign),
    },
  }
}

export function createIssue(kind: AisIssueKind): AisReading {
  return { kind: 'issue', issue: kind }
}

/**
 * The MMSI of a ship begins with 2 to 7 (ITU-R M.585); those of coast stations, aids to navigation and aircraft do not.
 */
function readMmsi(value: unknown): string | null {
  const text = typeof value === 'number' && Number.isInteger(value) ? String(value) : ''
  return /^[2-7]\d{8}$/.test(text) ? text : null
}

function isWithin(value: unknown, limit: number): value is number {
  return typeof value === 'number' && Number.isFinite(value) && Math.abs(value) <= limit
}

/** AIS pads its texts with `@` and blanks. */
function readText(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const text = (value.split('@')[0] ?? '').replace(/[^\x20-\x7e]/g, '').trim()
  return text === '' ? null : text.slice(0, 40)
}
