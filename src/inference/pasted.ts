/**
 * What somebody means by what they paste: a number alone, a number with words around it, several, a container number with
 * letters in place of digits, or a number that no line knows. The one place for every door.
 */

import { asciiWords, containerCheckDigit, isContainerNumber } from '../core/values/identifiers.ts'
import { digitsForLetters } from '../core/values/number-slips.ts'
import { readNumber } from './number.ts'
import { findFormats, findPrefix } from './number-formats.ts'
import { cutOtherNumbers, type OtherNumber } from './other-numbers.ts'

export type Pasted =
  /** `number`: what is to be read, without the words around it; as it was sent where there are none. */
  | { readonly kind: 'number'; readonly number: string; readonly isHouseBill: boolean }
  /** Looks like a container number with a slip in it; `meant` where one number alone fits. */
  | { readonly kind: 'slip'; readonly number: string; readonly meant: string | null; readonly reason: string }
  | { readonly kind: 'several'; readonly numbers: readonly string[] }
  | { readonly kind: 'other'; readonly other: OtherNumber }
  | { readonly kind: 'none' }

const textLengthMax = 300
/** So many are named when it is asked which is meant. */
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
    // Put together from its parts it may be what no line writes.
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

/** Asks back. */
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

/** The case of a date's month is its writer's. */
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

/** What is written before a number to say what it is. */
const words =
  /(?<![A-Z0-9])(?:CONTAINERS?|CNTRS?|CTRS?|BOX(?:ES)?|UNIT|EQUIPMENT|BILL OF LADING|MASTER BILL|[MHO]?B\/L|B\.L\.|[MHO]?BL|BOL|BILL|BOOKINGS?|BKN?G|SHIPMENTS?|TRACKING|TRACK|TRACE|HOUSE|MASTER|SWB|SEA ?WAYBILL|WAYBILL|NUMBERS?|NO|NR|NUM|N°|REFERENCE|REF)(?![A-Z0-9])[.:#=]*/g

/** `1X40HC`, `40HC`, `2X20DV`: how many boxes of which size. */
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
  // What has a letter for a digit would be taken for a bill; a bill that a line writes so is one.
  const plain = numbers.filter((number) => !slips.some((slip) => slip.number === number))
  return { numbers: plain, slips }
}

/** Container numbers however they are spaced; a wrong or missing check digit leaves them one. */
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

/** One number that is written in parts, `MAEU 123456789`, `038 VH 1234567`; null when the parts are no one number. */
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

/** A number that stands by itself; of `HLCU/94405335` the part that the line of the SCAC writes. Empty for a word. */
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

/** Without the check digit that the reader completes. */
function lengthOf(part: string): number {
  return part.replace(/[^A-Z0-9]/g, '').length
}

/** Eleven characters that would be a container number but for letters that look like digits, or digits like letters. */
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
