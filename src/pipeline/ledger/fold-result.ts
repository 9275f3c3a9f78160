/** What folding an entry yields: the state after it, and what subscribers and the record of publications get of it. */

import type { Change } from '../../domain/changes/change.ts'
import type { ShipmentProjection } from '../../domain/view/projection.ts'
import type { EntryYield, JourneyState } from '../projection/journey-state-sql.ts'

export interface FoldResult extends EntryYield {
  readonly state: JourneyState
  /** The changes of the shipment, in the order in which they are published. */
  readonly changes: readonly Change[]
  /** The change that each event reports, by the id of the event. Events of a request report none. */
  readonly changeOf: ReadonlyMap<string, Change>
  /** The new projection of the shipment; null when it was not projected. */
  readonly projection: ShipmentProjection | null
}

/** The result of a fold that publishes nothing. */
export function toUnpublishedResult(state: JourneyState, at: string): FoldResult {
  return {
    state,
    at,
    changes: [],
    changeOf: new Map(),
    projection: null,
    events: [],
    published: [],
    ended: [],
  }
}
