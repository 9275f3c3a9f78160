/** The kinds of changes between two projections of a shipment. Subscribers are notified of them. */

import type { ObservedPlace, SourceKind } from '../statements/observation.ts'
import type { EventTime } from '../values/time.ts'
import type { Milestone } from '../view/projection.ts'

interface TripReference {
  readonly number: string
  readonly trip: number
}

/** `[before, after]` of each field of the API that changed, JSON values as the API shows them. */
export type Changeset = Readonly<Record<string, readonly [unknown, unknown]>>

export type Change =
  | ({ readonly kind: 'container_created' } & TripReference)
  /** A milestone that was not there before: a new transport event. */
  | ({ readonly kind: 'milestone_reached'; readonly milestone: Milestone } & TripReference)
  /** A milestone whose time, place or vessel changed: the old row is invalidated, the new row names the old one. */
  | ({
      readonly kind: 'milestone_corrected'
      readonly before: Milestone
      readonly milestone: Milestone
    } & TripReference)
  /** A milestone that no source supports any more: the row is invalidated. */
  | ({ readonly kind: 'milestone_retracted'; readonly before: Milestone } & TripReference)
  /**
   * An estimate that is published for the first time, or that moved enough to be published again (`before`: the last
   * published).
   */
  | ({
      readonly kind: 'estimate_announced'
      readonly before: Milestone | null
      readonly milestone: Milestone
    } & TripReference)
  /** A published estimate that no longer holds (its actual came, or the plan changed). */
  | ({
      readonly kind: 'estimate_withdrawn'
      readonly before: Milestone
      readonly fulfilled: boolean
    } & TripReference)
  | ({
      readonly kind: 'container_updated'
      readonly changeset: Changeset
      readonly source: SourceKind
    } & TripReference)
  | ({
      readonly kind: 'pod_terminal_changed'
      readonly place: ObservedPlace
      readonly source: SourceKind
    } & TripReference)
  | ({
      readonly kind: 'lfd_changed'
      readonly of: 'any' | 'line' | 'terminal' | 'rail'
      readonly value: EventTime | null
      readonly source: SourceKind
    } & TripReference)
  | ({
      readonly kind: 'appointment_changed'
      readonly value: EventTime | null
      readonly source: SourceKind
    } & TripReference)
  | {
      readonly kind: 'shipment_eta_changed'
      readonly eta: EventTime
      readonly place: ObservedPlace
      readonly voyage: string | null
      readonly source: SourceKind
    }
