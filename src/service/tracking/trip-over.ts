/** Whether what a line tells of a box was over when the box was asked for: another customer's trip, and no find. */

import type { LookOutcome } from '../../core/tracking-request.ts'
import type { FoldTables } from '../../store/fold-tables.ts'
import type { TrackedRequest } from '../../store/tracking-requests.ts'
import type { Fold } from '../ledger/fold.ts'
import { wasOver } from '../ledger/journey-facts.ts'
import type { LookMaterial } from './apply-look.ts'
import { readProjection, requestOf } from './project-shipment.ts'
import { standingAfter } from './standing-claims.ts'

const telling: readonly LookOutcome['kind'][] = ['found', 'known_without_data']

/**
 * Only of a box: a bill is of one trip and of one line. A line that knows the box and tells nothing of it tells of no trip
 * either. Nothing is written.
 */
export async function isTripOver(
  tables: FoldTables,
  fold: Fold,
  of: { readonly request: TrackedRequest; readonly material: LookMaterial; readonly recordedAt: string },
): Promise<boolean> {
  const { request, material, recordedAt } = of
  if (request.requestType !== 'container' || material.kind === 'no_answer') return false
  const { heard, outcome } = material
  if (outcome === null || !telling.includes(outcome.kind)) return false
  if (outcome.kind === 'known_without_data') return true
  const shipment = await readProjection(tables, fold, {
    entry: { accountId: request.accountId, recordedAt },
    scac: request.scac,
    request: requestOf(request),
    subjectIds: [request.subjectId],
    locked: null,
    standing: standingAfter(heard, request.subjectId),
  })
  return wasOver(shipment, request.createdAt, fold.rules.lifecycle)
}
