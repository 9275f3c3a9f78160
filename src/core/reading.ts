/** The live claims of a shipment sorted by what they are about, and those that are not believed at all with why. */

import { compareStanding, speakerOf, statementKeyOf } from './claims.ts'
import type { Claim } from './observation.ts'
import type { JourneyIssue } from './projection.ts'
import { compareClaims, compareText, readStatement, type Statement } from './statement.ts'
import type { FactClaim } from './trip.ts'
import { eventTrust } from './trust.ts'

export interface SaidOf {
  readonly statements: Statement[]
  readonly facts: FactClaim[]
}

export interface SortedClaims {
  /** By container number. */
  readonly byBox: ReadonlyMap<string, SaidOf>
  /** About the whole shipment, as ships' calls are. */
  readonly underBill: SaidOf
  readonly issues: readonly JourneyIssue[]
}

const hourMs = 3_600_000
/** Clocks are wrong by this much; a time without zone may be read 14 hours wrong. */
const aheadMsMax = 6 * hourMs
const zonelessAheadMsMax = 14 * hourMs

/** Neither the order of the claims nor repetition changes what is read. */
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

/** Of the claims that one speaker made under one key the latest, unless it is retired or takes the word back. */
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

/** The same word heard under two subjects is two claims: it is not for the order in which they are read to choose one. */
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
 * An actual of the future is a mistake of the source: neither believed nor taken for an estimate, since the source
 * does not say that it expects it. It waits; when its time has come and the source still stands by it, it counts.
 */
function isAheadOf(statement: Statement, nowMs: number): boolean {
  if (!statement.isActual) return false
  const { time, place } = statement.event
  const isZoneless = time.kind === 'local' || (time.kind === 'day' && place.timeZone === null)
  const aheadMs = isZoneless ? zonelessAheadMsMax : aheadMsMax
  return statement.from > nowMs + aheadMs
}

/** What it says of where its own matters end is not believed, even when nobody else speaks. */
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
