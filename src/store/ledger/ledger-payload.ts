/**
 * What each kind of ledger entry says beside its columns, as it is stored. Whoever writes or folds an entry uses these
 * shapes.
 */

import type { KindOption } from '../../core/requests/kind-search.ts'
import type { CandidateLine, SearchRules } from '../../core/requests/line-detection.ts'
import type { LookOutcome } from '../../core/requests/tracking-request.ts'
import type { RequestType } from '../../core/requests/tracking-request-state.ts'
import type {
  EventObservation,
  FactName,
  FactValues,
  Hand,
  Source,
} from '../../core/statements/observation.ts'
import type { EventTime } from '../../core/values/time.ts'
import type { ShipmentKey } from '../journey-state/state.ts'
import type { Stood } from './stood.ts'

export interface RequestCreated {
  readonly requestType: RequestType
  readonly requestNumber: string
  readonly number: string
  /** Null when the line must be found among the candidates, which are in order, likeliest first. */
  readonly scac: string | null
  readonly candidates?: readonly CandidateLine[]
  /** Missing in older entries, from before all lines that can be asked were asked. */
  readonly search?: SearchRules
  readonly refNumbers: readonly string[]
  readonly shipmentTags: readonly string[]
  /** True when its line is not asked: the shipment is found by what the line sends. */
  readonly isToldOf?: true
  /** Missing in entries from before there were parties and custom fields. */
  readonly customerId?: string | null
  readonly hasInitialFields?: boolean
}

interface LookTaken {
  /** Null for a second reading, which is no look and moves no request on by itself. */
  readonly outcome: LookOutcome['kind'] | null
  /** The kinds that the number can be, when the line does not know it as the kind that was sent. */
  readonly kinds?: readonly KindOption[]
  /**
   * While the line is being found: true when the line knew the box, but no trip that was under way when the request was
   * made.
   */
  readonly isTripOver?: boolean
  /** The id of the look in the log of looks. */
  readonly look?: string
  readonly isReread?: boolean
  /** True for a second reading that, by the operator's wish, is announced to nobody. */
  readonly isQuiet?: boolean
  /**
   * The shipment that the request turned out to ask for, by this look. Missing in entries from before this was
   * recorded.
   */
  readonly opened?: Omit<ShipmentKey, 'scac'>
  /** Missing where nothing was read. */
  readonly heard?: RecordedHearing
}

/**
 * A message through a channel, as a shipment used it. `trackingRequestId` is the request of the shipment that used it.
 */
export interface MessageHeard {
  /** Missing in entries from before there were other ways of hearing. */
  readonly via?: 'push'
  /** A second reading of what was heard under the subject. The other fields are those of the last delivery. */
  readonly isReread?: boolean
  /** True for a second reading that, by the operator's wish, is announced to nobody. */
  readonly isQuiet?: boolean
  /** Which delivery it was. */
  readonly mention: string
  /** Who said it, and since when it stands. By these it is compared with other claims. */
  readonly source: Source
  readonly hand: Hand
  readonly standsAt: string
  readonly deliveryKey: string
  /**
   * True when something was sealed or withheld before it was heard. Then the kept bytes alone do not yield what was
   * read.
   */
  readonly isSealed?: true
  /** `found`: a request that was searched for is found by it. Null: it moves no request on by itself. */
  readonly outcome: 'found' | null
  readonly opened?: Omit<ShipmentKey, 'scac'>
  readonly heard: RecordedHearing
}

/** What a feed said of a shipment. All that was seen is stored, because a feed cannot be asked again. */
export interface FeedHeard {
  readonly via: 'feed'
  readonly source: Source
  readonly observations: readonly EventObservation[]
}

/** What a person said of a container. */
export interface PersonHeard extends Words {
  readonly via: 'human'
  readonly source: Source
  readonly actor: Actor
  /** True when it is one change together with the user's action in the entry before it. */
  readonly isSameChange?: true
}

/**
 * What was heard: claims by their ids. Claims that were only repeated are not stored, because they follow from the
 * others.
 */
export interface RecordedHearing {
  /** One group for each moment at which claims were first said. Only a second reading has more than one. */
  readonly add?: readonly {
    readonly recordedAt: string
    /** Missing where the claims stand since they were recorded, as claims from answers do. */
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
  /** Set for what came unasked. */
  readonly told?: RecordedTelling
}

export interface RecordedTelling {
  readonly standsAt: string
  readonly deliveryKey: string | null
  readonly overtaken: readonly string[]
  /** Claims that were repeated. `moved`: those of them that stand by this message from now on. */
  readonly seen: readonly string[]
  readonly moved: readonly string[]
}

/** A fact as a person stated it, under the id that its claim has. */
export type PersonsWord = {
  [Name in FactName]: {
    readonly id: string
    readonly key: string
    readonly fact: Name
    readonly value: FactValues[Name]
  }
}[FactName]

/** What is stated about a container from now on, and what is no longer stated. */
export interface Words {
  readonly containerId: string
  readonly add?: readonly PersonsWord[]
  /** Keys under which nothing is stated any more. */
  readonly withdraw?: readonly string[]
  /** In the person's own words. */
  readonly reason?: string
}

interface Actor {
  readonly kind: string
  readonly id?: string
}

/**
 * What a user states by an action (`delivered`, `state`) is stored in an entry `heard`. Only older entries of actions
 * have it.
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
      /** Null takes the delivery back. */
      readonly delivered?: EventTime | null
    }
  | ({ readonly action: 'state' } & Words)
  | { readonly action: 'update_request'; readonly refNumbers: readonly string[] }

/** A ship's arrival, in entries from before arrivals were heard like everything else. */
interface ArrivalSeen {
  /** The feed that said so. */
  readonly feed: string
  readonly observations: readonly EventObservation[]
}

/** The merge rules of this program took a shipment over from older ones (docs/decisions/0017). */
interface Reprojected {
  readonly from: number
  readonly to: number
  readonly stood: Stood
  /** True when, by the operator's wish, the difference is announced to nobody. */
  readonly isQuiet?: boolean
}

export interface LedgerPayloads {
  readonly request_created: RequestCreated
  readonly look: LookTaken
  readonly heard: MessageHeard | FeedHeard | PersonHeard
  /** `isAsked`: the line of the request can be asked by now, and is asked, under the subject that the entry names. */
  readonly timer: { readonly of: 'request' | 'shipment'; readonly isAsked?: true }
  readonly user_action: UserAction & { readonly actor?: Actor }
  readonly vessel_arrival: ArrivalSeen
  readonly reprojected: Reprojected
}
