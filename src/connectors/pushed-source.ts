/**
 * The contract of a source that sends messages by itself. A delivery is cut into message parts, each about one document
 * or one container. Each message part is stored and read separately, so that nobody sees the containers of others and a
 * corrected reader can read it again.
 */

import type { PollRules } from '../domain/polling/schedule.ts'
import type { FacilityCoverage } from '../domain/shipment/at-facility.ts'
import type { SourceKind } from '../domain/statements/observation.ts'
import type { Result } from '../domain/values/result.ts'
import type {
  FetchContext,
  FetchResult,
  NumberKind,
  PollLimits,
  QueueMessage,
  RawSnapshot,
  Reading,
  SourceAccess,
} from './source.ts'
import type { SourceIssue } from './source-issue.ts'

/** One number that a message part names, as its sender writes it, normalized (no spaces, upper case). */
export interface MentionedNumber {
  readonly kind: NumberKind
  readonly number: string
}

/** Bytes of the delivery, `from` included, `to` not. */
export interface ByteRange {
  readonly from: number
  readonly to: number
}

export interface MessagePart {
  /** At least one: bills, then bookings, then containers. */
  readonly about: readonly MentionedNumber[]
  /**
   * The sender's own id of this message. A message with the same id is the same delivery. Null where the sender gives
   * none.
   */
  readonly deliveryKey: string | null
  /** The time at which the message states that it was written, ISO instant; null when it does not state it. */
  readonly writtenAt: string | null
  /** The byte ranges of the message part in the delivery, in order, without the bytes about other containers. */
  readonly ranges: readonly ByteRange[]
  /**
   * The stored body of the message part, from which it is read: readable alone, with the names of sender and receiver
   * masked.
   */
  readonly body: Buffer
}

/** Maximum number of message parts of one delivery. No honest sender has more; the rest is not read. */
export const messagePartsMax = 100_000

export interface DeliveryParts {
  readonly parts: readonly MessagePart[]
  /** The faults of data that could not be cut into message parts, each with its place. The rest is still divided. */
  readonly faults: readonly SourceIssue[]
  /**
   * Numbers for which the delivery only announces news: the speaker must be polled for the news itself. Absent where
   * the delivery announces nothing.
   */
  readonly updateNotice?: UpdateNotice
}

export interface UpdateNotice {
  readonly numbers: readonly MentionedNumber[]
  /** The issue to record when nobody polls the speaker. */
  readonly notPolledIssue: SourceIssue
}

/**
 * The sender, and the number that the message part is about. The channel decides who the sender is, never the message.
 */
export interface PartContext {
  readonly speaker: SourceKind
  readonly messageSubject: MentionedNumber
}

export interface PushedSource<Profile> {
  readonly name: string
  /** Version of the reader. It is raised whenever the same message part may give other observations. */
  readonly version: number
  parseProfile(value: unknown): Result<Profile, string>
  /** Never throws, whatever the bytes; time and memory grow only with the number of bytes. */
  splitDelivery(body: Buffer, profile: Profile): DeliveryParts
  /**
   * For a source whose message parts are full pictures: the picture to which a key belongs. A statement that a later
   * message part of the same picture does not contain is withdrawn. Null for a key that belongs to no picture.
   */
  scopeOf?(key: string): string | null
  /** Where a terminal or railway is located. Null where the profile does not state it. */
  findLocations?(profile: Profile): FacilityCoverage | null
  /** How the source can also be polled; absent where it only pushes. */
  readonly polling?: SourcePolling<unknown>
  /** Never throws. `snapshot.body` is the body of one message part. */
  read(snapshot: RawSnapshot, of: PartContext, profile: Profile): Reading
}

/** A number to poll. `facility`: the source's own code of the facility, where the source has several. */
export interface NumberToPoll extends MentionedNumber {
  readonly facility?: string | null
  /** When the number was last published, for sources that are polled by publishing numbers; ISO instant. */
  readonly publishedAt?: string | null
}

/**
 * How a source that pushes can also be polled, for many numbers at once where it allows that. Its answer is cut into
 * message parts and read like a delivery, so that polled and pushed data give the same result.
 */
export interface SourcePolling<Profile> {
  /** How often a number is polled, depending on when the source has news. */
  readonly rules: PollRules
  /** For profiles with other rules: a queue is read at these intervals as long as any number is tracked. */
  rulesOf?(profile: Profile): PollRules
  /**
   * Checks the profile of the polling: address, access, limits. Missing fields have standard values. `concurrency` is
   * the number of requests at the same time.
   */
  parseProfile(value: unknown): Result<Profile, string>
  /** The names of the secrets that an operator has to give. */
  secretNames(profile: Profile): readonly string[]
  supportedKinds(profile: Profile): readonly NumberKind[]
  /** Maximum of numbers in one question. All are of one kind. */
  batchMax(profile: Profile): number
  /** Requests in each window, and the number of questions at the same time. */
  limitsOf(profile: Profile): PollLimits
  /**
   * Polls numbers of one kind, at most `batchMax`. Never rejects. An answer of several pages is framed (`pages.ts`);
   * each page is a body that the source's `splitDelivery` cuts.
   */
  fetch(numbers: readonly NumberToPoll[], access: SourceAccess<Profile>, context: FetchContext): Promise<FetchResult>
  /**
   * Deletes from the queue the messages that have been stored. Never rejects; a message that is not deleted comes
   * again.
   */
  acknowledgeMessages?(
    messages: readonly QueueMessage[],
    access: SourceAccess<Profile>,
    context: FetchContext,
  ): Promise<void>
}
