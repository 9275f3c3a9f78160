/**
 * Whether the text can be a number of this kind at all. Returns it in the spelling in which it is polled; a refusal
 * explains the fault.
 */

import type { RequestType } from '../../domain/tracking-requests/tracking-request-state.ts'
import {
  asciiRequirement,
  isInAscii,
  parseContainerNumber,
  parseReferenceNumber,
} from '../../domain/values/identifiers.ts'
import { describeUnknownOwner } from '../../inference/owner-codes.ts'
import { withCorrectCheckDigit } from '../../inference/validation.ts'
import { compactNumber, type ShippingLine } from '../../reference/shipping-lines.ts'
import { requestTypeLabels } from '../carriers/request-types.ts'
import { ServiceError, suggestion } from '../errors.ts'

export function checkNumber(
  input: { readonly requestType: RequestType; readonly requestNumber: string },
  line: ShippingLine | null,
): string {
  if (!isInAscii(input.requestNumber)) throw invalidNumber(requestTypeLabels[input.requestType], 'not_in_ascii')
  const tidied = compactNumber(line, input.requestNumber)
  const isTestNumber = line === null && tidied.startsWith('TEST-')
  if (input.requestType === 'container' && !isTestNumber) {
    const parsed = parseContainerNumber(tidied)
    if (!parsed.ok) {
      if (parsed.reason !== 'wrong_check_digit') throw invalidNumber('container number', parsed.reason)
      const number = tidied.replaceAll('/', '')
      throw invalidNumber('container number', parsed.reason, {
        more: describeUnknownOwner(tidied),
        suggestedNumber: withCorrectCheckDigit(number),
      })
    }
    return parsed.value
  }
  if (isTestNumber) return tidied
  const parsed = parseReferenceNumber(tidied)
  if (!parsed.ok) throw invalidNumber(requestTypeLabels[input.requestType], parsed.reason)
  return parsed.value
}

const reasonTexts: Readonly<Record<string, string>> = {
  empty: 'it is empty',
  too_long: 'it is too long',
  too_short: 'it is too short',
  wrong_format: 'it must be four letters and seven digits (ISO 6346)',
  check_digit_missing: 'its check digit is missing',
  unknown_category: 'its fourth letter must be U, J or Z (ISO 6346)',
  wrong_check_digit: 'its check digit is wrong (ISO 6346)',
  wrong_characters: 'it has characters that no such number has',
  no_digit: 'it has no digit',
  not_in_ascii: asciiRequirement,
}

/** `more`: a second reason as text. `suggestedNumber`: the number that was probably intended. */
export function invalidNumber(
  what: string,
  reason: string,
  { more = null, suggestedNumber = null }: { more?: string | null; suggestedNumber?: string | null } = {},
): ServiceError {
  const reasons = [reasonTexts[reason] ?? reason, ...(more === null ? [] : [more])].join(', and ')
  return new ServiceError('invalid', `This is no ${what}: ${reasons}.`, {
    source: { pointer: '/data/attributes/request_number' },
    ...suggestion(suggestedNumber),
  })
}
