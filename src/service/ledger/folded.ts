/** What folding an entry yields: the state after it, and what subscribers and the record of announcements get of it. */

import type { Change } from '../../core/changes/change.ts'
import type { ShipmentProjection } from '../../core/shown/projection.ts'
import type { JourneyState, Yield } from '../../store/journey-state/state.ts'

export interface Folded extends Yield {
  readonly state: JourneyState
  /** What became different of the shipment, in the order in which it is announced. */
  readonly changes: readonly Change[]
  /** Which of them an event tells of, by the id of the event; those of a request tell of none. */
  readonly changeOf: ReadonlyMap<string, Change>
  /** What was made of the shipment; null where it was not projected. */
  readonly projection: ShipmentProjection | null
}

/** Nothing is announced. */
export function foldedQuietly(state: JourneyState, at: string): Folded {
  return {
    state,
    at,
    changes: [],
    changeOf: new Map(),
    projection: null,
    events: [],
    announced: [],
    ended: [],
  }
}
