/**
 * Which holds and fees are in force. Some sources report them one at a time, and set and lift each under one name.
 * Others send whole lists; a list lifts what it does not name. Each name is decided by itself (docs/decisions/0024).
 */

import { factCriteria } from '../journey/facts.ts'
import type { FactClaim } from '../journey/trip.ts'
import { speakerOf } from '../statements/claims.ts'
import { compareBy } from '../statements/criteria.ts'
import { nameOfFee, nameOfHold } from '../statements/natural-key.ts'
import type { Fee, FeeWord, Hold, HoldWord } from '../statements/observation.ts'
import { compareClaims, compareText, saidAt } from '../statements/statement.ts'
import { isListed, isPaper } from '../statements/trust.ts'

export interface Settled<Value> {
  /** The holds or fees in force, in order of their names. */
  readonly standing: readonly Value[]
  /** For each name that anybody set or lifted, the statement that decides. */
  readonly decided: readonly {
    readonly name: string
    readonly claim: FactClaim
    readonly isSet: boolean
    readonly shown: readonly Value[]
  }[]
  /**
   * The latest of the deciding statements, else the latest that says that there are none. Null when no source that is
   * believed on this has said anything.
   */
  readonly latest: FactClaim | null
}

export function settleHolds(facts: readonly FactClaim[]): Settled<Hold> {
  return settle(
    facts.filter(isListed).flatMap((claim): readonly Said<Hold>[] => {
      const { observation } = claim
      if (observation.fact === 'hold') return [oneHold(claim, observation.value)]
      return observation.fact === 'holds' ? [wholeList(claim, observation.value, nameOfHold)] : []
    }),
  )
}

export function settleFees(facts: readonly FactClaim[]): Settled<Fee> {
  return settle(
    facts.filter(isListed).flatMap((claim): readonly Said<Fee>[] => {
      const { observation } = claim
      if (observation.fact === 'fee') return [oneFee(claim, observation.value)]
      return observation.fact === 'fees' ? [wholeList(claim, observation.value, nameOfFee)] : []
    }),
  )
}

interface Said<Value> {
  readonly claim: FactClaim
  /** The statement lifts every name that it does not mention. */
  readonly isWhole: boolean
  readonly named: ReadonlyMap<string, Word<Value>>
}

interface Word<Value> {
  readonly isSet: boolean
  /** Empty when the name is lifted, and when too little was said to show it (a fee without its amount). */
  readonly shown: readonly Value[]
}

function oneHold(claim: FactClaim, { name, status, description }: HoldWord): Said<Hold> {
  const word =
    status === 'released' ? lifted : { isSet: true, shown: [{ name, status, description } as const] }
  return { claim, isWhole: false, named: new Map([[nameOfHold({ name, description }), word]]) }
}

/**
 * An amount or a currency that nobody said is not made up: the fee stays on record and is shown nowhere. When the total
 * is settled, nothing is owed.
 */
function oneFee(claim: FactClaim, fee: FeeWord): Said<Fee> {
  const { type, status, amount, currencyCode } = fee
  const shown = amount === null || currencyCode === null ? [] : [{ type, amount, currencyCode }]
  const word = status === 'settled' ? lifted : { isSet: true, shown }
  const isWhole = type === 'total' && status === 'settled'
  return { claim, isWhole, named: new Map([[nameOfFee(fee), word]]) }
}

function wholeList<Value>(
  claim: FactClaim,
  list: readonly Value[],
  nameOf: (value: Value) => string,
): Said<Value> {
  const groups = Map.groupBy(list, nameOf)
  const named = new Map([...groups].map(([name, shown]) => [name, { isSet: true, shown }] as const))
  return { claim, isWhole: true, named }
}

const lifted = { isSet: false, shown: [] } as const

interface Candidate<Value> {
  readonly claim: FactClaim
  readonly word: Word<Value>
  readonly isNamed: boolean
}

function settle<Value>(said: readonly Said<Value>[]): Settled<Value> {
  const names = [...new Set(said.flatMap(({ named }) => [...named.keys()]))].toSorted(compareText)
  const settled = names.flatMap((name) => {
    const decisive = decide(wordsOn(name, said))
    return decisive === null ? [] : [{ name, ...decisive }]
  })
  const deciding = settled.length > 0 ? settled.map(({ claim }) => claim) : said.map(({ claim }) => claim)
  return {
    standing: settled.flatMap(({ word }) => word.shown),
    decided: settled.map(({ name, claim, word }) => ({ name, claim, ...word })),
    latest: deciding.toSorted((a, b) => saidAt(b) - saidAt(a) || compareBy(factCriteria, a, b))[0] ?? null,
  }
}

/** The latest statement of each speaker about one name. */
function wordsOn<Value>(name: string, said: readonly Said<Value>[]): readonly Candidate<Value>[] {
  const latest = new Map<string, Candidate<Value>>()
  for (const { claim, isWhole, named } of said) {
    const word = named.get(name) ?? (isWhole || liftsAllOf(name, named) ? lifted : null)
    if (word === null) continue
    const candidate = { claim, word, isNamed: named.has(name) }
    const speaker = speakerOf(claim)
    const other = latest.get(speaker)
    if (other === undefined || compareWords(candidate, other) < 0) latest.set(speaker, candidate)
  }
  return [...latest.values()]
}

/** A release of a plain name lifts all names that add a text to it: a release of `exam` lifts `exam:TAIL GATE`. */
function liftsAllOf<Value>(name: string, named: ReadonlyMap<string, Word<Value>>): boolean {
  const [plain = name] = name.split(':', 1)
  return named.get(plain)?.isSet === false
}

/**
 * Negative when `a` counts: the later one. Of one moment: the one that names it, then the one about the box and not the
 * bill, then the one that sets it.
 */
function compareWords<Value>(a: Candidate<Value>, b: Candidate<Value>): number {
  const isOfBill = ({ claim }: Candidate<Value>) => Number(claim.observation.equipment === null)
  return (
    saidAt(b.claim) - saidAt(a.claim) ||
    Number(b.isNamed) - Number(a.isNamed) ||
    isOfBill(a) - isOfBill(b) ||
    Number(b.word.isSet) - Number(a.word.isSet) ||
    compareClaims(a.claim, b.claim)
  )
}

/**
 * The most believed source decides, but it lifts only what was said until then: a hold that another source sets later
 * is a new hold. A person counts only when no other source has said anything about the name, and a paper only when no
 * person has either.
 */
function decide<Value>(words: readonly Candidate<Value>[]): Candidate<Value> | null {
  const byPeople = words.filter(({ claim }) => claim.source.kind === 'user')
  const papers = words.filter(({ claim }) => isPaper(claim))
  const others = words.filter((word) => !byPeople.includes(word) && !papers.includes(word))
  const [counting = []] = [others, byPeople, papers].filter((each) => each.length > 0)
  const heard = counting.toSorted((a, b) => compareBy(factCriteria, a.claim, b.claim))
  let decisive: Candidate<Value> | null = null
  let liftedAt = -Infinity
  for (const word of heard) {
    if (word.word.isSet && saidAt(word.claim) > liftedAt) return word
    if (word.word.isSet) continue
    decisive ??= word
    liftedAt = Math.max(liftedAt, saidAt(word.claim))
  }
  return decisive
}
