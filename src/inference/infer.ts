/**
 * Reads a bare number and finds its kind, its errors, and its probable line: with which confidence, why, and whether
 * that is enough to act on.
 */

import { findShippingLine } from '../reference/shipping-lines.ts'
import { anotherCarrier, carrierCount, carrierIndex, carrierScacs } from './carriers.ts'
import { containerBelief } from './container-model.ts'
import { type Decision, decideSelection, defaultThresholds, type Thresholds } from './decision.ts'
import { explainCandidates } from './explanation.ts'
import { explainClosedGate } from './gate.ts'
import type { Model } from './model.ts'
import { ancestorKeys, nodeKeyOf } from './node-key.ts'
import { type NumberReading, readNumber } from './number.ts'
import { findFormats } from './number-formats.ts'
import { isRegistered } from './owner-codes.ts'
import { shipmentBelief } from './shipment-model.ts'
import { type NumberType, numberTypeOf, type Validation, validate } from './validation.ts'

export interface InferOptions {
  /** The present month, by `monthOf`. */
  readonly month: number
  readonly thresholds?: Thresholds
  /** The SCAC under which the caller's account recently had this very number confirmed. */
  readonly remembered?: string | null
  /** From the watch for drift: true when the predictions of a carrier at a node were wrong too often recently. */
  readonly isDemoted?: (nodes: readonly string[], scac: string) => boolean
  /** Explaining costs more than deciding. Default: true. */
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
    /** Null when there is no prediction. */
    readonly selected: Candidate | null
    /** The most likely first, at most five. Their confidences sum to at most one. */
    readonly candidates: readonly Candidate[]
  }
  /** The confidence from which a line is selected without confirmation, if nothing prevents it. */
  readonly autoSelectFrom: number
  /** Why the line was not selected although the confidence is high enough. Null otherwise. */
  readonly heldBack: string | null
  readonly explanation: readonly string[]
  /** The nodes that could have evidence, from coarse to fine. Empty when no explanation was requested. */
  readonly nodes: readonly string[]
  /** The SCACs of all covered carriers, the most likely first. Empty when no explanation was requested. */
  readonly ranked: readonly string[]
}

const candidatesMax = 5
const confidenceMin = 0.01
/**
 * The confidence in a carrier that the account itself had confirmed for the same container: a container stays with its
 * carrier for the length of a voyage.
 */
const rememberedConfidence = 0.97

/** Null for a text that is no reference number. */
export function makeInference(raw: string, model: Model, options: InferOptions): Inference | null {
  const reading = readNumber(raw)
  return reading === null
    ? null
    : concludeInference({ reading, belief: computeBelief(reading, model, options) }, model, options)
}

/** A number as it was read, and the belief about its line. */
export interface NumberBelief {
  readonly reading: NumberReading
  /** Per carrier, summing to one. */
  readonly belief: Float64Array
  /** A sentence that explains why the other numbers of the list changed the belief; null when they did not. */
  readonly because?: string | null
}

/** Makes the result from the belief: the candidates, the decision, and the reasons. */
export function concludeInference(
  { reading, belief, because = null }: NumberBelief,
  model: Model,
  options: InferOptions,
): Inference {
  const likely = candidatesOf(belief, reading)
  const isMistyped = reading.kind === 'container' && reading.checkDigit === 'failed'
  const isNoOwner = isMistyped && !isRegistered(reading.number)
  const trusted = isMistyped ? doubtCandidates(likely) : likely
  const candidates = isNoOwner ? withBillLines(trusted, reading.number) : trusted
  const [first] = candidates
  const thresholds = options.thresholds ?? defaultThresholds
  const isExplained = options.isExplained !== false
  const isSure = (first?.confidence ?? 0) >= thresholds.autoSelect
  const closed = isSure || isExplained ? explainClosedGate(reading, model, options) : null
  const isDemoted = first !== undefined && options.isDemoted?.(nodesOf(reading), first.scac) === true
  const decision = decideSelection(first?.confidence ?? 0, closed === null && !isDemoted, thresholds)
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
            : [`${options.remembered} confirmed this number for your account before.`]),
          ...explainCandidates(
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
  return [...ancestorKeys(key).toReversed(), key]
}

/** Belief per carrier index. */
export function computeBelief(reading: NumberReading, model: Model, options: InferOptions): Float64Array {
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

/** The five most likely with at least one per cent. Rounded down to two decimals, so that the sum never exceeds one. */
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
    // A brand counts as its owner in the model, but its bills have the brand's SCAC, because they are tracked under it.
    const isBrand = prefixed !== null && carrierIndex(prefixed) === carrier
    const scac = isBrand ? prefixed : (carrierScacs[carrier] ?? '')
    candidates.push({ scac, name: getName(scac), confidence: Math.floor(above * 100 + 1e-9) / 100 })
  }
  return candidates
}

/** In a number with a typing error the owner code may be what is wrong: nobody can be sure of its line. */
export function doubtCandidates(candidates: readonly Candidate[]): readonly Candidate[] {
  return candidates.map((each) => ({ ...each, confidence: Math.floor(each.confidence * 75 + 1e-9) / 100 }))
}

/**
 * Adds, behind the candidates for a container, the lines that write bills in the form of this number: nobody has its
 * owner code, so it may be a bill.
 */
export function withBillLines(candidates: readonly Candidate[], number: string): readonly Candidate[] {
  const lines = new Set(findFormats(number).map(({ scac }) => scac))
  const missing = [...lines].filter((scac) => !candidates.some((each) => each.scac === scac))
  const retained = candidates.slice(0, candidatesMax - missing.length)
  const unassigned = retained.reduce((remainder, { confidence }) => remainder - confidence, 1)
  const confidence = unassigned >= confidenceMin ? confidenceMin : 0
  return [...retained, ...missing.map((scac) => ({ scac, name: getName(scac), confidence }))]
}

/**
 * The most likely carrier after the last one found; of equal ones the next by index. `anotherCarrier` when none has at
 * least one per cent.
 */
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
