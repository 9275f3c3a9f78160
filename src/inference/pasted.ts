/**
 * Finds what people mean by a text that they paste: a number alone, a number with words around it, several numbers, a
 * container number with letters instead of digits, or a number that no line knows. Requests, search and inference
 * all use this file.
 */

import { asciiWords, containerCheckDigit, isContainerNumber } from '../core/values/identifiers.ts'
import { digitsForLetters } from '../core/values/number-slips.ts'
import { readNumber } from './number.ts'
import { findFormats, findPrefix } from './number-formats.ts'
import { cutOtherNumbers, type OtherNumber } from './other-numbers.ts'

export type Pasted =
  /** `number`: the number without the words around it, or the text as it was sent when there are no such words. */
  | { readonly kind: 'number'; readonly number: string; readonly isHouseBill: boolean }
  /** Looks like a container number with a typing error. `meant` is set when only one number fits. */
  | { readonly kind: 'slip'; readonly number: string; readonly meant: string | null; readonly reason: string }
  | { readonly kind: 'several'; readonly numbers: readonly string[] }
  | { readonly kind: 'other'; readonly other: OtherNumber }
  | { readonly kind: 'none' }

const textLengthMax = 300
/** When the caller is asked which number is meant, at most this many are named. */
const namedMax = 5

export function readPasted(raw: string): Pasted {
  if (raw.length > textLengthMax) return { kind: 'none' }
  const text = tidyText(raw)
  const { rest, found } = cutOtherNumbers(text)
  const isHouseBill = /\b(?:HBL|H B\/L|HOUSE)\b/.test(rest)
  const { numbers, slips } = findNumbers(rest.replace(words, ' '))
  const [number] = numbers
  if (numbers.length > 1) return { kind: 'several', numbers: numbers.slice(0, namedMax) }
  if (number !== undefined) {
    // A number that is joined from its parts may be one that no line knows, such as an air waybill.
    const [itself] = cutOtherNumbers(number).found
    if (itself !== undefined) return { kind: 'other', other: itself }
    const ascii = tagless(raw)
      .toUpperCase()
      .replace(/[^A-Z0-9]/g, '')
    if (!ascii.includes(number))
      return { kind: 'slip', number: raw.trim(), meant: number, reason: asciiWords }
    const isAlone = readNumber(raw)?.number === readNumber(number)?.number
    return { kind: 'number', number: isAlone ? raw : number, isHouseBill }
  }
  const [slip] = slips
  if (slip !== undefined) return slip
  const [other] = found
  return other === undefined ? { kind: 'none' } : { kind: 'other', other: asWritten(raw, other) }
}

type Slip = Extract<Pasted, { kind: 'slip' }>

/** A question to the caller. */
export function slipInWords({ number, meant, reason }: Slip): string {
  const what = `${number} is no number as it stands: ${reason}.`
  return meant === null ? `${what} Look at it again.` : `${what} Did you mean ${meant}?`
}

export function otherInWords({ what, text }: OtherNumber): string {
  return `This looks like ${what} (${text}), not an ocean number. Send the bill of lading, booking or container number.`
}

export function severalInWords(numbers: readonly string[]): string {
  return `there are several in this text (${numbers.join(', ')}). Send one of them`
}

export const houseBillWords =
  'This is called a house bill, which no shipping line knows. Use the master bill of lading.'

/** Restores the case as the user wrote it, as in the month of a date. */
function asWritten(raw: string, other: OtherNumber): OtherNumber {
  const at = raw.toUpperCase().indexOf(other.text)
  return at < 0 ? other : { ...other, text: raw.slice(at, at + other.text.length) }
}

