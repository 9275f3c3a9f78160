/**
 * Whether the trip that a line reports of a box was over when the box was asked for. Then it is another customer's
 * trip, and the line is not the one that is searched for.
 */

import type { LookOutcome } from '../../core/requests/tracking-request.ts'
import type { SaidClaims } from '../../store/journey-state/state.ts'
import type { TrackedRequest } from '../../store/journeys/tracking-requests.ts'
import type { Fold } from './fold.ts'
import type { LookMaterial } from './fold-look.ts'
import { wasOver } from './journey-facts.ts'
import { projectAt, requestOf } from './project.ts'
import { standingClaims } from './state-rows.ts'
import { takeIn } from './take-in.ts'

const telling: readonly LookOutcome['kind'][] = ['found', 'known_without_data']

/**
 * Only for container numbers: a bill is of one trip and of one line. True also when a line knows the box and says
 * nothing of it, because then it reports no trip. `said`: what stood under the subject before.
 */
export function isTripOver(
  fold: Fold,
  said: SaidClaims | undefined,
  of: { readonly request: TrackedRequest; readonly material: LookMaterial; readonly recordedAt: string },
): boolean {
  const { request, material, recordedAt } = of
  if (request.requestType !== 'container' || material.kind === 'no_answer') return false
  const { heard, outcome } = material
  if (outcome === null || !telling.includes(outcome.kind)) return false
  if (outcome.kind === 'known_without_data') return true
  const by = { at: recordedAt, snapshotId: null, reader: '' }
  const shipment = projectAt(fold, {
    scac: request.scac,
    request: requestOf(request),
    claims: standingClaims(takeIn(said ?? new Map(), heard.change, by)),
    previous: null,
    now: recordedAt,
  })
  return wasOver(shipment, request.createdAt, fold.rules.lifecycle)
}
