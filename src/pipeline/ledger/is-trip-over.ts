/**
 * Whether the trip that a line reports of a container was over when the container was requested. Then it is another
 * customer's trip, and the line is not the one that is searched for.
 */

import type { PollOutcome } from '../../domain/tracking-requests/tracking-request.ts'
import type { ClaimsById } from '../projection/journey-state-sql.ts'
import type { TrackedRequest } from '../projection/tracking-requests-sql.ts'
import { applyStatements } from './apply-statements.ts'
import type { Fold } from './fold.ts'
import type { PollMaterial } from './fold-poll.ts'
import { wasTrackingOver } from './journey-facts.ts'
import { findActiveClaims } from './state-rows.ts'
import { projectAt, toShipmentRequest } from './update-projection.ts'

const informativeOutcomes: readonly PollOutcome['kind'][] = ['found', 'known_without_data']

/**
 * Only for container numbers: a bill is of one trip and of one line. True also when a line knows the container and
 * states nothing of it, because then it reports no trip. `statedClaims`: the claims of the poll target before.
 */
export function isTripOver(
  fold: Fold,
  statedClaims: ClaimsById | undefined,
  of: { readonly request: TrackedRequest; readonly material: PollMaterial; readonly recordedAt: string },
): boolean {
  const { request, material, recordedAt } = of
  if (request.requestType !== 'container' || material.kind === 'no_answer') return false
  const { ingested, outcome } = material
  if (outcome === null || !informativeOutcomes.includes(outcome.kind)) return false
  if (outcome.kind === 'known_without_data') return true
  const by = { at: recordedAt, snapshotId: null, reader: '' }
  const shipment = projectAt(fold, {
    scac: request.scac,
    request: toShipmentRequest(request),
    claims: findActiveClaims(applyStatements(statedClaims ?? new Map(), ingested.change, by)),
    previous: null,
    now: recordedAt,
  })
  return wasTrackingOver(shipment, request.createdAt, fold.rules.lifecycle)
}
