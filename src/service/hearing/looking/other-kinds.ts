/**
 * Finds the other kinds of number that a request may have, when its line does not know the number as the kind that was
 * sent. Each kind comes with its subject.
 */

import { isNo, type KindOption } from '../../../core/requests/kind-search.ts'
import type { LookOutcome } from '../../../core/requests/tracking-request.ts'
import { kindOfType, type RequestType, requestTypes } from '../../../core/requests/tracking-request-state.ts'
import { parseContainerNumber, parseReferenceNumber } from '../../../core/values/identifiers.ts'
import { uuidV7 } from '../../../platform/ids.ts'
import { findShippingLine, tidyNumber } from '../../../reference/shipping-lines.ts'
import type { Db } from '../../../store/database.ts'
import type { TrackedRequest } from '../../../store/journeys/tracking-requests.ts'
import { ensureSubject } from '../../../store/looks/subjects.ts'
import { findCredential } from '../../../store/people/accounts.ts'
import { asks, tracks } from '../../knowing/shipping-lines/asked-by.ts'
import { realNow, type Service } from '../../service.ts'

/**
 * The kind that was sent comes first. Empty when there is nothing to try: the line did not say no, other kinds were
 * tried before, or the line tracks no other kind that the number can be. A request for a container is never tried as
 * another kind, because its number has a check digit.
 */
export async function kindsToTry(
  db: Db,
  service: Service,
  of: {
    readonly request: TrackedRequest
    readonly outcome: LookOutcome | null
    readonly isFiction: boolean
    readonly now: string
  },
): Promise<readonly KindOption[]> {
  const { request, outcome, isFiction, now } = of
  const { kinds, detection } = request.lifecycle
  const line = findShippingLine(request.scac)
  if (outcome === null || !isNo(outcome.kind) || request.status !== 'pending' || line === null) return []
  if (kinds !== undefined || detection !== undefined || request.requestType === 'container') return []
  const number = tidyNumber(line, request.requestNumber)
  const credential = await findCredential(db, { accountId: request.accountId, scac: line.scac, isFiction })
  if (credential === null) return []
  const others = requestTypes.filter(
    (type) =>
      type !== request.requestType && tracks(line, type) && asks(credential, type) && canBe(type, number),
  )
  if (others.length === 0) return []
  const found: KindOption[] = [
    { requestType: request.requestType, number: request.number, subjectId: request.subjectId },
  ]
  for (const requestType of others) {
    const subjectId = await ensureSubject(db, {
      id: uuidV7(service.clock.now()),
      credentialId: credential.id,
      scac: line.scac,
      kind: kindOfType[requestType],
      number,
      createdAt: now,
      // The first of the others is asked next. The plan of looks asks the rest in turn.
      dueAt: requestType === others[0] ? realNow(service) : null,
      accountId: request.accountId,
    })
    found.push({ requestType, number, subjectId })
  }
  return found
}

function canBe(type: RequestType, number: string): boolean {
  return type === 'container' ? parseContainerNumber(number).ok : parseReferenceNumber(number).ok
}
