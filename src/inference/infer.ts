/**
 * From a bare number to its kind, what is wrong with it, and whose it probably is: with how much confidence, why, and
 * whether that is enough to act on.
 */

import { findShippingLine } from '../reference/shipping-lines.ts'
import { anotherCarrier, carrierCount, carrierIndex, carrierScacs } from './carriers.ts'
import { containerBelief } from './container-model.ts'
import { type Decision, decide, defaultThresholds, type Thresholds } from './decision.ts'
import { explain } from './explanation.ts'
import { closedBecause } from './gate.ts'
import type { Model } from './model.ts'
import { ancestors, nodeKeyOf } from './node-key.ts'
import { type NumberReading, readNumber } from './number.ts'
import { shipmentBelief } from './shipment-model.ts'
import { type NumberType, numberTypeOf, type Validation, validate } from './validation.ts'

export interface InferOptions {
  /** Now, by `monthOf`. */
  readonly month: number
  readonly thresholds?: Thresholds
  /** The SCAC under which the caller's account had this very number confirmed lately. */
  readonly remembered?: string | null
  /** The drift watch: true for a node and carrier that were wrong too often of late. */
  readonly isDemoted?: (nodes: readonly string[], scac: string) => boolean
  /** Explaining costs more than deciding; left out, it is done. */
  readonly isExplained?: boolean
}

export interface Candidate {
  readonly scac: string
  readonly name: string
  /** 0 to 1, two decimals. */
  readonly confidence: number
}

export interface Inference {
  readonly numberType: NumberType
  readonly validation: Validation
  readonly shippingLine: {
    readonly decision: Decision
    /** Null when nothing is predicted. */
    readonly selected: Candidate | null
    /** Likeliest first, at most five; together at most one. */
    readonly candidates: readonly Candidate[]
  }
  /** The confidence from which a line is selected alone, if nothing holds it back. */
  readonly autoSelectFrom: number
  /** Why a confidence that is high enough was not acted on; null where it was, or is too low anyhow. */
  readonly heldBack: string | null
  readonly explanation: readonly string[]
  /** The nodes that could speak, coarse to fine; empty when nothing was to be explained. */
  readonly nodes: readonly string[]
  /** The SCACs of all covered carriers, likeliest first; empty when nothing was to be explained. */
  readonly ranked: readonly string[]
}

const candidatesMax = 5
const confidenceMin = 0.01
/** A box stays with its carrier for the length of a voyage; so sure is what the account itself saw confirmed. */
const rememberedConfidence = 0.97

/** Null for what is no reference number. */
export function infer(raw: string, model: Model, options: InferOptions): Inference | null {
  const reading = readNumber(raw)
  return reading === null
    ? null
    : conclude({ reading, belief: believe(reading, model, options) }, model, options)
}

/** What is read of a number, and what is believed of it. */
export interface Believed {
  readonly reading: NumberReading
  /** By carrier, summing to one. */
  readonly belief: Float64Array
  /** Why the list that the number is in changed the belief; null where it did not. */
  readonly because?: string | null
}

/** From belief to answer: candidates, what may be done alone, and why. */
export function conclude(
  { reading, belief, because = null }: Believed,
  model: Model,
  options: InferOptions,
): Inference {
  const candidates = candidatesOf(belief, reading)
  const [first] = candidates
  const thresholds = options.thresholds ?? defaultThresholds
  const isExplained = options.isExplained !== false
  const isSure = (first?.confidence ?? 0) >= thresholds.autoSelect
  const closed = isSure || isExplained ? closedBecause(reading, model, options) : null
  const isDemoted = first !== undefined && options.isDemoted?.(nodesOf(reading), first.scac) === true
  const decision = decide(first?.confidence ?? 0, closed === null && !isDemoted, thresholds)
  const demotion = isDemoted ? 'Its latest predictions here were wrong too often to be selected alone.' : null
  return {
    numberType: numberTypeOf(reading, first?.scac ?? null),
    validation: validate(reading, first?.scac ?? null),
    shippingLine: { decision, selected: decision === 'no_prediction' ? null : (first ?? null), candidates },
    autoSelectFrom: thresholds.autoSelect,
    heldBack: isSure ? (closed ?? demotion) : null,
    explanation: isExplained
      ? [
          ...(options.remembered == null
            ? []
            : [`Your account had this number confirmed by ${options.remembered}.`]),
          ...explain(
            reading,
            candidates.map(({ scac }) => scac),
            model,
          ),
          ...(because === null ? [] : [because]),
          ...(closed === null ? [] : [closed]),
          ...(demotion === null ? [] : [demotion]),
        ]
      : [],
    nodes: isExplained ? nodesOf(reading) : [],
    ranked: isExplained ? rankLines(belief) : [],
  }
}

function nodesOf(reading: NumberReading): readonly string[] {
  const key = nodeKeyOf(reading)
  return [...ancestors(key).toReversed(), key]
}

/** Belief per carrier index. */
export function believe(reading: NumberReading, model: Model, options: InferOptions): Float64Array {
  const belief =
    reading.kind === 'container'
      ? containerBelief(reading.number, model, options.month)
      : shipmentBelief(reading, model)
  const remembered = options.remembered == null ? anotherCarrier : carrierIndex(options.remembered)
  if (remembered === anotherCarrier) return belief
  return belief.map((value, carrier) =>
    carrier === remembered ? rememberedConfidence : value * (1 - rememberedConfidence),
  )
}

function rankLines(belief: Float64Array): readonly string[] {
  return [...carrierScacs.keys()]
    .filter((carrier) => carrier !== anotherCarrier)
    .toSorted((a, b) => (belief[b] ?? 0) - (belief[a] ?? 0))
    .map((carrier) => carrierScacs[carrier] ?? '')
}

const names = new Map<string, string>()

function getName(scac: string): string {
  const known = names.get(scac)
  if (known !== undefined) return known
  const name = findShippingLine(scac)?.name ?? scac
  names.set(scac, name)
  return name
}

/** The five likeliest with at least one per cent, rounded down to two decimals so that they never exceed one. */
function candidatesOf(belief: Float64Array, reading: NumberReading): readonly Candidate[] {
  const prefixed = reading.kind === 'shipment' ? reading.prefixScac : null
  const candidates: Candidate[] = []
  let above = Number.POSITIVE_INFINITY
  let last = 0
  while (candidates.length < candidatesMax) {
    const carrier = nextLikely(belief, above, last)
    if (carrier === anotherCarrier) break
    above = belief[carrier] ?? 0
    last = carrier
    // Bills of a brand that counts as its owner keep the brand they are tracked under.
    const isBrand = prefixed !== null && carrierIndex(prefixed) === carrier
    const scac = isBrand ? prefixed : (carrierScacs[carrier] ?? '')
    candidates.push({ scac, name: getName(scac), confidence: Math.floor(above * 100 + 1e-9) / 100 })
  }
  return candidates
}

/** The likeliest that comes after this one, of equals the next in order; `anotherCarrier` when none has one per cent. */
function nextLikely(belief: Float64Array, above: number, last: number): number {
  let found = anotherCarrier
  let most = confidenceMin
  for (let carrier = 1; carrier < carrierCount; carrier += 1) {
    const value = belief[carrier] ?? 0
    if (value < most || value > above || (value === above && carrier <= last)) continue
    if (value === most && found !== anotherCarrier) continue
    found = carrier
    most = value
  }
  return found
}
