/**
 * Which holds and fees are in force. Some sources report them one at a time, and set and lift each under one name.
 * Others send whole lists; a list lifts the names that it does not contain. Each name is decided by itself
 * (docs/decisions/0024).
 */

import { factCriteria } from '../journey/facts.ts'
import type { FactClaim } from '../journey/trip.ts'
import { sourceKeyOf } from '../statements/claims.ts'
import { compareBy } from '../statements/criteria.ts'
import { nameOfFee, nameOfHold } from '../statements/natural-key.ts'
import type { Fee, FeeStatement, Hold, HoldStatement } from '../statements/observation.ts'
import { compareClaims, compareText, statedAtMsOf } from '../statements/statement.ts'
import { isBelievableFact } from '../statements/trust.ts'

export interface ResolvedList<Value> {
  /** The holds or fees in force, in order of their names. */
  readonly active: readonly Value[]
  /** For each name that anybody set or lifted, the statement that decides. */
  readonly decided: readonly {
    readonly name: string
    readonly claim: FactClaim
    readonly isSet: boolean
    readonly entries: readonly Value[]
  }[]
  /**
   * The latest of the deciding statements, else the latest that states that there are none. Null when no source that is
   * believed on this has stated anything.
   */
  readonly latest: FactClaim | null
}

export function resolveHolds(facts: readonly FactClaim[]): ResolvedList<Hold> {
  return resolveList(
    facts.filter(isBelievableFact).flatMap((claim): readonly ListStatement<Hold>[] => {
      const { observation } = claim
      if (observation.fact === 'hold') return [readHoldStatement(claim, observation.value)]
      return observation.fact === 'holds' ? [readWholeList(claim, observation.value, nameOfHold)] : []
    }),
  )
}

export function resolveFees(facts: readonly FactClaim[]): ResolvedList<Fee> {
  return resolveList(
    facts.filter(isBelievableFact).flatMap((claim): readonly ListStatement<Fee>[] => {
      const { observation } = claim
      if (observation.fact === 'fee') return [readFeeStatement(claim, observation.value)]
      return observation.fact === 'fees' ? [readWholeList(claim, observation.value, nameOfFee)] : []
    }),
  )
}

interface ListStatement<Value> {
  readonly claim: FactClaim
  /** The statement lifts every name that it does not mention. */
  readonly isWhole: boolean
  readonly named: ReadonlyMap<string, NameState<Value>>
}

interface NameState<Value> {
  readonly isSet: boolean
  /** Empty when the name is lifted, and when the statement is too incomplete to be shown (a fee without its amount). */
  readonly entries: readonly Value[]
}

function readHoldStatement(claim: FactClaim, { name, status, description }: HoldStatement): ListStatement<Hold> {
  const state = status === 'released' ? lifted : { isSet: true, entries: [{ name, status, description } as const] }
  return { claim, isWhole: false, named: new Map([[nameOfHold({ name, description }), state]]) }
}

/**
 * An amount or a currency that nobody stated is not made up: the fee stays on record and is shown nowhere. When the
 * total is settled, nothing is owed.
 */
function readFeeStatement(claim: FactClaim, fee: FeeStatement): ListStatement<Fee> {
  const { type, status, amount, currencyCode } = fee
  const entries = amount === null || currencyCode === null ? [] : [{ type, amount, currencyCode }]
  const state = status === 'settled' ? lifted : { isSet: true, entries }
  const isWhole = type === 'total' && status === 'settled'
  return { claim, isWhole, named: new Map([[nameOfFee(fee), state]]) }
}

function readWholeList<Value>(
  claim: FactClaim,
  list: readonly Value[],
  nameOf: (value: Value) => string,
): ListStatement<Value> {
  const groups = Map.groupBy(list, nameOf)
  const named = new Map([...groups].map(([name, entries]) => [name, { isSet: true, entries }] as const))
  return { claim, isWhole: true, named }
}

const lifted = { isSet: false, entries: [] } as const

interface Candidate<Value> {
  readonly claim: FactClaim
  readonly state: NameState<Value>
  readonly isNamed: boolean
}

function resolveList<Value>(statements: readonly ListStatement<Value>[]): ResolvedList<Value> {
  const names = [...new Set(statements.flatMap(({ named }) => [...named.keys()]))].toSorted(compareText)
  const resolved = names.flatMap((name) => {
    const decisive = pickDecisive(candidatesFor(name, statements))
    return decisive === null ? [] : [{ name, ...decisive }]
  })
  const deciding = resolved.length > 0 ? resolved.map(({ claim }) => claim) : statements.map(({ claim }) => claim)
  return {
    active: resolved.flatMap(({ state }) => state.entries),
    decided: resolved.map(({ name, claim, state }) => ({ name, claim, ...state })),
    latest: deciding.toSorted((a, b) => statedAtMsOf(b) - statedAtMsOf(a) || compareBy(factCriteria, a, b))[0] ?? null,
  }
}

/** The latest statement of each speaker about one name. */
function candidatesFor<Value>(name: string, statements: readonly ListStatement<Value>[]): readonly Candidate<Value>[] {
  const latest = new Map<string, Candidate<Value>>()
  for (const { claim, isWhole, named } of statements) {
    const state = named.get(name) ?? (isWhole || liftsAllOf(name, named) ? lifted : null)
    if (state === null) continue
    const candidate = { claim, state, isNamed: named.has(name) }
    const sourceKey = sourceKeyOf(claim)
    const other = latest.get(sourceKey)
    if (other === undefined || compareCandidates(candidate, other) < 0) latest.set(sourceKey, candidate)
  }
  return [...latest.values()]
}

/** A release of a plain name lifts all names that add a text to it: a release of `exam` lifts `exam:TAIL GATE`. */
function liftsAllOf<Value>(name: string, named: ReadonlyMap<string, NameState<Value>>): boolean {
  const [plain = name] = name.split(':', 1)
  return named.get(plain)?.isSet === false
}

/**
 * Negative when `a` counts: the later one. Of one moment: the one that names it, then the one about the container and
 * not the bill, then the one that sets it.
 */
function compareCandidates<Value>(a: Candidate<Value>, b: Candidate<Value>): number {
  const isOfBill = ({ claim }: Candidate<Value>) => Number(claim.observation.equipment === null)
  return (
    statedAtMsOf(b.claim) - statedAtMsOf(a.claim) ||
    Number(b.isNamed) - Number(a.isNamed) ||
    isOfBill(a) - isOfBill(b) ||
    Number(b.state.isSet) - Number(a.state.isSet) ||
    compareClaims(a.claim, b.claim)
  )
}

/**
 * The most believed source decides, but it lifts only statements from before its own: a hold that another source sets
 * later is a new hold. A person counts only when no other source has stated anything about the name.
 */
function pickDecisive<Value>(candidates: readonly Candidate<Value>[]): Candidate<Value> | null {
  const others = candidates.filter(({ claim }) => claim.source.kind !== 'user')
  const ranked = (others.length > 0 ? others : candidates).toSorted((a, b) => compareBy(factCriteria, a.claim, b.claim))
  let decisive: Candidate<Value> | null = null
  let liftedAt = -Infinity
  for (const candidate of ranked) {
    if (candidate.state.isSet && statedAtMsOf(candidate.claim) > liftedAt) return candidate
    if (candidate.state.isSet) continue
    decisive ??= candidate
    liftedAt = Math.max(liftedAt, statedAtMsOf(candidate.claim))
  }
  return decisive
}
