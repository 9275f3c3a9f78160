/**
 * The contract of every source: asking (`fetch`) apart from understanding (`read`), so that what was answered can be
 * kept as it came and understood anew when a reader is mended.
 */

import type { Observation } from '../core/observation.ts'
import type { RequestLimits } from '../core/request-budget.ts'
import type { Result } from '../core/result.ts'
import type { EventCounts } from '../core/understanding.ts'
import type { EgressRequest, EgressResult } from '../platform/egress.ts'
import type { SourceIssue } from './source-issue.ts'

export const numberKinds = ['container', 'bill_of_lading', 'booking'] as const
export type NumberKind = (typeof numberKinds)[number]

/** The question: one number at one line. */
export interface LookRequest {
  readonly scac: string
  readonly kind: NumberKind
  readonly number: string
  /** ISO instant: only what was said since then is asked for, where the source can; else everything. */
  readonly createdSince?: string
  /** ISO instant: when this number was first asked for. */
  readonly firstAskedAt?: string
  /** As the last answer bore it: asked for only if it is another one, where the profile says that the source can. */
  readonly etag?: string | null
}

/** How a source is asked: facts about it, and the operator's own secrets by name. */
export interface Access<Profile> {
  readonly profile: Profile
  readonly secrets: Readonly<Record<string, string>>
}

/** What a source answered, verbatim. An answer of several pages is framed (`pages.ts`), each page's bytes untouched. */
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
  /** No connection, no name, a broken answer. */
  'network',
  /** The guard of outgoing requests would not send it. */
  'refused',
  /** The limits of its profile had no room for it in time. */
  'no_leave',
  /** The access that the operator gave is incomplete, or no token was given for it. */
  'no_access',
  /** The profile says that this source cannot be asked by this kind of number. */
  'unsupported_kind',
  /** The stored profile is none. */
  'bad_profile',
] as const
export type UnreachableReason = (typeof unreachableReasons)[number]

export interface QueueMessage {
  /** The queue's own number of it; null where it gives none. */
  readonly id: string | null
  /** Where it is deleted; null where it is gone with being read. Never shown: it may be a key. */
  readonly lock: string | null
}

/** Every HTTP answer is `answered`, 500 and 429 too: it is kept, and `read` says what it is worth. */
export type FetchResult =
  | {
      readonly kind: 'answered'
      readonly snapshot: RawSnapshot
      readonly durationMs: number
      /** How long the source asks to be left alone (Retry-After). */
      readonly retryAfterMs: number | null
      readonly url: string
      /** Of an answer of one page; null where it bears none, or the source cannot be asked by it. */
      readonly etag?: string | null
      /** 304: nothing new since the answer whose etag was named. */
      readonly isUnchanged?: true
      /** What was received from a queue, a page each: kept first, then taken from there. */
      readonly messages?: readonly QueueMessage[] | undefined
      /** Numbers that were published with it, so that they need not be the next time. */
      readonly published?: readonly string[]
    }
  | {
      readonly kind: 'unreachable'
      readonly reason: UnreachableReason
      readonly detail: string
      readonly durationMs: number
      readonly retryAfterMs: number | null
      /** Of the server that gives tokens, when that one refused. */
      readonly statusCode: number | null
      readonly url: string
    }

export const verdicts = [
  /** Something moved or will move: at least one transport or equipment event about what was asked. */
  'found',
  /** The source knows the number, but says nothing that moves a container. */
  'known_without_data',
  'not_found',
  /** The booking that was asked for, or every booking of the bill, is cancelled. */
  'cancelled',
  /** The source will not answer this question: the kind or the shape of the number (400, 422). */
  'question_refused',
  /** The source does not accept our access (401, 403). */
  'access_denied',
  /** An answer that is none: a login page, HTML, broken JSON. */
  'unrecognized',
  /** An answer about another bill or another container only. */
  'other_number',
  /** The source answered that it cannot answer now (408, 429, 500 and above). */
  'unreachable',
] as const
export type Verdict = (typeof verdicts)[number]

/** What a snapshot says. A function of snapshot, request and profile, so it can be made again at any time. */
export interface Reading {
  readonly verdict: Verdict
  /** Each under its own key, ordered by key. */
  readonly observations: readonly Observation[]
  readonly issues: readonly SourceIssue[]
  /** The source's own ids that it takes back; they cover each key that `isKeyOf` gives them. */
  readonly withdrawn: readonly string[]
  /** True when whatever is missing here is no longer said: a valid, complete answer of a source that always sends all. */
  readonly statedFullPicture: boolean
  readonly about: About
  /** How many of its events are understood; `nothingTold` where there are none to count. */
  readonly events: EventCounts
}

/** Numbers heard in the answer, sorted. */
export interface About {
  readonly billNumbers: readonly string[]
  readonly bookingNumbers: readonly string[]
  readonly equipment: readonly string[]
}

export interface FetchContext {
  /** Where the source may deliver what it is subscribed for; null where nobody has said how we are reached. */
  readonly inboundUrl?: string | null
  readonly egress: { readonly request: (request: EgressRequest) => Promise<EgressResult> }
  /**
   * Asked before each request to the source itself, page after page: false when its limits have no room for it in time, and
   * then it is not sent. Where nobody counts it is left out. What is asked of a server of tokens does not count.
   */
  readonly leave?: (place?: 'source' | 'queue') => Promise<boolean>
  /** The real clock, ms since 1970: tokens live by it. */
  readonly now: () => number
}

/** What its profile allows: requests in each window, and questions at a time. */
export interface AskedLimits extends RequestLimits {
  readonly concurrency: number
}

/** What a source can be asked and can tell, as its profile has it; a line may leave out more. */
export interface Ability {
  readonly asksBy: readonly NumberKind[]
  /** Every call costs, refused ones too. */
  readonly isBilled: boolean
  /** Somebody has seen it work with the source itself; what nobody has is only supposed. */
  readonly isVerified: boolean
  readonly tells: {
    readonly weight: boolean
    readonly sealNumber: boolean
    readonly equipmentType: boolean
    readonly departuresAndArrivals: boolean
    readonly timeOfDay: boolean
  }
}

export interface Source<Profile> {
  readonly name: string
  /** Of the reader: raised whenever the same snapshot may give other observations. */
  readonly version: number
  parseProfile(value: unknown): Result<Profile, string>
  /** The names of the secrets that an operator has to give; none for a profile that is none. */
  secretNames(profile: Profile): readonly string[]
  /** Null where nothing is limited, and for a profile that is none. */
  limitsOf(profile: Profile): AskedLimits | null
  /** Null for a profile that is none. */
  abilityOf(profile: Profile): Ability | null
  /** Never rejects. */
  fetch(request: LookRequest, access: Access<Profile>, context: FetchContext): Promise<FetchResult>
  /** Never throws, whatever the bytes. */
  read(snapshot: RawSnapshot, request: LookRequest, profile: Profile): Reading
}

/** The key of one of several statements that bear the same id: one for each container that an event names. */
export function keyOf(id: string, equipment: string | null): string {
  return equipment === null ? id : `${id}#${equipment}`
}

/** Whether a key is the id's own or that of one of its containers. */
export function isKeyOf(id: string, key: string): boolean {
  return key === id || (key.startsWith(`${id}#`) && /^[A-Z]{4}[0-9]{7}$/.test(key.slice(id.length + 1)))
}
