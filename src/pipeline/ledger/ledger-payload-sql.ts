/**
 * What each kind of ledger entry contains besides its columns, as it is stored. Whoever writes or folds an entry uses
 * these shapes.
 */

import type { EventObservation, FactName, FactValues, Hand, Source } from '../../domain/statements/observation.ts'
import type { KindOption } from '../../domain/tracking-requests/kind-search.ts'
import type { CandidateLine, SearchRules } from '../../domain/tracking-requests/line-detection.ts'
import type { PollOutcome } from '../../domain/tracking-requests/tracking-request.ts'
import type { RequestType } from '../../domain/tracking-requests/tracking-request-state.ts'
import type { EventTime } from '../../domain/values/time.ts'
import type { ShipmentKey } from '../projection/journey-state-sql.ts'
import type { PreviousState } from './previous-state-sql.ts'

export interface RequestCreated {
  readonly requestType: RequestType
  readonly requestNumber: string
  readonly number: string
  /** Null when the line must be found among the candidates, which are in order, likeliest first. */
  readonly scac: string | null
  readonly candidates?: readonly CandidateLine[]
  /** Missing in older entries, from before all lines that can be polled were polled. */
  readonly search?: SearchRules
  readonly refNumbers: readonly string[]
  readonly shipmentTags: readonly string[]
  /** True when its line is not polled: the shipment is found by what the line pushes. */
  readonly isToldOf?: true
  /** Missing in entries from before there were parties and custom fields. */
  readonly customerId?: string | null
  readonly hasInitialFields?: boolean
}

interface PollEntry {
  /** Null for a second reading, which is no poll and moves no request on by itself. */
  readonly outcome: PollOutcome['kind'] | null
  /** The kinds that the number can be, when the line does not know it as the kind that was sent. */
  readonly kinds?: readonly KindOption[]
  /**
   * While the line is being found: true when the line knew the container, but no trip that was under way when the
   * request was made.
   */
  readonly isTripOver?: boolean
  /** The id of the poll in the log of polls. */
  readonly look?: string
  readonly isReread?: boolean
  /** True for a second reading that, as the operator decided, is published to nobody. */
  readonly isQuiet?: boolean
  /**
   * The shipment that the request turned out to ask for, by this poll. Missing in entries from before this was
   * recorded.
   */
  readonly opened?: Omit<ShipmentKey, 'scac'>
  /** Missing where nothing was read. */
  readonly heard?: RecordedIngestion
}

/**
 * A message through a channel, as a shipment used it. `trackingRequestId` is the request of the shipment that used it.
 */
export interface MessageIngested {
  /** Missing in entries from before there were other ways to ingest. */
  readonly via?: 'push'
  /** A second reading of what was ingested under the poll target. The other fields are those of the last delivery. */
  readonly isReread?: boolean
  /** True for a second reading that, as the operator decided, is published to nobody. */
  readonly isQuiet?: boolean
  /** Which delivery it was. */
  readonly mention: string
  /** Who stated it, and since when it is effective. By these it is compared with other claims. */
  readonly source: Source
  readonly hand: Hand
  readonly standsAt: string
  readonly deliveryKey: string
  /**
   * True when something was encrypted or withheld before it was ingested. Then the stored bytes alone do not yield what
   * was read.
   */
  readonly isSealed?: true
  /** `found`: a request that was searched for is found by it. Null: it moves no request on by itself. */
  readonly outcome: 'found' | null
  readonly opened?: Omit<ShipmentKey, 'scac'>
  readonly heard: RecordedIngestion
}

/** What a feed stated of a shipment. All of it is stored, because a feed cannot be polled again. */
export interface FeedIngested {
  readonly via: 'feed'
  readonly source: Source
  readonly observations: readonly EventObservation[]
}

/** What a person stated of a container. */
export interface PersonIngested extends ContainerStatements {
  readonly via: 'human'
  readonly source: Source
  readonly actor: Actor
  /** True when it is one change together with the user's action in the entry before it. */
  readonly isSameChange?: true
}

/**
 * What was ingested: claims by their ids. Claims that were only repeated are not stored, because they follow from the
 * others.
 */
export interface RecordedIngestion {
  /** One group for each moment at which claims were first stated. Only a second reading has more than one. */
  readonly add?: readonly {
    readonly recordedAt: string
    /** Missing where the claims are effective since they were recorded, as claims from answers are. */
    readonly standsAt?: string
    /** Missing where there was no delivery key. */
    readonly deliveryKey?: string
    readonly firstSnapshotId: string | null
    readonly goneSnapshotId: string | null
    readonly ids: readonly string[]
  }[]
  readonly retire?: readonly string[]
  readonly missing?: readonly string[]
  readonly left?: readonly string[]
  readonly issues?: readonly string[]
  /** Set for what was pushed. */
  readonly told?: RecordedMessageChange
}

export interface RecordedMessageChange {
  readonly standsAt: string
  readonly deliveryKey: string | null
  readonly overtaken: readonly string[]
  /** Claims that were repeated. `moved`: those of them that are effective by this message from now on. */
  readonly seen: readonly string[]
  readonly moved: readonly string[]
}

/** A fact as a person stated it, under the id that its claim has. */
export type PersonStatement = {
  [Name in FactName]: {
    readonly id: string
    readonly key: string
    readonly fact: Name
    readonly value: FactValues[Name]
  }
}[FactName]

/** What is stated about a container from now on, and what is no longer stated. */
export interface ContainerStatements {
  readonly containerId: string
  readonly add?: readonly PersonStatement[]
  /** Keys under which nothing is stated any more. */
  readonly withdraw?: readonly string[]
  /** As the person wrote it. */
  readonly reason?: string
}

interface Actor {
  readonly kind: string
  readonly id?: string
}

/**
 * What a user states by an action (`delivered`, `state`) is stored in an entry `heard`. Only older entries of actions
 * contain it.
 */
export type UserAction =
  | { readonly action: 'stop_tracking' }
  | { readonly action: 'resume_tracking' }
  | {
      readonly action: 'update_shipment'
      readonly refNumbers?: readonly string[]
      readonly tags?: readonly string[]
    }
  | {
      readonly action: 'update_container'
      readonly containerId: string
      readonly refNumbers?: readonly string[]
      /** Null withdraws the delivery. */
      readonly delivered?: EventTime | null
    }
  | ({ readonly action: 'state' } & ContainerStatements)
  | { readonly action: 'update_request'; readonly refNumbers: readonly string[] }

/** A ship's arrival, in entries from before arrivals were ingested like everything else. */
interface ArrivalSeen {
  /** The feed that stated it. */
  readonly feed: string
  readonly observations: readonly EventObservation[]
}

/** The merge rules of this program took a shipment over from older ones (docs/decisions/0017). */
interface ReprojectedEntry {
  readonly from: number
  readonly to: number
  readonly stood: PreviousState
  /** True when, as the operator decided, the difference is published to nobody. */
  readonly isQuiet?: boolean
}

export interface LedgerPayloads {
  readonly request_created: RequestCreated
  readonly look: PollEntry
  readonly heard: MessageIngested | FeedIngested | PersonIngested
  /**
   * `isAsked`: the line of the request can be polled by now, and is polled, under the poll target that the entry names.
   */
  readonly timer: { readonly of: 'request' | 'shipment'; readonly isAsked?: true }
  readonly user_action: UserAction & { readonly actor?: Actor }
  readonly vessel_arrival: ArrivalSeen
  readonly reprojected: ReprojectedEntry
}
