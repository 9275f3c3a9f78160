/**
 * The contract of what comes unasked: a delivery is cut into parts, each about one document or one box, and each part is
 * kept and understood by itself, so that nobody sees the boxes of others and a mended reader reads it anew.
 */

import type { Stands } from '../core/at-facility.ts'
import type { SourceKind } from '../core/observation.ts'
import type { Result } from '../core/result.ts'
import type { LookRules } from '../core/schedule.ts'
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

/** One number that a part speaks of, as its sender writes it, tidied (no spaces, upper case). */
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
  /** The sender's own id of this message; the same one again is the same delivery. Null where the sender gives none. */
  readonly deliveryKey: string | null
  /** When the message says that it was written, ISO instant; null when it does not say. */
  readonly writtenAt: string | null
  /** Where it stands in the delivery, in order, without what is of others. */
  readonly ranges: readonly ByteRange[]
  /** What is kept and read of it: readable alone, the names of sender and receiver masked. */
  readonly body: Buffer
}

export interface Delivered {
  readonly parts: readonly ToldPart[]
  /** What could not be cut into parts, each with its place; the rest is cut all the same. */
  readonly faults: readonly SourceIssue[]
  /** Of what there is news, as it says, for which the speaker has to be asked; absent where it says nothing of the kind. */
  readonly announced?: Announced
}

export interface Announced {
  readonly numbers: readonly SpokenOf[]
  /** What is wrong with it where nobody asks. */
  readonly unasked: SourceIssue
}

/** Who spoke, and of what: a channel says it, never the message. */
export interface ToldOf {
  readonly speaker: SourceKind
  readonly subject: SpokenOf
}

export interface ToldSource<Profile> {
  readonly name: string
  /** Of the reader: raised whenever the same part may give other observations. */
  readonly version: number
  parseProfile(value: unknown): Result<Profile, string>
  /** Never throws, whatever the bytes; time and memory grow with the bytes alone. */
  partsOf(body: Buffer, profile: Profile): Delivered
  /**
   * Of a source whose parts are whole pictures: which picture a key is of. What a later part leaves out of the same one is
   * no longer said; null for a key that is of none.
   */
  scopeOf?(key: string): string | null
  /** Of a terminal or railway: where it stands. Null where the profile does not say. */
  standsOf?(profile: Profile): Stands | null
  /** Where it can be asked as well. */
  readonly asking?: Asking<unknown>
  /** Never throws. `snapshot.body` is the body of one part. */
  read(snapshot: RawSnapshot, of: ToldOf, profile: Profile): Reading
}

/** A number that is asked about, and at which facility: its own code of it, where it has several. */
export interface AskedOf extends SpokenOf {
  readonly facility?: string | null
  /** When it was published last, where asking is publishing; ISO instant. */
  readonly publishedAt?: string | null
}

/**
 * How a source that is told can be asked as well: for many numbers at once, where it allows that. What it answers is cut
 * into parts and read like a delivery, so that it does not matter which way something came.
 */
export interface Asking<Profile> {
  /** When it has news: how far apart questions about one number are. */
  readonly rules: LookRules
  /** Where a profile has other ones: what comes from a queue is fetched as long as anything is wanted. */
  rulesOf?(profile: Profile): LookRules
  /**
   * How one is asked: address, access, limits. What is left out is as the standard has it. So many questions at a time as its
   * `concurrency` says.
   */
  parseProfile(value: unknown): Result<Profile, string>
  /** The names of the secrets that an operator has to give. */
  secretNames(profile: Profile): readonly string[]
  asksBy(profile: Profile): readonly NumberKind[]
  /** So many numbers of one kind in one question. */
  batchMax(profile: Profile): number
  /** Requests in each window, and questions at a time. */
  limitsOf(profile: Profile): AskedLimits
  /**
   * Asks about numbers of one kind, `batchMax` at most. Never rejects. An answer of several pages is framed (`pages.ts`);
   * each of its pages is a body that the source's `partsOf` cuts.
   */
  fetch(numbers: readonly AskedOf[], access: Access<Profile>, context: FetchContext): Promise<FetchResult>
  /** What was received from a queue has been kept. Never rejects; what is not taken from there comes again. */
  settle?(messages: readonly QueueMessage[], access: Access<Profile>, context: FetchContext): Promise<void>
}
