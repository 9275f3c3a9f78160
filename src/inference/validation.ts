/**
 * The parts of the result about a number besides its carrier: the kind, the check digit, the number as it was read, and
 * its errors in words.
 */

import { containerCheckDigit, isIluCode } from '../domain/values/identifiers.ts'
import { findShippingLine } from '../reference/shipping-lines.ts'
import { isSandboxNumber, type NumberReading, type ShipmentReading } from './number.ts'
import { describeUnknownOwner, getOwnerCode } from './owner-codes.ts'

export const numberTypes = ['container', 'bill_of_lading', 'booking'] as const
export type NumberType = (typeof numberTypes)[number]

export interface Validation {
  /** Null when unknown: a bill in a format that is not known for any line. */
  readonly isValid: boolean | null
  readonly type: 'container' | 'shipment'
  readonly checkDigitPassed: boolean | null
  /** The tidied number. A missing check digit is added. */
  readonly parsedNumber: string | null
  readonly reason: string | null
  /** The number that was probably intended, when this one contains a typing error. */
  readonly suggestedNumber: string | null
}

/**
 * When a line uses one number for the bill and the booking, it is called a bill, because the line finds the shipment
 * under that kind of number.
 */
export function numberTypeOf(reading: NumberReading, scac: string | null): NumberType {
  if (reading.kind === 'container') return 'container'
  let type: NumberType = 'bill_of_lading'
  for (const format of reading.formats) {
    if (format.scac !== scac) continue
    if (format.types.includes('bill_of_lading')) return 'bill_of_lading'
    type = 'booking'
  }
  return type
}

export function validate(reading: NumberReading, scac: string | null): Validation {
  if (reading.kind === 'shipment') return validateShipment(reading, scac)
  const reasons = {
    passed: null,
    failed: ['Invalid check digit', describeUnknownOwner(reading.number)].flatMap((each) => each ?? []).join('; '),
    completed: 'Check digit was missing and was added',
  }
  return {
    isValid: reading.checkDigit !== 'failed',
    type: 'container',
    checkDigitPassed: reading.checkDigit === 'completed' ? null : reading.checkDigit === 'passed',
    parsedNumber: reading.number,
    reason: joinReasons([reasons[reading.checkDigit], notTrackable(scac, 'container')]),
    suggestedNumber: reading.checkDigit === 'failed' ? withCorrectCheckDigit(reading.number) : null,
  }
}

/** The number if only its last digit is wrong. */
export function withCorrectCheckDigit(number: string): string {
  const firstTen = number.slice(0, 10)
  return `${firstTen}${containerCheckDigit(firstTen) ?? ''}`
}

function validateShipment(reading: ShipmentReading, scac: string | null): Validation {
  const isKnown = reading.formats.length > 0 || isSandboxNumber(reading.number)
  const type = numberTypeOf(reading, scac)
  const isIlu = reading.prefix === null && isIluCode(reading.number)
  return {
    isValid: !isIlu && (isKnown || reading.prefix !== null) ? true : null,
    type: 'shipment',
    checkDigitPassed: null,
    parsedNumber: reading.number,
    reason: joinReasons([
      isIlu ? iluReason : null,
      isIlu || isKnown || reading.prefix !== null ? null : unknownFormat(reading.number),
      notTrackable(scac, type),
    ]),
    suggestedNumber: null,
  }
}

const iluReason =
  'This looks like an ILU code (EN 13044), the number of a swap body or semi-trailer, which no shipping line tracks'

/**
 * Forwarders begin their bills with letters of their own, often with a SCAC. Covered lines write no numbers in this
 * form.
 */
function unknownFormat(number: string): string {
  if (/^[A-Z]{3,}/.test(number) && getOwnerCode(number.slice(0, 4)).scac === null) {
    return 'No shipping line writes its numbers like this: it looks like a house bill. Use the master bill of lading.'
  }
  return 'No shipping line is known to write its numbers like this'
}

function notTrackable(scac: string | null, type: NumberType): string | null {
  const line = scac === null ? null : findShippingLine(scac)
  if (line === null) return null
  const { billOfLading, booking, container } = line.tracksBy
  switch (type) {
    case 'container':
      return container ? null : `${line.shortName} cannot be tracked by container number`
    case 'bill_of_lading':
      return billOfLading ? null : `${line.shortName} cannot be tracked by bill of lading number`
    case 'booking':
      return booking ? null : `${line.shortName} cannot be tracked by booking number`
  }
}

function joinReasons(reasons: readonly (string | null)[]): string | null {
  return reasons.filter((reason) => reason !== null).join('; ') || null
}
