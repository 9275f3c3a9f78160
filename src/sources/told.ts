/**
 * The contract of what comes unasked: a delivery is cut into parts, each about one document or one box, and each part is
 * kept and understood by itself, so that nobody sees the boxes of others and a mended reader reads it anew.
 */

import type { SourceKind } from '../core/observation.ts'
import type { Result } from '../core/result.ts'
import type { NumberKind, RawSnapshot, Reading } from './source.ts'
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
  /** Never throws. `snapshot.body` is the body of one part. */
  read(snapshot: RawSnapshot, of: ToldOf, profile: Profile): Reading
}
