/** What is wrong with a number that is meant as a container's, in words: so that a typing mistake is not told as `not found`. */

import { containerCheckDigit } from '../../core/identifiers.ts'
import { readNumber } from '../../inference/number.ts'
import { tidyNumber } from '../../reference/shipping-lines.ts'

/** Null for what is right, and for what is no container number at all. */
export function containerNumberSlip(raw: string): string | null {
  const reading = readNumber(raw)
  if (reading?.kind !== 'container' || reading.checkDigit === 'passed') return null
  const number = tidyNumber(null, raw).replaceAll('/', '')
  const right = rightNumber(reading.number)
  return reading.checkDigit === 'completed'
    ? `${number} is no whole container number: its check digit is missing (ISO 6346). With it, it is ${right}.`
    : `${number} is no container number: its check digit is wrong (ISO 6346), so there is a typing mistake in it. If only the last digit is wrong, it is ${right}; look at the others as well.`
}

function rightNumber(number: string): string {
  const firstTen = number.slice(0, 10)
  return `${firstTen}${containerCheckDigit(firstTen) ?? ''}`
}
