/**
 * What the ledger yields of some shipments and the requests for them, of one account, as rows in memory: all that a fold
 * reads and writes. `load.ts` brings it from the database, `save.ts` writes what became different.
 */

import type { KeptClaim } from '../journeys/claims.ts'
import type { DomainEvent } from '../journeys/domain-events.ts'
import type { KeptIssue } from '../journeys/issues.ts'
import type { ContainerRow, ShipmentRow } from '../journeys/shipments.ts'
import type { TrackingRequestRow } from '../journeys/tracking-requests.ts'
import type { TransportEventRow } from '../journeys/transport-events.ts'

/** Never changed in place: a row that is the same object is the same row, so saving it costs nothing. */
export interface JourneyState {
  readonly accountId: string
  readonly requests: ReadonlyMap<string, TrackingRequestRow>
  readonly shipments: ReadonlyMap<string, ShipmentState>
  /** What was said under a subject, by the id of the subject. Not there where it was not read. */
  readonly subjects: ReadonlyMap<string, SaidClaims>
  /** As they were counted since the state was loaded: the rows on record are added to. */
  readonly issues: ReadonlyMap<string, KeptIssue>
  /** Which shipments that are not here are known not to be: these ids, or all others. */
  readonly absent: ReadonlySet<string> | 'others'
}

export interface ShipmentState {
  readonly row: ShipmentRow
  /** In order of number and trip. */
  readonly containers: readonly ContainerRow[]
  /** What was announced and stands. */
  readonly standing: readonly Standing[]
  /** What came unasked, and what users and ships' positions say of it. */
  readonly claims: SaidClaims
}

/** By id: those that stand, and those that ceased to while the state was folded. */
export type SaidClaims = ReadonlyMap<string, WrittenClaim>

export interface WrittenClaim extends KeptClaim {
  /** What read it, e.g. `dcsa/3+1f00aa22`. */
  readonly reader: string
}

/** A transport event that stands, as far as a correction needs to know it. */
export interface Standing {
  readonly id: string
  readonly containerId: string
  readonly event: string
  readonly callKey: string
}

/** What one entry yielded beside the rows that it changed. */
export interface Yield {
  /** When it was recorded, ISO instant on the journey clock. */
  readonly at: string
  /** In the order in which subscribers hear of them. */
  readonly events: readonly DomainEvent[]
  /** Transport events announced by it. */
  readonly announced: readonly TransportEventRow[]
  /** Ids of transport events that stood before it and no longer do. */
  readonly ended: readonly string[]
}

/** The shipment that a number is of: its id is made of line and number, so that all who ask for them meet in one. */
export interface ShipmentKey {
  readonly id: string
  readonly scac: string
  readonly billOfLadingNumber: string
  readonly normalizedNumber: string
}
