/** What each kind of ledger entry says beside its columns, as it is kept: whoever writes or folds one goes by these shapes. */

import type { KindOption } from '../core/kind-search.ts'
import type { CandidateLine, SearchRules } from '../core/line-detection.ts'
import type { EventObservation, FactName, FactValues, Hand, Source } from '../core/observation.ts'
import type { EventTime } from '../core/time.ts'
import type { LookOutcome } from '../core/tracking-request.ts'
import type { RequestType } from '../core/tracking-request-state.ts'
import type { ShipmentKey } from './journey-state/state.ts'
import type { Stood } from './stood.ts'

export interface RequestCreated {
  readonly requestType: RequestType
  readonly requestNumber: string
  readonly number: string
  /** Null when the line is to be found among the candidates, the likeliest first. */
  readonly scac: string | null
  readonly candidates?: readonly CandidateLine[]
  /** Not in entries from before all lines with a way in were asked. */
  readonly search?: SearchRules
  readonly refNumbers: readonly string[]
  readonly shipmentTags: readonly string[]
  /** Its line is not asked: it is found by what the line sends. */
  readonly isToldOf?: true
  /** Not in entries from before there were parties and custom fields. */
  readonly customerId?: string | null
  readonly hasInitialFields?: boolean
}

interface LookTaken {
  /** Null: a second reading, which is no look and moves no request on by itself. */
  readonly outcome: LookOutcome['kind'] | null
  /** What was found out beside the answer, when it was a no. */
  readonly kinds?: readonly KindOption[]
  /** While the line is being found: it told of the box, and of no trip that was under way when it was asked for. */
  readonly isTripOver?: boolean
  /** Its id in the log of looks. */
  readonly look?: string
  readonly isReread?: boolean
  /** A second reading of which, by the operator's wish, nobody hears. */
  readonly isQuiet?: boolean
  /** The shipment that the request turned out to ask for, by this look. Not in entries from before it was kept. */
  readonly opened?: Omit<ShipmentKey, 'scac'>
  /** Missing where nothing was read. */
  readonly heard?: RecordedHearing
}

/** What came unasked through a channel, as a shipment heard it; `trackingRequestId` is the request of it that did. */
export interface MessageHeard {
  /** Missing in entries from before there were other ways of hearing. */
  readonly via?: 'push'
  /** A second reading of what was heard under the subject; the rest is of the last delivery. */
  readonly isReread?: boolean
  /** A second reading of which, by the operator's wish, nobody hears. */
  readonly isQuiet?: boolean
  /** Which delivery it was. */
  readonly mention: string
  /** Who spoke, and when: what it is compared with others by. */
  readonly source: Source
  readonly hand: Hand
  readonly standsAt: string
  readonly deliveryKey: string
  /** Something was sealed or withheld before it was heard: what was read cannot be had from the kept bytes alone. */
  readonly isSealed?: true
  /** `found`: a request that was searched for is found by it; null: it moves no request on by itself. */
  readonly outcome: 'found' | null
  readonly opened?: Omit<ShipmentKey, 'scac'>
  readonly heard: RecordedHearing
}

/** What a feed told of a shipment. Everything that was seen, for a feed can't be asked again. */
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
  /** Of one change with the entry of the user's action before it. */
  readonly isSameChange?: true
}

/** Claims by their ids. Those that are merely repeated follow from the others. */
export interface RecordedHearing {
  /** One group for each moment at which claims were first said; only a second reading has several. */
  readonly add?: readonly {
    readonly recordedAt: string
    /** Missing where they stand since they were recorded, as what was asked for does. */
    readonly standsAt?: string
    /** Missing where there was none. */
    readonly deliveryKey?: string
    readonly firstSnapshotId: string | null
    readonly goneSnapshotId: string | null
    readonly ids: readonly string[]
  }[]
  readonly retire?: readonly string[]
  readonly missing?: readonly string[]
  readonly left?: readonly string[]
  readonly issues?: readonly string[]
  /** Of what came unasked. */
  readonly told?: RecordedTelling
}

export interface RecordedTelling {
  readonly standsAt: string
  readonly deliveryKey: string | null
  readonly overtaken: readonly string[]
  /** Repeated; `moved` are those of them that stand by this message from now on. */
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

/** What is stated of a container from now on, and what is not any more. */
export interface Words {
  readonly containerId: string
  readonly add?: readonly PersonsWord[]
  /** Keys under which nothing is said any more. */
  readonly withdraw?: readonly string[]
  /** In the person's own words. */
  readonly reason?: string
}

interface Actor {
  readonly kind: string
  readonly id?: string
}

/** What is said by it (`delivered`, `state`) is heard; entries of a user's action say it only from before that. */
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
      /** Null takes it back. */
      readonly delivered?: EventTime | null
    }
  | ({ readonly action: 'state' } & Words)
  | { readonly action: 'update_request'; readonly refNumbers: readonly string[] }

/** A ship's arrival, in entries from before it was heard like all else. */
interface ArrivalSeen {
  /** Which feed told of it. */
  readonly feed: string
  readonly observations: readonly EventObservation[]
}

/** The merge rules of this program took a shipment over from older ones. */
interface Reprojected {
  readonly from: number
  readonly to: number
  readonly stood: Stood
  /** By the operator's wish nobody hears of the difference. */
  readonly isQuiet?: boolean
}

export interface LedgerPayloads {
  readonly request_created: RequestCreated
  readonly look: LookTaken
  readonly heard: MessageHeard | FeedHeard | PersonHeard
  /** `isAsked`: its line can be asked by now, and is, under the subject that the entry names. */
  readonly timer: { readonly of: 'request' | 'shipment'; readonly isAsked?: true }
  readonly user_action: UserAction & { readonly actor?: Actor }
  readonly vessel_arrival: ArrivalSeen
  readonly reprojected: Reprojected
}
