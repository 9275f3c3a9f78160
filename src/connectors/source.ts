/**
 * The contract of every source. Polling (`fetch`) is separate from reading (`read`), so that an answer can be stored as
 * it came, and read again when a reader is corrected.
 */

import type { RequestLimits } from '../domain/polling/request-budget.ts'
import type { Observation } from '../domain/statements/observation.ts'
import type { EventCounts } from '../domain/tracking-requests/event-counts.ts'
import type { Result } from '../domain/values/result.ts'
import type { EgressRequest, EgressResult } from '../platform/egress.ts'
import type { SourceIssue, StatedCode } from './source-issue.ts'

export const numberKinds = ['container', 'bill_of_lading', 'booking'] as const
export type NumberKind = (typeof numberKinds)[number]

/** The question: one number at one line. */
export interface PollRequest {
  readonly scac: string
  readonly kind: NumberKind
  readonly number: string
  /**
   * ISO instant. A source that supports it is polled only for statements since then; other sources are polled for
   * everything.
   */
  readonly createdSince?: string
  /** ISO instant: when this number was first polled. */
  readonly firstRequestedAt?: string
  /**
   * ETag of the last answer. If the profile states that the source supports it, the source sends a new answer only when
   * the ETag has changed.
   */
  readonly etag?: string | null
}

/** How a source is polled: facts about it, and the operator's own secrets by name. */
export interface SourceAccess<Profile> {
  readonly profile: Profile
  readonly secrets: Readonly<Record<string, string>>
}

/**
 * What a source answered, verbatim. An answer of several pages is framed (`pages.ts`), the bytes of each page
 * unchanged.
 */
export interface RawSnapshot {
  readonly status: number
  readonly contentType: string | null
  readonly body: Buffer
  /** ISO instant. */
  readonly fetchedAt: string
}

export const unreachableReasons = [
  /** No complete answer in time. */
  'timeout',
  /** No connection, no DNS entry, or a broken answer. */
  'network',
  /** The guard of outgoing requests refused to send the request. */
  'refused',
  /** The rate limits of the profile had no capacity for the request in time. */
  'no_leave',
  /** The operator's access data are incomplete, or the token server gave no token for them. */
  'no_access',
  /** The profile states that this source cannot be polled by this kind of number. */
  'unsupported_kind',
  /** The stored profile is invalid. */
  'bad_profile',
] as const
export type UnreachableReason = (typeof unreachableReasons)[number]

export interface QueueMessage {
  /** The queue's own id of the message; null where the queue gives none. */
  readonly id: string | null
  /**
   * The address to which the delete request goes; null where reading a message also deletes it. Never shown: it may
   * contain a key.
   */
  readonly lock: string | null
}

/** Every HTTP answer is `answered`, 500 and 429 too: the answer is stored, and `read` decides its meaning. */
export type FetchResult =
  | {
      readonly kind: 'answered'
      readonly snapshot: RawSnapshot
      readonly durationMs: number
      /** The pause that the source requests before the next request (Retry-After). */
      readonly retryAfterMs: number | null
      readonly url: string
      /** ETag of an answer of one page; null where it has none, or the source does not support ETags in requests. */
      readonly etag?: string | null
      /** HTTP 304: nothing new since the answer with the ETag that was sent. */
      readonly isUnchanged?: true
      /** Messages received from a queue, one for each page. They are first stored here, then deleted from the queue. */
      readonly messages?: readonly QueueMessage[] | undefined
      /** Numbers that were published with this request. The next request need not publish them again. */
      readonly published?: readonly string[]
    }
  | {
      readonly kind: 'unreachable'
      readonly reason: UnreachableReason
      readonly detail: string
      readonly durationMs: number
      readonly retryAfterMs: number | null
      /** Status of the token server, when it was the one that refused. */
      readonly statusCode: number | null
      readonly url: string
    }

