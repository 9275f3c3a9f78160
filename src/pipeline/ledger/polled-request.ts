/** A request with the line that is polled for it. While the line is being detected, that is the present candidate. */

import { polledLine } from '../../domain/tracking-requests/line-detection.ts'
import type { RequestType, TrackingRequestState } from '../../domain/tracking-requests/tracking-request-state.ts'
import type { TrackedRequest, TrackingRequestRow } from '../projection/tracking-requests-sql.ts'

/** Null when no line is polled, because there was no candidate. */
export function toPolledRequest(request: TrackingRequestRow): TrackedRequest | null {
  const { detection } = request.lifecycle
  if (detection !== undefined) {
    const candidateLine = polledLine(detection)
    return candidateLine === null ? null : { ...request, ...candidateLine }
  }
  const { scac, subjectId } = request
  return scac === null || subjectId === null ? null : { ...request, scac, subjectId }
}

export function isDetecting(request: TrackingRequestRow): boolean {
  return request.lifecycle.detection !== undefined
}

/** The kind of number that is polled now. After the line did not know the kind that was sent, this is another kind. */
export function findPolledType({
  requestType,
  lifecycle,
}: Pick<TrackingRequestRow, 'requestType' | 'lifecycle'>): RequestType {
  const { kinds } = lifecycle
  return kinds?.options[kinds.asking]?.requestType ?? requestType
}

/** The columns about the line after a step: of the line that knows the number, or of the present candidate. */
export function lineColumns(
  request: TrackedRequest,
  { detection, kinds }: TrackingRequestState,
): Pick<TrackingRequestRow, 'scac' | 'number' | 'subjectId'> {
  if (detection === undefined) {
    const subjectId = kinds?.options[kinds.asking]?.subjectId ?? request.subjectId
    return { scac: request.scac, number: request.number, subjectId }
  }
  const { number, subjectId } = polledLine(detection) ?? request
  return { scac: null, number, subjectId }
}
