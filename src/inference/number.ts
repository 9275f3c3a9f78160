/**
 * Reads what a caller sent as a number: a container number (ISO 6346), or the number of a bill or booking. A text that
 * is neither is refused.
 */

import { containerCheckDigit, removeInvisibleCharacters } from '../domain/values/identifiers.ts'
import { findFormats, findPrefix, type NumberFormat } from './number-formats.ts'
import { isRegistered } from './owner-codes.ts'

export interface ContainerReading {
  readonly kind: 'container'
  /** Eleven characters. A missing check digit is added, a wrong one is not changed. */
  readonly number: string
  readonly checkDigit: 'passed' | 'failed' | 'completed'
}

export interface ShipmentReading {
  readonly kind: 'shipment'
  readonly number: string
  /** The first four letters, when a line writes them before its numbers. */
  readonly prefix: string | null
  /** The SCAC of the line with this prefix. */
  readonly prefixScac: string | null
  /** The formats of all lines that the number fits. */
  readonly formats: readonly NumberFormat[]
}

export type NumberReading = ContainerReading | ShipmentReading

const lengthMin = 6
const lengthMax = 20
const digitsMin = 4

/**
 * Null for a text that is no reference number. A reference number has 6 to 20 letters and digits, with at least 4
 * digits.
 */
export function readNumber(raw: string): NumberReading | null {
  const seen = removeInvisibleCharacters(raw)
  if (seen.length > 4 * lengthMax) return null
  const number = isNormalized(seen) ? seen : normalizeNumber(seen)
  if (number.length < lengthMin || number.length > lengthMax || !isNormalized(number)) return null
  if (countDigits(number) < digitsMin && !isSandboxNumber(number)) return null
  return readContainer(number) ?? readShipment(number)
}

/** The numbers of the sandbox's scenarios (docs/scenarios.md), without their hyphens: `SBXPLAIN01`. */
export function isSandboxNumber(number: string): boolean {
  return /^SBX[A-Z]+[0-9]{2}$/.test(number)
}

function isNormalized(text: string): boolean {
  return /^[A-Z0-9]+$/.test(text)
}

/**
 * Removes what belongs to the writing and not to the number: case, full-width characters, spaces, hyphens, dots and
 * slashes.
 */
function normalizeNumber(raw: string): string {
  return raw
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[\s./\-\u2010-\u2015\u2212]+/g, '')
}

function countDigits(number: string): number {
  let digits = 0
  for (let at = 0; at < number.length; at += 1) if (isDigit(number, at)) digits += 1
  return digits
}

/**
 * A wrong check digit is a typing error. A missing one is too, unless nobody has the owner code and a line writes its
 * bills in this form: then the number is a bill.
 */
function readContainer(number: string): ContainerReading | null {
  if (!/^[A-Z]{3}[UJZ][0-9]{6,7}$/.test(number)) return null
  const digit = String(containerCheckDigit(number.slice(0, 10)))
  if (number.length === 11 && number.endsWith(digit)) return { kind: 'container', number, checkDigit: 'passed' }
  if (number.length === 11) return { kind: 'container', number, checkDigit: 'failed' }
  if (!isRegistered(number) && findFormats(number).length > 0) return null
  return { kind: 'container', number: number + digit, checkDigit: 'completed' }
}

function readShipment(number: string): ShipmentReading {
  const prefix = number.slice(0, 4)
  const scac = findPrefix(prefix)
  const formats = findFormats(number)
  const isPrefixed =
    scac !== null && (/[0-9]{3}/.test(number.slice(4)) || formats.some((format) => format.scac === scac))
  return isPrefixed
    ? { kind: 'shipment', number, prefix, prefixScac: scac, formats }
    : { kind: 'shipment', number, prefix: null, prefixScac: null, formats }
}

/** The shape of a number as runs of letters and digits: `ABC1234567` is L3D7. */
export function shapeOf(number: string): string {
  let shape = ''
  let start = 0
  for (let at = 1; at <= number.length; at += 1) {
    if (at < number.length && isDigit(number, at) === isDigit(number, start)) continue
    shape += `${isDigit(number, start) ? 'D' : 'L'}${at - start}`
    start = at
  }
  return shape
}

function isDigit(number: string, at: number): boolean {
  return number.charCodeAt(at) <= 57
}
