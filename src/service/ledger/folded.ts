/** What folding an entry yields: the state after it, and what subscribers and the record of announcements get of it. */

import type { Change } from '../../core/change.ts'
import type { JourneyState, Yield } from '../../store/journey-state/state.ts'

export interface Folded extends Yield {
  readonly state: JourneyState
  /** What became different of the shipment, in the order in which it is announced. */
  readonly changes: readonly Change[]
}

/** Nothing is announced. */
export function foldedQuietly(state: JourneyState, at: string): Folded {
  return { state, at, changes: [], events: [], announced: [], ended: [] }
}
