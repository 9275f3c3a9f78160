/**
 * Which container numbers somebody may have meant who made one typing mistake: another digit, two neighbours exchanged, or a
 * digit left out. The check digit (ISO 6346) tells nearly all such mistakes, and leaves some ten numbers that fit.
 */

import { type ContainerNumber, parseContainerNumber } from './identifiers.ts'

/** Eleven characters, or ten where one is missing; empty for anything else, and for a number that is right. */
export function numbersOneSlipAway(text: string): readonly ContainerNumber[] {
  if (!/^[A-Z]{4}[0-9]{6,7}$/.test(text) || parseContainerNumber(text).ok) return []
  const tries =
    text.length === 10 ? withOneMore(text) : [...withAnotherDigit(text), ...withTwoExchanged(text)]
  const found = tries.flatMap((each) => {
    const parsed = parseContainerNumber(each)
    return parsed.ok ? [parsed.value] : []
  })
  return [...new Set(found)]
}

const digits = [...'0123456789']
const places = (text: string): readonly number[] => [...text].map((_, at) => at)

function withAnotherDigit(text: string): readonly string[] {
  return places(text)
    .slice(4)
    .flatMap((at) => digits.map((digit) => `${text.slice(0, at)}${digit}${text.slice(at + 1)}`))
}

function withTwoExchanged(text: string): readonly string[] {
  return places(text)
    .slice(1)
    .map((at) => `${text.slice(0, at - 1)}${text.charAt(at)}${text.charAt(at - 1)}${text.slice(at + 1)}`)
}

function withOneMore(text: string): readonly string[] {
  return [...places(text), text.length]
    .slice(4)
    .flatMap((at) => digits.map((digit) => `${text.slice(0, at)}${digit}${text.slice(at)}`))
}
