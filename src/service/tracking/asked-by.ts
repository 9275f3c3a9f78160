/** By which kinds of number an access can be asked, and what is said where it cannot. */

import type { RequestType } from '../../core/tracking-request-state.ts'
import { findSource } from '../../sources/registry.ts'
import type { Credential } from '../../store/accounts.ts'
import type { SubjectKind } from '../../store/subjects.ts'
import { ServiceError } from '../errors.ts'

export const subjectKinds: Readonly<Record<RequestType, SubjectKind>> = {
  bill_of_lading: 'bill_of_lading',
  booking_number: 'booking',
  container: 'container',
}

/** A profile that is none is told by the look, so it is asked. */
export function asks(
  { source, profile }: Pick<Credential, 'source' | 'profile'>,
  requestType: RequestType,
): boolean {
  const ability = findSource(source)?.abilityOf(profile) ?? null
  return ability === null || ability.asksBy.includes(subjectKinds[requestType])
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
