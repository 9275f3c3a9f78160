/**
 * Sorts the active claims of a shipment by what they are about. Claims that are not believed at all become issues that
 * explain why.
 */

import type { FactClaim } from '../journey/trip.ts'
import { compareEffective, sourceKeyOf, statementKeyOf } from '../statements/claims.ts'
import type { Claim } from '../statements/observation.ts'
import { compareClaims, compareText, readStatement, type Statement } from '../statements/statement.ts'
import { eventTrust } from '../statements/trust.ts'
import type { JourneyIssue } from '../view/projection.ts'

export interface StatementGroup {
  readonly statements: Statement[]
  readonly facts: FactClaim[]
}

export interface SortedClaims {
  /** By container number. */
  readonly byContainer: ReadonlyMap<string, StatementGroup>
  /** Claims about the whole shipment, such as the calls of its ships. */
  readonly underBill: StatementGroup
  /**
   * What is not active: estimates whose source had written something else by then, or writes something else now; and
   * facts that came too late.
   */
  readonly overtaken: StatementGroup
  readonly issues: readonly JourneyIssue[]
}

const hourMs = 3_600_000
/**
 * How far in the future an actual may be: clocks are wrong by this much, and a time without zone may be read 14 hours
 * wrong.
 */
const aheadMsMax = 6 * hourMs
const zonelessAheadMsMax = 14 * hourMs

/** The result depends neither on the order of the claims nor on repetition. */
export function readClaims(claims: readonly Claim[], now: string): SortedClaims {
  const byContainer = new Map<string, StatementGroup>()
  const underBill: StatementGroup = { statements: [], facts: [] }
  const issues: JourneyIssue[] = []
  const nowMs = Date.parse(now)
  const activeClaims = findActiveClaims(claims)
  for (const claim of activeClaims) {
    const group = groupOf(claim.observation.equipment, byContainer, underBill)
    if (isFactClaim(claim)) {
      group.facts.push(claim)
      continue
    }
    const statement = readStatement(claim)
    if (statement === null) issues.push(...unmappedIssues(claim))
    else if (!isBelievableEvent(statement)) issues.push(unlistedIssue(statement))
    else if (isAheadOf(statement, nowMs)) issues.push(futureIssue(statement))
    else group.statements.push(statement)
  }
  return { byContainer, underBill, overtaken: findOvertaken(claims, new Set(activeClaims)), issues }
}

function findOvertaken(claims: readonly Claim[], activeClaims: ReadonlySet<Claim>): StatementGroup {
  const inactive = claims.filter((claim) => !activeClaims.has(claim) && !claim.observation.isRetracted)
  const statements = inactive
    .flatMap((claim) => readStatement(claim) ?? [])
    .filter((statement) => !statement.isActual && isBelievableEvent(statement))
  return { statements, facts: inactive.filter(isFactClaim).filter(({ retiredAt }) => retiredAt !== null) }
}

/** For each speaker and key, the latest claim that is not retired. None when that claim withdraws the statement. */
function findActiveClaims(claims: readonly Claim[]): readonly Claim[] {
  const latest = new Map<string, Claim>()
  for (const claim of claims) {
    if (claim.retiredAt !== null) continue
    const key = `${sourceKeyOf(claim)} ${statementKeyOf(claim.observation)}`
    const other = latest.get(key)
    if (other === undefined || isLaterClaim(claim, other)) latest.set(key, claim)
  }
  return [...latest.values()].filter((claim) => !claim.observation.isRetracted).toSorted(compareClaims)
}

/**
 * The same statement read under two poll targets is two claims. Their ids decide between them, so that the order of
 * reading decides nothing.
 */
function isLaterClaim(claim: Claim, other: Claim): boolean {
  return (compareEffective(claim, other) || compareText(other.id, claim.id)) > 0
}

function groupOf(
  equipment: string | null,
  byContainer: Map<string, StatementGroup>,
  underBill: StatementGroup,
): StatementGroup {
  if (equipment === null) return underBill
  const known = byContainer.get(equipment)
  if (known !== undefined) return known
  const group: StatementGroup = { statements: [], facts: [] }
  byContainer.set(equipment, group)
  return group
}

function isFactClaim(claim: Claim): claim is FactClaim {
  return claim.observation.kind === 'fact'
}

/**
 * An actual in the future is a mistake of the source. It is neither believed nor read as an estimate, since the source
 * does not state that it expects the event. It waits: when its time has come and the source still states it, it counts.
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
 * source states anything.
 */
function isBelievableEvent({ claim, code, mode }: Statement): boolean {
  return eventTrust({ code, mode }).includes(claim.source.kind)
}

function unlistedIssue({ claim, code, placeKey }: Statement): JourneyIssue {
  const detail = `${code} at ${placeKey} is not for a source of this kind to say: ${claim.source.kind}`
  return { kind: 'unlisted_source', claimId: claim.id, detail }
}

function futureIssue({ claim, code, placeKey }: Statement): JourneyIssue {
  return {
    kind: 'future_actual',
    claimId: claim.id,
    detail: `${code} at ${placeKey} is said to have happened`,
  }
}

function unmappedIssues(claim: Claim): readonly JourneyIssue[] {
  const { observation } = claim
  if (observation.kind !== 'event' || observation.code !== null) return []
  return [{ kind: 'unmapped_event', claimId: claim.id, detail: `no code for ${observation.original ?? 'it'}` }]
}
