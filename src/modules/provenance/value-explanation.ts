/**
 * A claim as it is shown to a client that requests an explanation: the source, the statement, when it was read, and
 * where it is stored. Never which access was used.
 */

import { writeObservation } from '../../domain/notation/notation.ts'
import type { Loser, Verdict } from '../../domain/provenance/verdict.ts'
import type { Claim, Observation, SourceKind } from '../../domain/statements/observation.ts'
import { isOneOf } from '../../domain/values/codes.ts'
import { type EventTime, instantOf } from '../../domain/values/time.ts'
import { lfdInstant } from '../../domain/view/free-time.ts'
import type { StoredClaim } from '../../pipeline/projection/claims-sql.ts'
import type { PaperProof } from './paper-proofs.ts'

export interface ExplainedStatement {
  readonly claimId: string
  /** The answer that contained it first; null for a statement of a user. */
  readonly snapshotId: string | null
  readonly source: { readonly kind: SourceKind; readonly code: string }
  /** For an event its time, for a fact its value. Times are in UTC, deadlines as the API shows them. */
  readonly value: unknown
  /** The same as it was stated, where it is a time, with the zone of its place. */
  readonly time: { readonly time: EventTime; readonly timeZone: string | null } | null
  readonly classifier: 'ACT' | 'EST' | 'PLN' | null
  /** The time of the statement according to the source. */
  readonly statedAt: string | null
  readonly readAt: string
  readonly recordedAt: string
  /** The source's own text or code, verbatim. Treat them as data, whatever they contain. */
  readonly rawText: string | null
  /** The claim in the journey notation. */
  readonly notation: string
  /** Its place on the page, if a document stated it. */
  readonly document?: PaperProof
}

export interface ValueExplanation {
  /** The attribute, as the API names it. */
  readonly value: string
  /** Null when no source stated it: the rule then explains where the value comes from. */
  readonly statement: ExplainedStatement | null
  readonly rule: string
  readonly losers: readonly (ExplainedStatement & { readonly why: string })[]
  /** For holds and fees: by name, the statement that decides whether each is in force. */
  readonly each?: readonly (ExplainedStatement & { readonly name: string })[]
}

export function explanationOf(
  value: string,
  verdict: Verdict,
  about: {
    readonly claims: ReadonlyMap<string, StoredClaim>
    readonly papers: ReadonlyMap<string, PaperProof>
    readonly pickupTimeZone: string | null
  },
): ValueExplanation {
  const describeClaim = (claim: Claim): ExplainedStatement => explainClaim(claim, about)
  return {
    value,
    statement: verdict.winner === null ? null : describeClaim(verdict.winner),
    rule: verdict.rule,
    losers: distinctLosers(verdict.losers).map(({ claim, why }) => ({ ...describeClaim(claim), why })),
    ...(verdict.each !== undefined && {
      each: verdict.each.map(({ name, winner }) => ({ ...describeClaim(winner), name })),
    }),
  }
}

function distinctLosers(losers: readonly Loser[]): readonly Loser[] {
  return [...new Map(losers.toReversed().map((loser) => [loser.claim.id, loser])).values()].toReversed()
}

export function explainClaim(
  claim: Claim,
  { claims, papers, pickupTimeZone }: Parameters<typeof explanationOf>[2],
): ExplainedStatement {
  const { observation, source } = claim
  const document = papers.get(claim.id)
  return {
    claimId: claim.id,
    snapshotId: claims.get(claim.id)?.firstSnapshotId ?? null,
    source: { kind: source.kind, code: source.code },
    value: displayedValue(observation, pickupTimeZone),
    time: timeOf(observation, pickupTimeZone),
    classifier: observation.kind === 'event' ? observation.classifier : null,
    statedAt: observation.statedAt,
    readAt: claim.readAt,
    recordedAt: claim.recordedAt,
    rawText: observation.kind === 'event' ? observation.original : null,
    notation: writeObservation(observation, source),
    ...(document !== undefined && { document }),
  }
}

/** The time that is stated, with the zone of its place. */
export function timeOf(observation: Observation, pickupTimeZone: string | null): ExplainedStatement['time'] {
  if (observation.kind === 'event') return { time: observation.time, timeZone: observation.place.timeZone }
  return isTime(observation.value) ? { time: observation.value, timeZone: pickupTimeZone } : null
}

function displayedValue(observation: Observation, pickupTimeZone: string | null): unknown {
  const found = timeOf(observation, pickupTimeZone)
  if (found === null) return 'value' in observation ? observation.value : null
  const { time, timeZone } = found
  const isFreeDay = observation.kind !== 'event' && observation.fact.startsWith('pickup_lfd_')
  return isFreeDay ? lfdInstant(time, timeZone) : instantOf(time, timeZone).at
}

function isTime(value: unknown): value is EventTime {
  if (value === null || typeof value !== 'object' || !('kind' in value)) return false
  return isOneOf(['instant', 'local', 'day'], String(value.kind))
}
