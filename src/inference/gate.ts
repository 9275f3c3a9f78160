/**
 * When a confident belief may be acted on without confirmation. For containers of leasing companies and unknown owners
 * it needs enough recent outcomes from several bills. For containers that lines share, and for bare numbers that
 * several lines write, it needs enough outcomes.
 */

import { isIluCode } from '../domain/values/identifiers.ts'
import { carrierIndex, hasSharedContainers } from './carriers.ts'
import { fadingFactor } from './evidence.ts'
import type { Model } from './model.ts'
import { type NumberReading, shapeOf } from './number.ts'
import { getOwnerCode } from './owner-codes.ts'

const outcomesMin = 20
const billsMin = 3
const recentMonths = 18
const shapeOutcomesMin = 10

/** Null when the gate is open, otherwise a sentence that explains why it is closed. */
export function explainClosedGate(
  reading: NumberReading,
  model: Model,
  { month, remembered }: { readonly month: number; readonly remembered?: string | null },
): string | null {
  if (reading.kind === 'container' && reading.checkDigit === 'failed') {
    return 'The check digit is wrong, so this is not selected without confirmation.'
  }
  if (remembered != null) return null
  if (reading.kind === 'container') {
    const { scac } = getOwnerCode(reading.number.slice(0, 4))
    if (scac === null) return explainLeasedContainer(reading.number, model, month)
    return hasSharedContainers(scac) ? explainSharedOwner(reading.number, scac, { model, month }) : null
  }
  if (reading.prefix !== null) return null
  if (isIluCode(reading.number)) return 'This looks like an ILU code, so no line is selected without confirmation.'
  const [first] = reading.formats
  if (first !== undefined && reading.formats.every(({ scac }) => carrierIndex(scac) === carrierIndex(first.scac)))
    return null
  const outcomes = shapeOutcomes(shapeOf(reading.number), reading.number, model)
  return outcomes >= shapeOutcomesMin
    ? null
    : `${first === undefined ? 'No line is known to write' : 'Several lines write'} numbers of this shape, and too few of them were confirmed.`
}

/**
 * Lines of one group load each other's containers. Outcomes must first show whether they do so with this owner code
 * now.
 */
function explainSharedOwner(
  number: string,
  scac: string,
  { model, month }: { readonly model: Model; readonly month: number },
): string | null {
  let outcomes = 0
  for (const { evidence } of model.layers) {
    for (const [confirmedMonth, weight] of evidence.owners.get(number.slice(0, 4))?.months ?? []) {
      if (month - confirmedMonth <= recentMonths) outcomes += weight
    }
  }
  return outcomes >= outcomesMin
    ? null
    : `${scac} shares its boxes with other lines, and too few moves of these were confirmed lately.`
}

function explainLeasedContainer(number: string, model: Model, month: number): string | null {
  let bills = 0
  const firstDigit = Number(number.charAt(4))
  let outcomes = 0
  for (const { evidence } of model.layers) {
    const owner = evidence.owners.get(number.slice(0, 4))
    for (const weight of owner?.nodes.get(1_000_000 + firstDigit)?.weights ?? []) {
      outcomes += Math.max(0, weight) * fadingFactor(month)
    }
    for (const confirmedMonth of owner?.bills.get(firstDigit)?.values() ?? []) {
      if (month - confirmedMonth <= recentMonths) bills += 1
    }
  }
  return outcomes >= outcomesMin && bills >= billsMin
    ? null
    : 'The box is not a carrier’s own, and too few moves of its kind were confirmed lately.'
}

/** The number of confirmed numbers that have the same shape and the same first character. */
function shapeOutcomes(shape: string, number: string, model: Model): number {
  let outcomes = 0
  for (const { evidence } of model.layers) {
    for (const weight of evidence.shipments.get(`s:${shape}:${number.charAt(0)}`)?.weights ?? []) {
      outcomes += Math.max(0, weight)
    }
  }
  return outcomes
}
