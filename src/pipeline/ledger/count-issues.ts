/** Counts what could not be read or believed. An issue that the same answer or shipment had before counts up. */

import type { Issue, StoredIssue } from '../projection/issues-sql.ts'
import type { JourneyState } from '../projection/journey-state-sql.ts'

export function addIssuesToState(
  state: JourneyState,
  counted: readonly Issue[],
  of: Pick<StoredIssue, 'scac' | 'subjectId' | 'trackingRequestId' | 'shipmentId' | 'snapshotId'>,
  at: string,
): JourneyState {
  if (counted.length === 0) return state
  const issues = new Map(state.issues)
  // What comes twice in one reading is counted once.
  for (const issue of new Map(counted.map((each) => [each.id, each])).values()) {
    const known = issues.get(issue.id) ?? { ...of, times: 0, firstAt: at }
    const { trackingRequestId } = of
    issues.set(issue.id, { ...known, ...issue, trackingRequestId, times: known.times + 1, lastAt: at })
  }
  return { ...state, issues }
}
