/**
 * Finds the number in a text that people paste: a number alone, a number with words around it, several numbers, a
 * container number with a typing error, a number that a spreadsheet has changed, or a number that no line knows.
 * Requests, search and inference all use this file.
 */

import {
  asciiRequirement,
  containerCheckDigit,
  isContainerNumber,
  removeInvisibleCharacters,
} from '../domain/values/identifiers.ts'
import { digitsForLetters, swapOwnerLetters } from '../domain/values/number-slips.ts'
import { readNumber } from './number.ts'
import { findFormats, findPrefix } from './number-formats.ts'
import { cutOtherNumbers, type OtherNumber } from './other-numbers.ts'
import { describeUnknownOwner, getOwnerCode } from './owner-codes.ts'

export type PastedText =
  /** `number`: the number without the words around it, or the text as it was sent when there are no such words. */
  | { readonly kind: 'number'; readonly number: string; readonly isHouseBill: boolean }
  /** Resembles a container number with a typing error. `corrected` is set when only one number fits. */
  | {
      readonly kind: 'slip'
      readonly number: string
      readonly corrected: string | null
      readonly reason: string
    }
  /** A number of any kind whose digits are not as they were: a spreadsheet or look-alike characters changed them. */
  | {
      readonly kind: 'changed'
      readonly number: string
      readonly corrected: string | null
      readonly reason: string
    }
  | { readonly kind: 'several'; readonly numbers: readonly string[] }
  | { readonly kind: 'other'; readonly other: OtherNumber }
  | { readonly kind: 'none' }

const textLengthMax = 300
/** When the caller must choose the number, at most this many are named. */
const namedMax = 5

export function readPasted(input: string): PastedText {
  const raw = removeInvisibleCharacters(input)
  if (raw.length > textLengthMax) return { kind: 'none' }
  const text = normalizeText(raw)
  const { rest, found } = cutOtherNumbers(text)
  const isHouseBill = /\b(?:HBL|H B\/L|HOUSE)\b/.test(rest)
  const containers = cutContainers(rest.replace(numberLabels, ' '))
  const cell = findCellNumber(containers.rest)
  if (cell !== null) return suggestCorrection(text, cell)
  const { numbers, slips } = findNumbers(containers)
  const [number] = numbers
  if (numbers.length > 1) return { kind: 'several', numbers: numbers.slice(0, namedMax) }
  if (number !== undefined) {
    // A number that is joined from its parts may be one that no line knows, such as an air waybill.
    const [itself] = cutOtherNumbers(number).found
    if (itself !== undefined) return { kind: 'other', other: itself }
    const ascii = stripTags(raw)
      .toUpperCase()
      .replace(/[^A-Z0-9]/g, '')
    if (!ascii.includes(number))
      return { kind: 'changed', number: raw.trim(), corrected: number, reason: asciiRequirement }
    const isAlone = readNumber(raw)?.number === readNumber(number)?.number
    return { kind: 'number', number: isAlone ? raw : number, isHouseBill }
  }
  const [slip] = slips
  if (slip !== undefined) return slip
  const [other] = found
  return other === undefined ? { kind: 'none' } : { kind: 'other', other: asWritten(raw, other) }
}

type Slip = Extract<PastedText, { kind: 'slip' }>

/** A question to the caller. */
export function describeMistypedNumber({ number, corrected, reason }: Omit<Slip, 'kind'>): string {
  const what = `${number} is not a valid number as written: ${reason}.`
  return corrected === null ? `${what} Check it.` : `${what} Did you mean ${corrected}?`
}

export function describeOtherNumber({ what, text }: OtherNumber): string {
  return `This looks like ${what} (${text}), not an ocean number. Send the bill of lading, booking or container number.`
}

export function describeSeveralNumbers(numbers: readonly string[]): string {
  return `there are several in this text (${numbers.join(', ')}). Send one of them`
}

export const houseBillReason =
  'This is called a house bill, which no shipping line knows. Use the master bill of lading.'