export const answerOutcomes = [
  /** At least one transport or equipment event, past or expected, about the polled number. */
  'found',
  /** The source knows the number, but gives no event of a container. */
  'known_without_data',
  'not_found',
  /** The polled booking, or every booking of the bill, is cancelled. */
  'cancelled',
  /** The source does not answer this question: wrong kind or shape of number (400, 422). */
  'question_refused',
  /** The source does not accept our access (401, 403). */
  'access_denied',
  /** Not a usable answer: a login page, HTML, broken JSON. */
  'unrecognized',
  /** The answer is only about another bill or another container. */
  'other_number',
  /** The source answered that it cannot answer now (408, 429, 500 and above). */
  'unreachable',
] as const
export type AnswerOutcome = (typeof answerOutcomes)[number]

/**
 * The statements of a snapshot. It is a pure function of snapshot, request and profile, so it can be computed again at
 * any time.
 */
export interface Reading {
  readonly outcome: AnswerOutcome
  /** Each observation has its own key. Ordered by key. */
  readonly observations: readonly Observation[]
  readonly issues: readonly SourceIssue[]
  /** The sender's own codes, mapped and unmapped; absent where the language has none, or none was stated. */
  readonly codes?: readonly StatedCode[]
  /** Ids that the source withdraws. Each id covers all keys for which `isKeyOf` is true. */
  readonly withdrawn: readonly string[]
  /**
   * True when everything that is missing here is no longer stated: a valid, complete answer of a source that always
   * sends everything.
   */
  readonly statedFullPicture: boolean
  readonly about: About
  /** How many events of the answer are understood; `noEventCounts` where there are no events to count. */
  readonly events: EventCounts
}

/** Numbers that the answer names, sorted. */
export interface About {
  readonly billNumbers: readonly string[]
  readonly bookingNumbers: readonly string[]
  readonly equipment: readonly string[]
}

export interface FetchContext {
  /**
   * Address to which the source may deliver what we subscribe to; null where the operator has not set our public
   * address.
   */
  readonly inboundUrl?: string | null
  readonly egress: { readonly request: (request: EgressRequest) => Promise<EgressResult> }
  /**
   * Called before each request to the source itself, page after page. False when the rate limits have no capacity for
   * the request in time; the request is then not sent. Absent where nothing is limited. Requests to a token server do
   * not count.
   */
  readonly requestPermit?: (place?: 'source' | 'queue') => Promise<boolean>
  /** The real clock, ms since 1970: the lifetime of tokens depends on it. */
  readonly now: () => number
}

/** What the profile of a source allows: requests in each window, and the number of questions at the same time. */
export interface PollLimits extends RequestLimits {
  readonly concurrency: number
}

/**
 * The kinds of numbers by which a source can be polled, and the data that it can give, according to its profile. A
 * carrier may still leave some out.
 */
export interface Ability {
  readonly supportedKinds: readonly NumberKind[]
  /** Every call costs money, refused calls too. */
  readonly isBilled: boolean
  /** True when somebody has seen it work with the source itself; otherwise it is only assumed. */
  readonly isVerified: boolean
  readonly provides: {
    readonly weight: boolean
    readonly sealNumber: boolean
    readonly equipmentType: boolean
    readonly departuresAndArrivals: boolean
    readonly timeOfDay: boolean
  }
}

export interface Source<Profile> {
  readonly name: string
  /** Version of the reader. It is raised whenever the same snapshot may give other observations. */
  readonly version: number
  parseProfile(value: unknown): Result<Profile, string>
  /** The names of the secrets that an operator must give; none for an invalid profile. */
  secretNames(profile: Profile): readonly string[]
  /** Null where nothing is limited, and for an invalid profile. */
  limitsOf(profile: Profile): PollLimits | null
  /** Null for an invalid profile. */
  abilityOf(profile: Profile): Ability | null
  /** Never rejects. */
  fetch(request: PollRequest, access: SourceAccess<Profile>, context: FetchContext): Promise<FetchResult>
  /** Never throws, whatever the bytes. */
  read(snapshot: RawSnapshot, request: PollRequest, profile: Profile): Reading
}

/** Distinguishes several statements with the same id, one for each container that an event names. */
export function observationKeyOf(id: string, equipment: string | null): string {
  return equipment === null ? id : `${id}#${equipment}`
}

/** Whether a key is the id itself or belongs to one of its containers. */
export function isKeyOf(id: string, key: string): boolean {
  return key === id || (key.startsWith(`${id}#`) && /^[A-Z]{4}[0-9]{7}$/.test(key.slice(id.length + 1)))
}