function tagless(raw: string): string {
  return raw.replace(/<[^<>]*>/g, ' ').replace(/&(?:nbsp|#160|#xa0);/gi, ' ')
}

function tidyText(raw: string): string {
  return tagless(raw)
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[\u200b-\u200d\u2060\ufeff]/g, '')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[\s;,|"'`“”‘’()[\]{}]+/g, ' ')
    .trim()
}

/** Words that people write before a number to say what it is. */
const words =
  /(?<![A-Z0-9])(?:CONTAINERS?|CNTRS?|CTRS?|BOX(?:ES)?|UNIT|EQUIPMENT|BILL OF LADING|MASTER BILL|[MHO]?B\/L|B\.L\.|[MHO]?BL|BOL|BILL|BOOKINGS?|BKN?G|SHIPMENTS?|TRACKING|TRACK|TRACE|HOUSE|MASTER|SWB|SEA ?WAYBILL|WAYBILL|NUMBERS?|NO|NR|NUM|N°|REFERENCE|REF)(?![A-Z0-9])[.:#=]*/g

/** Quantities and sizes of boxes: `1X40HC`, `40HC`, `2X20DV`. */
const sizes =
  /(?<![A-Z0-9])(?:[0-9]{1,2} ?X ?)?(?:20|40|45) ?'?(?:DC|DV|GP|HC|HQ|RF|RH|OT|FR|ST)?(?![A-Z0-9])/g

interface Found {
  readonly numbers: readonly string[]
  readonly slips: readonly Slip[]
}

function findNumbers(text: string): Found {
  const boxes = cutContainers(text)
  const rest = boxes.rest.replace(sizes, (size) => (boxes.numbers.length > 0 ? ' ' : size))
  const joined = boxes.numbers.length > 0 ? null : joinParts(rest)
  const others = joined === null ? rest.split(/[\s:=#]+/).flatMap(wholeNumber) : [joined]
  const numbers = [...new Set([...boxes.numbers, ...others])]
  const slips = rest.split(/[\s:=#]+/).flatMap(readSlip)
  // A text with a letter instead of a digit would look like a bill. It is skipped here, unless a line writes bills in
  // this form: then it is not a typing mistake.
  const plain = numbers.filter((number) => !slips.some((slip) => slip.number === number))
  return { numbers: plain, slips }
}

/** Cuts out container numbers, whatever spaces and marks are in them. A wrong or missing check digit is accepted. */
function cutContainers(text: string): { readonly rest: string; readonly numbers: readonly string[] } {
  const numbers: string[] = []
  const pattern =
    /(?<![A-Z0-9])([A-Z]{3}[UJZ])[ ./-]*([0-9](?:[ ./-]?[0-9]){5})(?:[ ./-]*([0-9]))?(?![A-Z0-9])/g
  const rest = text.replace(pattern, (whole: string, owner: string, serial: string, digit: string = '') => {
    const number = `${owner}${serial.replace(/[^0-9]/g, '')}${digit}`
    if (readNumber(number)?.kind !== 'container') return whole
    numbers.push(number)
    return ' '
  })
  return { rest, numbers }
}

/**
 * Joins a number that is written in parts, `MAEU 123456789`, `038 VH 1234567`. Null when the parts are not one number.
 */
function joinParts(text: string): string | null {
  const parts = text.split(/[\s:=#]+/).filter((part) => /[A-Z0-9]/.test(part))
  const numbers = parts.flatMap(wholeNumber)
  if (parts.length === 0 || (parts.length > 1 && numbers.length > 1)) return null
  if (parts.length === 1) return numbers[0] ?? null
  const joined = readNumber(parts.join(''))?.number
  if (joined === undefined) return null
  const hasPrefix = findPrefix(parts[0] ?? '') !== null
  const isWritten =
    findFormats(joined).length > 0 && parts.every((part) => /[0-9]/.test(part) || part.length <= 4)
  const areParts = parts.every((part) => /[0-9]/.test(part))
  return hasPrefix || isWritten || areParts ? joined : null
}

/**
 * Reads a part as a whole number; of `HLCU/94405335` only the part that this line writes. Empty when the part is a
 * word.
 */
function wholeNumber(part: string): readonly string[] {
  const [, scac = '', number = ''] = /^([A-Z]{4})\/+(.+)$/.exec(part) ?? []
  const line = findPrefix(scac)
  if (line !== null) {
    const apart = readNumber(number)?.number
    const isFormat = (text: string) => findFormats(text).some((format) => format.scac === line)
    if (apart !== undefined && !isFormat(`${scac}${apart}`) && isFormat(apart)) return [apart]
  }
  const read = readNumber(part)
  return read === null ? [] : [read.number.slice(0, lengthOf(part))]
}

/** The number of characters without the check digit that the reader may have added. */
function lengthOf(part: string): number {
  return part.replace(/[^A-Z0-9]/g, '').length
}

/**
 * Finds a text that would be a container number if letters were replaced by digits that look like them, or digits by
 * letters.
 */
function readSlip(part: string): readonly Slip[] {
  const number = part.replace(/[^A-Z0-9]/g, '')
  const meant = digitsForLetters(number)
  if (meant === null || findFormats(number).length > 0) return []
  if (isContainerNumber(meant))
    return [{ kind: 'slip', number, meant, reason: 'letters and digits are confused in it' }]
  if (!/^[A-Z]{3}[UJZ]/.test(number)) return []
  const digit = containerCheckDigit(meant.slice(0, 10))
  const reason = `letters stand where digits belong, and as ${meant} its check digit is wrong (it would be ${digit})`
  return [{ kind: 'slip', number, meant: null, reason }]
}
