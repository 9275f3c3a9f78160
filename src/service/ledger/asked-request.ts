/**
 * A request with the line that is asked for it. While the line is being detected, that is the candidate whose turn it
 * is.
 */

import { lineAsked } from '../../core/requests/line-detection.ts'
import type { RequestType, TrackingRequestState } from '../../core/requests/tracking-request-state.ts'
import type { TrackedRequest, TrackingRequestRow } from '../../store/journeys/tracking-requests.ts'

/** Null when no line is asked, because none came into question. */
export function asAsked(request: TrackingRequestRow): TrackedRequest | null {
  const { detection } = request.lifecycle
  if (detection !== undefined) {
    const asked = lineAsked(detection)
    return asked === null ? null : { ...request, ...asked }
  }
  const { scac, subjectId } = request
  return scac === null || subjectId === null ? null : { ...request, scac, subjectId }
}

export function isDetecting(request: TrackingRequestRow): boolean {
  return request.lifecycle.detection !== undefined
}

/** The kind of number that is asked for now. After the line said no to the kind that was sent, this is another kind. */
export function askedType({
  requestType,
  lifecycle,
}: Pick<TrackingRequestRow, 'requestType' | 'lifecycle'>): RequestType {
  const { kinds } = lifecycle
  return kinds?.options[kinds.asking]?.requestType ?? requestType
}

/**
 * The columns about the line after a step: of the line that knows the number, or of the candidate whose turn it is now.
 */
export function lineColumns(
  request: TrackedRequest,
  { detection, kinds }: TrackingRequestState,
): Pick<TrackingRequestRow, 'scac' | 'number' | 'subjectId'> {
  if (detection === undefined) {
    const subjectId = kinds?.options[kinds.asking]?.subjectId ?? request.subjectId
    return { scac: request.scac, number: request.number, subjectId }
  }
  const { number, subjectId } = lineAsked(detection) ?? request
  return { scac: null, number, subjectId }
}
