/**
 * Sorts the live claims of a shipment by what they are about. Those that are not believed at all become issues that say
 * why.
 */

import type { FactClaim } from '../journey/trip.ts'
import type { JourneyIssue } from '../shown/projection.ts'
import { compareStanding, speakerOf, statementKeyOf } from '../statements/claims.ts'
import type { Claim } from '../statements/observation.ts'
import { compareClaims, compareText, readStatement, type Statement } from '../statements/statement.ts'
import { eventTrust } from '../statements/trust.ts'

export interface SaidOf {
  readonly statements: Statement[]
  readonly facts: FactClaim[]
}

export interface SortedClaims {
  /** By container number. */
  readonly byBox: ReadonlyMap<string, SaidOf>
  /** Claims about the whole shipment, such as the calls of its ships. */
  readonly underBill: SaidOf
  readonly issues: readonly JourneyIssue[]
}

const hourMs = 3_600_000
/**
 * How far in the future an actual may lie: clocks are wrong by this much, and a time without zone may be read 14 hours
 * wrong.
 */
const aheadMsMax = 6 * hourMs
const zonelessAheadMsMax = 14 * hourMs

/** The result depends neither on the order of the claims nor on repetition. */
export function readClaims(claims: readonly Claim[], now: string): SortedClaims {
  const byBox = new Map<string, SaidOf>()
  const underBill: SaidOf = { statements: [], facts: [] }
  const issues: JourneyIssue[] = []
  const nowMs = Date.parse(now)
  for (const claim of standing(claims)) {
    const said = saidOf(claim.observation.equipment, byBox, underBill)
    if (isFactClaim(claim)) {
      said.facts.push(claim)
      continue
    }
    const statement = readStatement(claim)
    if (statement === null) issues.push(...unmapped(claim))
    else if (!isListed(statement)) issues.push(unlisted(statement))
    else if (isAheadOf(statement, nowMs)) issues.push(future(statement))
    else said.statements.push(statement)
  }
  return { byBox, underBill, issues }
}

/** For each speaker and key, the latest claim that is not retired. None when that claim takes the statement back. */
function standing(claims: readonly Claim[]): readonly Claim[] {
  const latest = new Map<string, Claim>()
  for (const claim of claims) {
    if (claim.retiredAt !== null) continue
    const key = `${speakerOf(claim)} ${statementKeyOf(claim.observation)}`
    const other = latest.get(key)
    if (other === undefined || isStanding(claim, other)) latest.set(key, claim)
  }
  return [...latest.values()].filter((claim) => !claim.observation.isRetracted).toSorted(compareClaims)
}

/**
 * The same statement read under two subjects is two claims. Their ids decide between them, so that the order of reading
 * decides nothing.
 */
function isStanding(claim: Claim, other: Claim): boolean {
  return (compareStanding(claim, other) || compareText(other.id, claim.id)) > 0
}

function saidOf(equipment: string | null, byBox: Map<string, SaidOf>, underBill: SaidOf): SaidOf {
  if (equipment === null) return underBill
  const known = byBox.get(equipment)
  if (known !== undefined) return known
  const said: SaidOf = { statements: [], facts: [] }
  byBox.set(equipment, said)
  return said
}

function isFactClaim(claim: Claim): claim is FactClaim {
  return claim.observation.kind === 'fact'
}

/**
 * An actual in the future is a mistake of the source. It is neither believed nor taken for an estimate, since the
 * source does not say that it expects the event. It waits: when its time has come and the source still states it, it
 * counts.
 */
function isAheadOf(statement: Statement, nowMs: number): boolean {
  if (!statement.isActual) return false
  const { time, place } = statement.event
  const isZoneless = time.kind === 'local' || (time.kind === 'day' && place.timeZone === null)
  const aheadMs = isZoneless ? zonelessAheadMsMax : aheadMsMax
  return statement.from > nowMs + aheadMs
}

/**
 * Whether this kind of source is believed on this event at all. If it is not, it is not believed even when no other
 * source says anything.
 */
function isListed({ claim, code, mode }: Statement): boolean {
  return eventTrust({ code, mode }).includes(claim.source.kind)
}

function unlisted({ claim, code, placeKey }: Statement): JourneyIssue {
  const detail = `${code} at ${placeKey} is not for a source of this kind to say: ${claim.source.kind}`
  return { kind: 'unlisted_source', claimId: claim.id, detail }
}

function future({ claim, code, placeKey }: Statement): JourneyIssue {
  return {
    kind: 'future_actual',
    claimId: claim.id,
    detail: `${code} at ${placeKey} is said to have happened`,
  }
}

function unmapped(claim: Claim): readonly JourneyIssue[] {
  const { observation } = claim
  if (observation.kind !== 'event' || observation.code !== null) return []
  return [
    { kind: 'unmapped_event', claimId: claim.id, detail: `no code for ${observation.original ?? 'it'}` },
  ]
}
