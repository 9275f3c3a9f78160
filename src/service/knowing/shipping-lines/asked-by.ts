/** By which kinds of number an access can be asked, and the error where it cannot. */

import { kindOfType, type RequestType } from '../../../core/requests/tracking-request-state.ts'
import type { ShippingLine } from '../../../reference/shipping-lines.ts'
import { findSource } from '../../../sources/registry.ts'
import type { Credential } from '../../../store/people/accounts.ts'
import { ServiceError } from '../../errors.ts'

/** True also when the profile is not valid: the line is asked, and the look reports the fault. */
export function asks(
  { source, profile }: Pick<Credential, 'source' | 'profile'>,
  requestType: RequestType,
): boolean {
  const ability = findSource(source)?.abilityOf(profile) ?? null
  return ability === null || ability.asksBy.includes(kindOfType[requestType])
}

/** Whether the line says that it can be tracked by such a number. */
export function tracks(line: ShippingLine, requestType: RequestType): boolean {
  if (requestType === 'container') return line.tracksBy.container
  return requestType === 'booking_number' ? line.tracksBy.booking : line.tracksBy.billOfLading
}

export function unsupportedKind(name: string, scac: string, requestType: RequestType): ServiceError {
  return new ServiceError(
    'unsupported_number_type',
    `${name} (${scac}) cannot be tracked by ${kindInWords[requestType]}.`,
    { source: { pointer: '/data/attributes/request_type' } },
  )
}

export const kindInWords: Readonly<Record<RequestType, string>> = {
  bill_of_lading: 'bill of lading number',
  booking_number: 'booking number',
  container: 'container number',
}
