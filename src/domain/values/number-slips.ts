/**
 * Which container numbers a person may have intended who made one typing mistake: a wrong digit, two neighbours
 * exchanged, or a digit left out. The check digit (ISO 6346) detects nearly all such mistakes, and some ten numbers
 * that fit remain.
 */

import { type ContainerNumber, parseContainerNumber } from './identifiers.ts'

/**
 * `text` has eleven characters, or ten when one is missing. Empty for any other text, and for a number that is right.
 */
export function numbersOneSlipAway(text: string): readonly ContainerNumber[] {
  if (!/^[A-Z]{4}[0-9]{6,7}$/.test(text) || parseContainerNumber(text).ok) return []
  const tries = text.length === 10 ? withOneMore(text) : [...withAnotherDigit(text), ...withTwoExchanged(text)]
  return parseValidNumbers(tries)
}

/** With two neighbouring letters of the owner code exchanged. */
export function swapOwnerLetters(text: string): readonly ContainerNumber[] {
  return /^[A-Z]{4}[0-9]{7}$/.test(text) ? parseValidNumbers(withTwoExchanged(text).slice(0, 3)) : []
}

function parseValidNumbers(tries: readonly string[]): readonly ContainerNumber[] {
  const found = tries.flatMap((each) => {
    const parsed = parseContainerNumber(each)
    return parsed.ok ? [parsed.value] : []
  })
  return [...new Set(found)]
}

const digitsOfLetters: Readonly<Record<string, string>> = {
  O: '0',
  Q: '0',
  D: '0',
  I: '1',
  L: '1',
  Z: '2',
  S: '5',
  B: '8',
  G: '6',
}
const lettersOfDigits: Readonly<Record<string, string>> = { 0: 'O', 1: 'I', 2: 'Z', 5: 'S', 8: 'B' }

/**
 * Reads eleven characters as a container number: each letter in the serial becomes the digit that resembles it, and
 * each digit in the owner code the letter. Null when the result cannot be a number, and when nothing had to be
 * replaced.
 */
export function digitsForLetters(text: string): string | null {
  if (text.length !== 11) return null
  const owner = text.slice(0, 4).replace(/[0-9]/g, (digit) => lettersOfDigits[digit] ?? digit)
  const serial = text.slice(4).replace(/[A-Z]/g, (letter) => digitsOfLetters[letter] ?? letter)
  const corrected = `${owner}${serial}`
  return corrected === text || !/^[A-Z]{3}[UJZ][0-9]{7}$/.test(corrected) ? null : corrected
}

const digits = [...'0123456789']
const listCharacterIndexes = (text: string): readonly number[] => [...text].map((_, at) => at)

function withAnotherDigit(text: string): readonly string[] {
  return listCharacterIndexes(text)
    .slice(4)
    .flatMap((at) => digits.map((digit) => `${text.slice(0, at)}${digit}${text.slice(at + 1)}`))
}

function withTwoExchanged(text: string): readonly string[] {
  return listCharacterIndexes(text)
    .slice(1)
    .map((at) => `${text.slice(0, at - 1)}${text.charAt(at)}${text.charAt(at - 1)}${text.slice(at + 1)}`)
}

function withOneMore(text: string): readonly string[] {
  return [...listCharacterIndexes(text), text.length]
    .slice(4)
    .flatMap((at) => digits.map((digit) => `${text.slice(0, at)}${digit}${text.slice(at)}`))
}
