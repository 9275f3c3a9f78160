/**
 * Scores a model on labelled numbers: right or wrong by kind of number, how often each decision is right, calibration.
 */

import { anotherCarrier, carrierIndex, sameCarrier } from './carriers.ts'
import { type Decision, decisions } from './decision.ts'
import { type Inference, makeInference } from './infer.ts'
import { inferTogether } from './infer-together.ts'
import type { LabelledNumber } from './labelled.ts'
import type { Model } from './model.ts'
import { readNumber } from './number.ts'
import { getOwnerCode } from './owner-codes.ts'

export const numberKinds = ['owned', 'leased', 'other boxes', 'prefixed bill', 'bare bill', 'booking'] as const
export type RowKind = (typeof numberKinds)[number]

export interface RightShare {
  readonly rows: number
  readonly right: number
}

export interface ConfidenceBin {
  readonly rows: number
  /** Mean confidence of the rows in the bin. */
  readonly confidence: number
  readonly right: number
}

export interface Scores {
  readonly rows: number
  /** Rows that are labelled with a carrier outside coverage. They count as wrong in decisions and calibration. */
  readonly outsideCoverage: number
  /**
   * Whether the kind of number was right: container, bill or booking. Bill and booking count as one where a line uses
   * one number for both, and when the label does not state which.
   */
  readonly numberType: RightShare
  readonly containers: RightShare
  readonly kinds: Readonly<Record<RowKind, RightShare>>
  readonly decisions: Readonly<Record<Decision, RightShare>>
  /** By kind, only the rows that were selected without confirmation. */
  readonly autoSelected: Readonly<Record<RowKind, RightShare>>
  /** Rows where one of the candidates is right. */
  readonly listed: RightShare
  readonly bins: readonly ConfidenceBin[]
}

/** Lines that use the same number for the bill and the booking. */
const oneStringLines = new Set([
  'MAEU',
  'SAFM',
  'SEAU',
  'SEJJ',
  'CMDU',
  'APLU',
  'ANNU',
  'HDMU',
  'EGLV',
  'ONEY',
  'ZIMU',
  'COSU',
  'OOLU',
])
export const binCount = 20

/**
 * Judges each number alone. With `isTogether`, the numbers of one group (a bill, a vessel, a list) are judged together,
 * as in a batch.
 */
export function evaluate(
  rows: readonly LabelledNumber[],
  model: Model,
  options: { readonly month: number; readonly isTogether?: boolean },
): Scores {
  const inferOptions = { month: options.month, isExplained: false }
  const lists =
    options.isTogether === true
      ? [...Map.groupBy(rows, ({ group }) => group).values()].flatMap(splitIntoLists)
      : rows.map((row) => [row])
  const judged = lists.flatMap((list) => {
    const unknown = list.map(({ number }) => ({ number, scac: null }))
    const [first] = list
    const answers =
      list.length === 1 && first !== undefined
        ? [makeInference(first.number, model, inferOptions)]
        : inferTogether(unknown, model, inferOptions)
    return list.map((row, at) => judgeRow(row, answers[at] ?? null))
  })
  const covered = judged.filter(({ isCovered }) => isCovered)
  const autos = judged.filter(({ decision }) => decision === 'auto_select')
  return {
    rows: rows.length,
    outsideCoverage: judged.length - covered.length,
    numberType: { rows: judged.length, right: judged.filter(({ isTypeRight }) => isTypeRight).length },
    containers: countRight(covered.filter(({ isContainer }) => isContainer)),
    kinds: byKind(covered),
    decisions: shareBy(decisions, judged, (one) => one.decision),
    autoSelected: byKind(autos),
    listed: { rows: covered.length, right: covered.filter(({ isListed }) => isListed).length },
    bins: Array.from({ length: binCount }, (_, bin) => {
      const inside = judged.filter(
        ({ confidence }) => Math.min(binCount - 1, Math.floor(confidence * binCount)) === bin,
      )
      const sum = inside.reduce((total, { confidence }) => total + confidence, 0)
      return { ...countRight(inside), confidence: inside.length === 0 ? 0 : sum / inside.length }
    }),
  }
}

/**
 * The mean difference between the confidence and the share that is right, over bins of confidence, weighted by rows.
 */
export function calibrationError(bins: readonly ConfidenceBin[]): number {
  const rows = bins.reduce((sum, bin) => sum + bin.rows, 0)
  const off = bins.reduce((sum, bin) => sum + Math.abs(bin.right - bin.confidence * bin.rows), 0)
  return rows === 0 ? 0 : off / rows
}

/** Null when there are no rows. */
export function shareRight({ rows, right }: RightShare): number | null {
  return rows === 0 ? null : right / rows
}

/** The maximum of a batch. */
const listMax = 1_000

function splitIntoLists(rows: readonly LabelledNumber[]): readonly (readonly LabelledNumber[])[] {
  return Array.from({ length: Math.ceil(rows.length / listMax) }, (_, nth) =>
    rows.slice(nth * listMax, (nth + 1) * listMax),
  )
}

interface Judgement {
  readonly kind: RowKind
  readonly isContainer: boolean
  readonly isCovered: boolean
  readonly isTypeRight: boolean
  readonly isRight: boolean
  readonly isListed: boolean
  readonly decision: Decision
  readonly confidence: number
}

function judgeRow(row: LabelledNumber, inference: Inference | null): Judgement {
  const candidates = inference?.shippingLine.candidates ?? []
  return {
    kind: kindOf(row),
    isContainer: row.type === 'container',
    isCovered: carrierIndex(row.scac) !== anotherCarrier,
    isTypeRight: isTypeRight(row, inference),
    isRight: candidates[0] !== undefined && sameCarrier(candidates[0].scac, row.scac),
    isListed: candidates.some(({ scac }) => sameCarrier(scac, row.scac)),
    decision: inference?.shippingLine.decision ?? 'no_prediction',
    confidence: candidates[0]?.confidence ?? 0,
  }
}

export function kindOf(row: LabelledNumber): RowKind {
  if (row.type === 'container') {
    const { kind } = getOwnerCode(row.number.slice(0, 4))
    return kind === 'carrier' ? 'owned' : kind === 'lessor' ? 'leased' : 'other boxes'
  }
  const reading = readNumber(row.number)
  if (reading?.kind === 'shipment' && reading.prefix !== null) return 'prefixed bill'
  return row.type === 'booking' ? 'booking' : 'bare bill'
}

function isTypeRight(row: LabelledNumber, inference: Inference | null): boolean {
  if (inference === null) return false
  if (row.type === 'container' || inference.numberType === 'container') return inference.numberType === row.type
  return row.type === 'shipment' || row.type === inference.numberType || oneStringLines.has(row.scac)
}

function byKind(judged: readonly Judgement[]): Readonly<Record<RowKind, RightShare>> {
  return shareBy(numberKinds, judged, ({ kind }) => kind)
}

function shareBy<Name extends string>(
  names: readonly Name[],
  judged: readonly Judgement[],
  nameOf: (one: Judgement) => Name,
): Readonly<Record<Name, RightShare>> {
  const shares = names.map((name) => [name, countRight(judged.filter((one) => nameOf(one) === name))] as const)
  return Object.fromEntries(shares) as Readonly<Record<Name, RightShare>>
}

function countRight(judged: readonly Judgement[]): RightShare {
  return { rows: judged.length, right: judged.filter(({ isRight }) => isRight).length }
}
