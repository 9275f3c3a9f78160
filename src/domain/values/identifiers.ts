/**
 * The identifiers of the trade as types that cannot hold a bad value: container number, SCAC, UN/LOCODE, IMO number,
 * bill or booking number. Text becomes one of them only in this file, so all other code may trust such a value.
 */

import { err, ok, type Result } from './result.ts'

declare const brand: unique symbol
type BrandedString<Name extends string> = string & { readonly [brand]: Name }

/** A request with `scac: TEST` has the outcome that its number names, in every installation. */
export const testScac = 'TEST'

/** ISO 6346: owner code, category, serial number, check digit; 11 characters, upper case, no blanks. */
export type ContainerNumber = BrandedString<'ContainerNumber'>
/** A number of the form of ISO 6346 whose check digit does not fit. Such containers exist, and sources name them. */
export type UnprovenContainerNumber = BrandedString<'UnprovenContainerNumber'>
/** Standard Carrier Alpha Code of an ocean carrier: exactly four upper-case letters. */
export type Scac = BrandedString<'Scac'>
/**
 * UN/LOCODE: country and place, `USLAX`. Only its shape is checked here; `src/reference` knows whether the code exists.
 */
export type UnLocode = BrandedString<'UnLocode'>
/** IMO ship identification number (IMO resolution A.1117): seven digits, the last one checks the others. */
export type ImoNumber = BrandedString<'ImoNumber'>
/** A number that a line may have given to a bill or a booking. */
export type ReferenceNumber = BrandedString<'ReferenceNumber'>

export const containerNumberReasons = [
  'empty',
  'too_long',
  'wrong_format',
  'check_digit_missing',
  'unknown_category',
  'wrong_check_digit',
] as const
export type ContainerNumberReason = (typeof containerNumberReasons)[number]
export const scacReasons = ['empty', 'too_long', 'wrong_length', 'wrong_characters'] as const
export type ScacReason = (typeof scacReasons)[number]
export const unLocodeReasons = ['empty', 'too_long', 'wrong_format'] as const
export type UnLocodeReason = (typeof unLocodeReasons)[number]
export const imoNumberReasons = ['empty', 'too_long', 'wrong_format', 'wrong_check_digit'] as const
export type ImoNumberReason = (typeof imoNumberReasons)[number]
export const referenceNumberReasons = ['empty', 'too_short', 'too_long', 'wrong_characters', 'no_digit'] as const
export type ReferenceNumberReason = (typeof referenceNumberReasons)[number]

/** Longer numbers are refused before any pattern runs on them. */
const textLengthMax = 40

/**
 * Blanks, hyphens, dots and slashes are how people write numbers (`CXRU 125502-2`). They are not part of the number.
 */
export function parseContainerNumber(text: string): Result<ContainerNumber, ContainerNumberReason> {
  const tidied = normalizeText(text)
  if (tidied === '') return err('empty')
  if (tidied.length > textLengthMax) return err('too_long')
  const number = tidied.replace(/[\s./-]/g, '')
  if (/^[A-Z]{4}[0-9]{6}$/.test(number)) return err('check_digit_missing')
  if (!/^[A-Z]{4}[0-9]{7}$/.test(number)) return err('wrong_format')
  if (!'UJZ'.includes(number.charAt(3))) return err('unknown_category')
  if (containerCheckDigit(number.slice(0, 10)) !== Number(number.charAt(10))) {
    return err('wrong_check_digit')
  }
  return ok(number as ContainerNumber)
}

/** The container that a source names (DCSA: equipmentReference). */
export interface EquipmentReference {
  readonly number: ContainerNumber | UnprovenContainerNumber
  /** `missing`: the source wrote none, and it was computed. */
  readonly checkDigit: 'right' | 'missing' | 'wrong'
}
export type EquipmentReferenceReason = Exclude<ContainerNumberReason, 'check_digit_missing' | 'wrong_check_digit'>

/** As sources write it: a check digit that is missing is computed, one that does not fit stays as it is. */
export function parseEquipmentReference(text: string): Result<EquipmentReference, EquipmentReferenceReason> {
  const whole = parseContainerNumber(text)
  if (whole.ok) return ok({ number: whole.value, checkDigit: 'right' })
  const { reason } = whole
  if (reason !== 'check_digit_missing' && reason !== 'wrong_check_digit') return err(reason)
  const written = normalizeText(text).replace(/[\s./-]/g, '')
  if (reason === 'wrong_check_digit') return ok({ number: written as UnprovenContainerNumber, checkDigit: 'wrong' })
  const completed = parseContainerNumber(`${written}${containerCheckDigit(written)}`)
  return completed.ok ? ok({ number: completed.value, checkDigit: 'missing' }) : err('unknown_category')
}

export function isContainerNumber(text: string): text is ContainerNumber {
  const parsed = parseContainerNumber(text)
  return parsed.ok && parsed.value === text
}

/**
 * The check digit of the first ten characters of a container number (ISO 6346, annex A): letters count 10 to 38
 * without the multiples of 11, position n weighs 2^n, modulo 11; a remainder of 10 is written 0. Null when the text
 * is not four letters and six digits.
 */