/** Restores the case as the user wrote it, as in the month of a date. */
function asWritten(raw: string, other: OtherNumber): OtherNumber {
  const at = raw.toUpperCase().indexOf(other.text)
  return at < 0 ? other : { ...other, text: raw.slice(at, at + other.text.length) }
}

function stripTags(raw: string): string {
  return raw.replace(/<[^<>]*>/g, ' ').replace(/&(?:nbsp|#160|#xa0);/gi, ' ')
}

function normalizeText(raw: string): string {
  return (
    stripTags(raw)
      .normalize('NFKC')
      .toUpperCase()
      .replace(/[\u2010-\u2015\u2212]/g, '-')
      // A comma between digits may be a decimal mark.
      .replace(/(?:[\s;|"'`“”‘’()[\]{}]|,(?![0-9])|(?<![0-9]),)+/g, ' ')
      .trim()
  )
}

/** A number as a cell of a spreadsheet shows it, with the whole number; null when some of its digits are lost. */
interface CellNumber {
  readonly written: string
  readonly whole: string | null
}

/** `263123456.0`, `94405335,0`, `263.123.456,00`. */
const decimalNumber = /(?<![A-Z0-9.,])([A-Z]*[0-9]{6,}|[0-9]{1,3}(?:[ .,][0-9]{3})+)[.,][0-9]{1,2}(?![A-Z0-9])/
/** `2.63123E+08`, `2,63123E8`, `3E+08`. */
const scientificNumber = /(?<![A-Z0-9.,])([0-9])(?:[.,]([0-9]+)E\+?|E\+)([0-9]{1,2})(?![A-Z0-9])/

function findCellNumber(text: string): CellNumber | null {
  const decimal = decimalNumber.exec(text)
  if (decimal !== null) {
    const [written, whole = ''] = decimal
    return { written, whole: whole.replace(/[ .,]/g, '') }
  }
  const scientific = scientificNumber.exec(text)
  if (scientific === null) return null
  const [written, first = '', fraction = '', exponent] = scientific
  const isWhole = fraction.length >= Number(exponent)
  return { written, whole: isWhole ? `${first}${fraction.slice(0, Number(exponent))}` : null }
}

/** The reading of the text with the whole number instead; a question when that is the number. */
function suggestCorrection(text: string, { written, whole }: CellNumber): PastedText {
  const changed = text.replace(written, () => whole ?? ' ').trim()
  const again: PastedText = changed === text ? { kind: 'none' } : readPasted(changed)
  const isCorrected = again.kind === 'number' && whole !== null && again.number.includes(whole)
  if (again.kind !== 'none' && !isCorrected) return again
  const corrected = isCorrected ? (readNumber(again.number)?.number ?? again.number) : null
  const reason =
    whole === null
      ? 'a spreadsheet has rounded it, and digits are lost (format its cells as text)'
      : 'a spreadsheet has written it as a decimal number'
  return { kind: 'changed', number: written, corrected, reason }
}

/** Labels that people write before a number. */
const numberLabels =
  /(?<![A-Z0-9])(?:CONTAINERS?|CNTRS?|CTRS?|BOX(?:ES)?|UNIT|EQUIPMENT|BILL OF LADING|MASTER BILL|[MHO]?B\/L|B\.L\.|[MHO]?BL|BOL|BILL|BOOKINGS?|BKN?G|SHIPMENTS?|TRACKING|TRACK|TRACE|HOUSE|MASTER|SWB|SEA ?WAYBILL|WAYBILL|NUMBERS?|NO|NR|NUM|N°|REFERENCE|REF)(?![A-Z0-9])[.:#=]*/g

/** Quantities and sizes of containers: `1X40HC`, `40HC`, `2X20DV`. */
const sizes = /(?<![A-Z0-9])(?:[0-9]{1,2} ?X ?)?(?:20|40|45) ?'?(?:DC|DV|GP|HC|HQ|RF|RH|OT|FR|ST)?(?![A-Z0-9])/g

interface FoundNumbers {
  readonly numbers: readonly string[]
  readonly slips: readonly Slip[]
}

function findNumbers(containers: FoundContainers): FoundNumbers {
  const rest = containers.rest.replace(sizes, (size) => (containers.numbers.length > 0 ? ' ' : size))
  const joined = containers.numbers.length > 0 ? null : joinParts(rest)
  const others = joined === null ? splitParts(rest).flatMap(wholeNumber) : [joined]
  const numbers = [...new Set([...containers.numbers, ...others])]
  const slips = [...splitParts(rest).flatMap(readSlip), ...numbers.flatMap(readOwnerSlip)]
  // A text with a letter instead of a digit would look like a bill. It is skipped here, unless a line writes bills in
  // this form: then it is not a typing mistake.
  const plain = numbers.filter((number) => !slips.some((slip) => slip.number === number))
  return { numbers: plain, slips }
}

interface FoundContainers {
  readonly numbers: readonly string[]
  /** The text without them. */
  readonly rest: string
}

/** Cuts out container numbers, whatever spaces and marks are in them. A wrong or missing check digit is accepted. */
function cutContainers(text: string): FoundContainers {
  const numbers: string[] = []
  const pattern =
    /(?<![A-Z0-9])([A-Z]{3}[UJZ])[ ./-]*([0-9](?:[ ./-]?[0-9]){5})(?:[ ./-]*([0-9])(?![A-Z0-9])|(?![A-Z0-9]|[.-][0-9]))/g
  const rest = text.replace(pattern, (whole: string, owner: string, serial: string, digit: string = '') => {
    const number = `${owner}${serial.replace(/[^0-9]/g, '')}${digit}`
    if (readNumber(number)?.kind !== 'container') return whole
    numbers.push(number)
    return ' '
  })
  return { rest, numbers }
}

function splitParts(text: string): readonly string[] {
  return text.split(/[\s:=#,]+/)
}

/**
 * Joins a number that is written in parts, `MAEU 123456789`, `038-VH 1234567`. Null when the parts are not one number.
 */
function joinParts(text: string): string | null {
  const parts = splitParts(text).filter((part) => /[A-Z0-9]/.test(part))
  const numbers = parts.flatMap(wholeNumber)
  if (parts.length === 0 || (parts.length > 1 && numbers.length > 1)) return null
  if (parts.length === 1) return numbers[0] ?? null
  const joined = readNumber(parts.join(''))?.number
  if (joined === undefined) return null
  const pieces = parts.flatMap((part) => part.split(/[./-]+/)).filter((piece) => piece !== '')
  const hasPrefix = findPrefix(pieces[0] ?? '') !== null
  const isWritten = findFormats(joined).length > 0 && pieces.every((piece) => /[0-9]/.test(piece) || piece.length <= 4)
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
 * Finds a text that would be a container number if letters were replaced by digits that resemble them, or digits by
 * letters.
 */
function readSlip(part: string): readonly Slip[] {
  const number = part.replace(/[^A-Z0-9]/g, '')
  const corrected = digitsForLetters(number)
  if (corrected === null || findFormats(number).length > 0) return []
  if (isContainerNumber(corrected))
    return [{ kind: 'slip', number, corrected, reason: 'it has letters where digits belong' }]
  if (!/^[A-Z]{3}[UJZ]/.test(number)) return []
  const digit = containerCheckDigit(corrected.slice(0, 10))
  const reason = `letters stand where digits belong, and as ${corrected} its check digit is wrong (it would be ${digit})`
  return [{ kind: 'slip', number, corrected: null, reason }]
}

/**
 * Finds an owner code with two neighbouring letters exchanged: the code has no owner as it is, and with the letters in
 * the other order it belongs to a carrier or a leasing company and the check digit is right.
 */
function readOwnerSlip(number: string): readonly Slip[] {
  const reason = describeUnknownOwner(number)
  if (reason === null || isContainerNumber(number)) return []
  const corrections = swapOwnerLetters(number).filter((each) =>
    ['carrier', 'lessor'].includes(getOwnerCode(each.slice(0, 4)).kind),
  )
  return corrections.length === 1 ? [{ kind: 'slip', number, corrected: corrections[0] ?? null, reason }] : []
}
