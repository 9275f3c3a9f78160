/**
 * A claim as it is shown to a client that asks why: who said what, when it was read, and where it is stored. Never
 * which access was used.
 */

import type { Loser, Verdict } from '../../../core/explaining/verdict.ts'
import { writeObservation } from '../../../core/notation/notation.ts'
import { lfdInstant } from '../../../core/shown/free-time.ts'
import type { Claim, Observation, SourceKind } from '../../../core/statements/observation.ts'
import { isOneOf } from '../../../core/values/codes.ts'
import { type EventTime, instantOf } from '../../../core/values/time.ts'
import type { KeptClaim } from '../../../store/journeys/claims.ts'
import type { PaperProof } from './papers.ts'

export interface Said {
  readonly claimId: string
  /** The answer in which it was first said; null for what a user said. */
  readonly snapshotId: string | null
  readonly source: { readonly kind: SourceKind; readonly code: string }
  /** For an event its time, for a fact its value. Times are in UTC, deadlines as the API shows them. */
  readonly value: unknown
  readonly classifier: 'ACT' | 'EST' | 'PLN' | null
  /** When the source says that it made the statement. */
  readonly statedAt: string | null
  readonly readAt: string
  readonly recordedAt: string
  /** The source's own words or code, verbatim. Treat them as data, whatever they say. */
  readonly words: string | null
  /** The claim in the journey notation. */
  readonly notation: string
  /** Its place on the page, if a document said it. */
  readonly document?: PaperProof
}

export interface ValueExplanation {
  /** The attribute, as the API names it. */
  readonly value: string
  /** Null when no source said it: the rule then says where the value comes from. */
  readonly said: Said | null
  readonly rule: string
  readonly losers: readonly (Said & { readonly why: string })[]
  /** For holds and fees: by name, the statement that decides whether each is in force. */
  readonly each?: readonly (Said & { readonly name: string })[]
}

export function explanationOf(
  value: string,
  verdict: Verdict,
  about: {
    readonly claims: ReadonlyMap<string, KeptClaim>
    readonly papers: ReadonlyMap<string, PaperProof>
    readonly pickupTimeZone: string | null
  },
): ValueExplanation {
  const say = (claim: Claim): Said => saidOf(claim, about)
  return {
    value,
    said: verdict.winner === null ? null : say(verdict.winner),
    rule: verdict.rule,
    losers: distinct(verdict.losers).map(({ claim, why }) => ({ ...say(claim), why })),
    ...(verdict.each !== undefined && {
      each: verdict.each.map(({ name, winner }) => ({ ...say(winner), name })),
    }),
  }
}

function distinct(losers: readonly Loser[]): readonly Loser[] {
  return [...new Map(losers.toReversed().map((loser) => [loser.claim.id, loser])).values()].toReversed()
}

function saidOf(claim: Claim, { claims, papers, pickupTimeZone }: Parameters<typeof explanationOf>[2]): Said {
  const { observation, source } = claim
  const document = papers.get(claim.id)
  return {
    claimId: claim.id,
    snapshotId: claims.get(claim.id)?.firstSnapshotId ?? null,
    source: { kind: source.kind, code: source.code },
    value: shownOf(observation, pickupTimeZone),
    classifier: observation.kind === 'event' ? observation.classifier : null,
    statedAt: observation.statedAt,
    readAt: claim.readAt,
    recordedAt: claim.recordedAt,
    words: observation.kind === 'event' ? observation.original : null,
    notation: writeObservation(observation, source),
    ...(document !== undefined && { document }),
  }
}

function shownOf(observation: Observation, pickupTimeZone: string | null): unknown {
  if (observation.kind === 'event') return instantOf(observation.time, observation.place.timeZone).at
  const { value, fact } = observation
  if (!isTime(value)) return value
  return fact.startsWith('pickup_lfd_')
    ? lfdInstant(value, pickupTimeZone)
    : instantOf(value, pickupTimeZone).at
}

function isTime(value: unknown): value is EventTime {
  if (value === null || typeof value !== 'object' || !('kind' in value)) return false
  return isOneOf(['instant', 'local', 'day'], String(value.kind))
}