export function containerCheckDigit(firstTen: string): number | null {
  if (!/^[A-Z]{4}[0-9]{6}$/.test(firstTen)) return null
  let sum = 0
  for (let position = 0; position < 10; position += 1) {
    sum += computeCharacterValue(firstTen.charCodeAt(position)) * 2 ** position
  }
  return (sum % 11) % 10
}

/**
 * A swap body or semi-trailer of European road and rail (EN 13044-1): written like a container number, with A, B, D, E
 * or K as the fourth letter.
 */
export function isIluCode(text: string): boolean {
  return /^[A-Z]{3}[ABDEK][0-9]{7}$/.test(text) && containerCheckDigit(text.slice(0, 10)) === Number(text[10])
}

function computeCharacterValue(charCode: number): number {
  if (charCode < 65) return charCode - 48
  const plain = charCode - 55
  return plain + Math.floor((plain - 1) / 10)
}

/** SCACs proper have two to four letters; every ocean carrier that can be tracked has four. */
export function parseScac(text: string): Result<Scac, ScacReason> {
  const scac = normalizeText(text)
  if (scac === '') return err('empty')
  if (scac.length > textLengthMax) return err('too_long')
  if (!/^[A-Z]+$/.test(scac)) return err('wrong_characters')
  if (scac.length !== 4) return err('wrong_length')
  return ok(scac as Scac)
}

export function isScac(text: string): text is Scac {
  return /^[A-Z]{4}$/.test(text)
}

/** Accepts the blank with which UN/LOCODE is printed (`US LAX`). The digits 0 and 1 are never used in a place. */
export function parseUnLocode(text: string): Result<UnLocode, UnLocodeReason> {
  const tidied = normalizeText(text)
  if (tidied === '') return err('empty')
  if (tidied.length > textLengthMax) return err('too_long')
  const code = tidied.replace(/^([A-Z]{2}) /, '$1')
  return isUnLocode(code) ? ok(code) : err('wrong_format')
}

export function isUnLocode(text: string): text is UnLocode {
  return /^[A-Z]{2}[A-Z2-9]{3}$/.test(text)
}

/** Accepts `IMO 9321483`. IMO numbers do not begin with 0, so the placeholder 0000000 is refused. */
export function parseImoNumber(text: string): Result<ImoNumber, ImoNumberReason> {
  const tidied = normalizeText(text)
  if (tidied === '') return err('empty')
  if (tidied.length > textLengthMax) return err('too_long')
  const number = tidied.replace(/^IMO ?/, '')
  if (!/^[1-9][0-9]{6}$/.test(number)) return err('wrong_format')
  return isImoNumber(number) ? ok(number) : err('wrong_check_digit')
}

/** Each of the first six digits times its distance from the end (7 … 2); the sum's last digit is the seventh. */
export function isImoNumber(text: string): text is ImoNumber {
  if (!/^[1-9][0-9]{6}$/.test(text)) return false
  let sum = 0
  for (let position = 0; position < 6; position += 1) sum += Number(text.charAt(position)) * (7 - position)
  return sum % 10 === Number(text.charAt(6))
}

/**
 * The widest rule for the number of a bill or a booking: 4 to 40 characters of A–Z, 0–9, hyphen, dot, slash and single
 * blanks, with at least one digit. Each line's profile states which of these marks its numbers really have.
 */
export function parseReferenceNumber(text: string): Result<ReferenceNumber, ReferenceNumberReason> {
  const number = normalizeText(text)
  if (number === '') return err('empty')
  if (number.length > textLengthMax) return err('too_long')
  if (!/^[A-Z0-9./ -]+$/.test(number)) return err('wrong_characters')
  if (number.length < 4) return err('too_short')
  if (!/[0-9]/.test(number)) return err('no_digit')
  return ok(number as ReferenceNumber)
}

export function isReferenceNumber(text: string): text is ReferenceNumber {
  const parsed = parseReferenceNumber(text)
  return parsed.ok && parsed.value === text
}

/**
 * Whether all letters and digits are ASCII in a number that somebody sends us. Full-width digits and similar characters
 * only look the same, and other systems would read them as another number. Blanks, hyphens and invisible marks are
 * allowed, because they come with pasting. Numbers from lines are not checked here: `normalizeText` reads them anyway.
 */
export function isInAscii(number: string): boolean {
  const seen = removeInvisibleCharacters(number).slice(0, 4 * textLengthMax)
  return /^[\x21-\x7e]*$/.test(seen.replace(/[\s\u2010-\u2015\u2212]+/g, ''))
}

export const asciiRequirement =
  'its letters and digits must be ASCII, but it has other characters, which may look the same'

/**
 * Removes the characters that nobody sees: format characters (soft hyphens, marks of direction) and fillers. They come
 * with pasting, and no number has them, so they are removed before a length is counted.
 */
export function removeInvisibleCharacters(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) ? text : text.replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
}

/**
 * Removes the effects of pasting and typing on a number: case, full-width letters, blanks around it, double blanks,
 * characters that nobody sees. Long texts are cut then, at four times the limit: the caller's length check still
 * refuses them, and no more work is done on the rest.
 */
function normalizeText(text: string): string {
  return removeInvisibleCharacters(text)
    .slice(0, 4 * textLengthMax)
    .normalize('NFKC')
    .replace(/\s+/g, ' ')
    .trim()
    .toUpperCase()
}
