/** A request as its line is asked: while the line is being found, as that of the candidate whose turn it is. */

import { lineAsked } from '../../core/line-detection.ts'
import type { TrackingRequestState } from '../../core/tracking-request-state.ts'
import type { TrackedRequest, TrackingRequestRow } from '../../store/tracking-requests.ts'

/** Null when nobody is asked: no line came into question. */
export function asAsked(request: TrackingRequestRow): TrackedRequest | null {
  const { detection } = request.lifecycle as TrackingRequestState
  if (detection !== undefined) {
    const asked = lineAsked(detection)
    return asked === null ? null : { ...request, ...asked }
  }
  const { scac, subjectId } = request
  return scac === null || subjectId === null ? null : { ...request, scac, subjectId }
}

export function isDetecting(request: TrackingRequestRow): boolean {
  return (request.lifecycle as TrackingRequestState).detection !== undefined
}

/** The columns of its line after a step: that of the line that knows it, or of the candidate whose turn it is now. */
export function lineColumns(
  request: TrackedRequest,
  { detection }: TrackingRequestState,
): Pick<TrackingRequestRow, 'scac' | 'number' | 'subjectId'> {
  if (detection === undefined) return request
  const { number, subjectId } = lineAsked(detection) ?? request
  return { scac: null, number, subjectId }
}
