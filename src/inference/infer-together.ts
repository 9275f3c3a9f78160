/** Finds the probable line of each number of a list, where the containers of one bill help to judge one another. */

import { carrierIndex, carrierScacs, fleetPrior } from './carriers.ts'
import { createEvidence, learnOutcome } from './evidence.ts'
import { computeBelief, concludeInference, type Inference, type InferOptions, type NumberBelief } from './infer.ts'
import { type Model, withEvidence } from './model.ts'
import { nodeKeyOf } from './node-key.ts'
import { type NumberReading, readNumber } from './number.ts'
import { getOwnerCode } from './owner-codes.ts'
import { correctBeliefs, givenLineBelief, type ListKinds } from './together.ts'

/** One number of a list. `scac`: its line, if it was given or confirmed; null if it has to be found. */
export interface ListedNumber {
  readonly number: string
  readonly scac: string | null
}

export interface TogetherOptions extends Omit<InferOptions, 'remembered'> {
  /** The SCAC under which the caller's account recently had this very number confirmed. */
  readonly remembered?: (number: string) => string | null
  /** The name of what contains the numbers, for the explanation. */
  readonly listedIn?: 'list' | 'bill'
  /** Replaces the usual kinds of lists. For training. */
  readonly kinds?: ListKinds
}

/**
 * The prior from which a number's belief was made. The account's own lines do not change the prior of a carrier's own
 * container or of a number with a line's prefix.
 */
function priorOf(reading: NumberReading, shares: Float64Array): Float64Array {
  const isBare =
    reading.kind === 'container' ? getOwnerCode(reading.number.slice(0, 4)).kind !== 'carrier' : reading.prefix === null
  return isBare ? shares : fleetPrior
}

/** A number of the list counts as one of this line, in the explanation, when its belief is at least this. */
const surely = 0.8
/** A smaller change of belief is not explained. */
const changeMin = 0.02

/**
 * Gives one result like that of `infer` for each number, in order; null for a text that is no reference number. Numbers
 * with a given line influence the others, as numbers of the same list and as neighbours in serial, and get a result
 * too. The gates stay: a list alone never leads to a selection without confirmation.
 */
export function inferTogether(
  listed: readonly ListedNumber[],
  model: Model,
  options: TogetherOptions,
): readonly (Inference | null)[] {
  const withList = withEvidence(model, learnGivenLines(listed, options.month))
  const read = listed.flatMap(({ number, scac }, place) => {
    const reading = readNumber(number)
    if (reading === null) return []
    const remembered = options.remembered?.(reading.number) ?? null
    const alone = computeBelief(reading, withList, { ...options, remembered }).slice()
    const belief = scac === null ? alone : givenLineBelief(scac, model.shares)
    const from = scac === null ? priorOf(reading, model.shares) : model.shares
    return [{ place, reading, alone, belief, from, options: { ...options, remembered } }]
  })
  const together = correctBeliefs(read, model.shares, options.kinds)
  const answers: (Inference | null)[] = listed.map(() => null)
  for (const [at, { place, reading, alone, options: ownOptions }] of read.entries()) {
    const belief = together[at] ?? alone
    const because =
      options.isExplained === false ? null : explainList(together, { at, alone, listedIn: options.listedIn ?? 'list' })
    answers[place] = concludeInference({ reading, belief, because } satisfies NumberBelief, model, ownOptions)
  }
  return answers
}

/** The given lines of a list as evidence for neighbours in serial. They are not confirmed, so they open no gate. */
function learnGivenLines(listed: readonly ListedNumber[], month: number) {
  const evidence = createEvidence()
  for (const { number, scac } of listed) {
    const reading: NumberReading | null = scac === null ? null : readNumber(number)
    if (reading === null || scac === null) continue
    learnOutcome(evidence, { node: nodeKeyOf(reading), scac, weight: 1, month, bill: null })
  }
  return evidence
}

function explainList(
  together: readonly Float64Array[],
  { at, alone, listedIn }: { readonly at: number; readonly alone: Float64Array; readonly listedIn: 'list' | 'bill' },
): string | null {
  const belief = together[at]
  if (belief === undefined) return null
  const most = belief.reduce((best, value, carrier) => (value > (belief[best] ?? 0) ? carrier : best), 0)
  const scac = carrierScacs[most] ?? ''
  if (scac === '' || (belief[most] ?? 0) - (alone[carrierIndex(scac)] ?? 0) < changeMin) return null
  const others = together.filter((_, other) => other !== at)
  const speaking = others.filter((other) => (other[most] ?? 0) >= surely).length
  return speaking === 0
    ? null
    : `${scac} is probably the line of ${speaking} of the ${others.length} other numbers of the ${listedIn}.`
}
