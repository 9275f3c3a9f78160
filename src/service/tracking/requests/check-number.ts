/**
 * Whether the text can be a number of this kind at all. Returns it in the spelling in which it is asked for; a refusal
 * says what is wrong.
 */

import type { RequestType } from '../../../core/requests/tracking-request-state.ts'
import {
  asciiWords,
  isInAscii,
  parseContainerNumber,
  parseReferenceNumber,
} from '../../../core/values/identifiers.ts'
import { type ShippingLine, tidyNumber } from '../../../reference/shipping-lines.ts'
import { refusedAt, type ServiceError } from '../../errors.ts'
import { kindInWords } from '../../knowing/shipping-lines/asked-by.ts'

export function checkNumber(
  input: { readonly requestType: RequestType; readonly requestNumber: string },
  line: ShippingLine | null,
): string {
  if (!isInAscii(input.requestNumber)) throw invalidNumber(kindInWords[input.requestType], 'not_in_ascii')
  const tidied = tidyNumber(line, input.requestNumber)
  const isTestNumber = line === null && tidied.startsWith('TEST-')
  if (input.requestType === 'container' && !isTestNumber) {
    const parsed = parseContainerNumber(tidied)
    if (!parsed.ok) throw invalidNumber('container number', parsed.reason)
    return parsed.value
  }
  if (isTestNumber) return tidied
  const parsed = parseReferenceNumber(tidied)
  if (!parsed.ok) throw invalidNumber(kindInWords[input.requestType], parsed.reason)
  return parsed.value
}

const reasonsInWords: Readonly<Record<string, string>> = {
  empty: 'it is empty',
  too_long: 'it is too long',
  too_short: 'it is too short',
  wrong_format: 'it must be four letters and seven digits (ISO 6346)',
  check_digit_missing: 'its check digit is missing',
  unknown_category: 'its fourth letter must be U, J or Z (ISO 6346)',
  wrong_check_digit: 'its check digit is wrong (ISO 6346)',
  wrong_characters: 'it has characters that no such number has',
  no_digit: 'it has no digit',
  not_in_ascii: asciiWords,
}

export function invalidNumber(what: string, reason: string): ServiceError {
  return refusedAt(
    '/data/attributes/request_number',
    `This is no ${what}: ${reasonsInWords[reason] ?? reason}.`,
  )
}
