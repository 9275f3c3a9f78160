/**
 * The contract of a source that sends messages by itself. A delivery is cut into parts, each about one document or one
 * box. Each part is kept and read separately, so that nobody sees the boxes of others and a corrected reader can read
 * the part again.
 */

import type { LookRules } from '../core/looking/schedule.ts'
import type { Stands } from '../core/shipment/at-facility.ts'
import type { SourceKind } from '../core/statements/observation.ts'
import type { Result } from '../core/values/result.ts'
import type {
  Access,
  AskedLimits,
  FetchContext,
  FetchResult,
  NumberKind,
  QueueMessage,
  RawSnapshot,
  Reading,
} from './source.ts'
import type { SourceIssue } from './source-issue.ts'

/** One number that a part names, as its sender writes it, tidied (no spaces, upper case). */
export interface SpokenOf {
  readonly kind: NumberKind
  readonly number: string
}

/** Bytes of the delivery, `from` included, `to` not. */
export interface ByteRange {
  readonly from: number
  readonly to: number
}

export interface ToldPart {
  /** At least one: bills, then bookings, then boxes. */
  readonly about: readonly SpokenOf[]
  /**
   * The sender's own id of this message. A message with the same id is the same delivery. Null where the sender gives
   * none.
   */
  readonly deliveryKey: string | null
  /** When the message says that it was written, ISO instant; null when it does not say. */
  readonly writtenAt: string | null
  /** The place of the part in the delivery, in order, without the bytes about other boxes. */
  readonly ranges: readonly ByteRange[]
  /** What is kept of the part and read from it: readable alone, with the names of sender and receiver masked. */
  readonly body: Buffer
}

export interface Delivered {
  readonly parts: readonly ToldPart[]
  /** What could not be cut into parts, each fault with its place. The rest is still divided. */
  readonly faults: readonly SourceIssue[]
  /**
   * Numbers for which the delivery says only that there is news: the speaker must be asked for the news itself. Absent
   * where the delivery announces nothing.
   */
  readonly announced?: Announced
}

export interface Announced {
  readonly numbers: readonly SpokenOf[]
  /** The issue to record when nobody asks the speaker. */
  readonly unasked: SourceIssue
}

/** Who spoke, and about which number. The channel decides who speaks, never the message. */
export interface ToldOf {
  readonly speaker: SourceKind
  readonly subject: SpokenOf
}

export interface ToldSource<Profile> {
  readonly name: string
  /** Version of the reader. It is raised whenever the same part may give other observations. */
  readonly version: number
  parseProfile(value: unknown): Result<Profile, string>
  /** Never throws, whatever the bytes; time and memory grow only with the number of bytes. */
  partsOf(body: Buffer, profile: Profile): Delivered
  /**
   * For a source whose parts are full pictures: the picture to which a key belongs. A statement that a later part of
   * the same picture does not contain is withdrawn. Null for a key that belongs to no picture.
   */
  scopeOf?(key: string): string | null
  /** Where a terminal or railway is located. Null where the profile does not say. */
  standsOf?(profile: Profile): Stands | null
  /** How the source can also be asked; absent where it only sends. */
  readonly asking?: Asking<unknown>
  /** Never throws. `snapshot.body` is the body of one part. */
  read(snapshot: RawSnapshot, of: ToldOf, profile: Profile): Reading
}

/** A number to ask about. `facility`: the source's own code of the facility, where the source has several. */
export interface AskedOf extends SpokenOf {
  readonly facility?: string | null
  /** When the number was last published, for sources that are asked by publishing numbers; ISO instant. */
  readonly publishedAt?: string | null
}

/**
 * How a source that sends by itself can also be asked, for many numbers at once where it allows that. Its answer is cut
 * into parts and read like a delivery, so that it does not matter which way something came.
 */
export interface Asking<Profile> {
  /** How often a number is asked about, depending on when the source has news. */
  readonly rules: LookRules
  /** For profiles with other rules: a queue is read at these intervals as long as any number is tracked. */
  rulesOf?(profile: Profile): LookRules
  /**
   * Checks the profile of the asking: address, access, limits. Missing fields have standard values. `concurrency` is
   * the number of questions at the same time.
   */
  parseProfile(value: unknown): Result<Profile, string>
  /** The names of the secrets that an operator has to give. */
  secretNames(profile: Profile): readonly string[]
  asksBy(profile: Profile): readonly NumberKind[]
  /** Maximum of numbers in one question. All are of one kind. */
  batchMax(profile: Profile): number
  /** Requests in each window, and the number of questions at the same time. */
  limitsOf(profile: Profile): AskedLimits
  /**
   * Asks about numbers of one kind, at most `batchMax`. Never rejects. An answer of several pages is framed
   * (`pages.ts`); each page is a body that the source's `partsOf` cuts.
   */
  fetch(numbers: readonly AskedOf[], access: Access<Profile>, context: FetchContext): Promise<FetchResult>
  /**
   * Deletes from the queue the messages that have been stored. Never rejects; a message that is not deleted comes
   * again.
   */
  settle?(messages: readonly QueueMessage[], access: Access<Profile>, context: FetchContext): Promise<void>
}
