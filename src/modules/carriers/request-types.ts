/** By which kinds of number an access can be polled, and the error where it cannot. */

import { findSource } from '../../connectors/source-registry.ts'
import { kindOfType, type RequestType } from '../../domain/tracking-requests/tracking-request-state.ts'
import type { ShippingLine } from '../../reference/shipping-lines.ts'
import type { Credential } from '../accounts/accounts-sql.ts'
import { ServiceError } from '../errors.ts'

/** True also when the profile is not valid: the line is polled, and the poll reports the fault. */
export function canPollBy(
  { source, profile }: Pick<Credential, 'source' | 'profile'>,
  requestType: RequestType,
): boolean {
  const ability = findSource(source)?.abilityOf(profile) ?? null
  return ability === null || ability.supportedKinds.includes(kindOfType[requestType])
}

/** Whether the line states that it can be tracked by such a number. */
export function canTrackBy(line: ShippingLine, requestType: RequestType): boolean {
  if (requestType === 'container') return line.tracksBy.container
  return requestType === 'booking_number' ? line.tracksBy.booking : line.tracksBy.billOfLading
}

export function unsupportedKind(name: string, scac: string, requestType: RequestType): ServiceError {
  return new ServiceError(
    'unsupported_number_type',
    `${name} (${scac}) cannot be tracked by ${requestTypeLabels[requestType]}.`,
    { source: { pointer: '/data/attributes/request_type' } },
  )
}

export const requestTypeLabels: Readonly<Record<RequestType, string>> = {
  bill_of_lading: 'bill of lading number',
  booking_number: 'booking number',
  container: 'container number',
}
