/** The weight of the cargo in each box: the sum of its cargo items, if each of them has a weight. */

import { parseContainerNumber } from '../../core/values/identifiers.ts'
import { recall } from '../dcsa/context.ts'
import { nameOfType, type Part, readPart, readParts, readText } from '../dcsa/part.ts'
import type { NoticeContext } from './said.ts'

/** UN/ECE Recommendation 20. */
const kgOfUnit: Readonly<Record<string, number>> = {
  KGM: 1,
  LBR: 0.45359237,
  GRM: 0.001,
  ONZ: 0.028349523125,
}

export function readWeights(context: NoticeContext): ReadonlyMap<string, number> {
  const { issues, whole } = context
  const sums = new Map<string, number | null>()
  for (const consignment of readParts(whole, 'consignmentItems', issues)) {
    for (const item of readParts(consignment, 'cargoItems', issues)) {
      const box = boxOfItem(item, context)
      if (box === null) continue
      const sum = sums.get(box)
      const kg = sum === null ? null : readKg(item, context)
      // If one item has no weight, the sum would be too small: the box gets none.
      sums.set(box, kg === null || sum === null ? null : (sum ?? 0) + kg)
    }
  }
  const known = [...sums].flatMap(([box, kg]): [string, number][] =>
    kg === null || kg <= 0 ? [] : [[box, Math.round(kg * 1_000) / 1_000]],
  )
  return new Map(known)
}

/** Null for an item that names no container, or an invalid one. */
export function boxOfItem(item: Part, { issues, memory }: NoticeContext): string | null {
  const said = readText(item, 'equipmentReference', issues)
  const number = said === null ? null : recall(memory.containers, said, parseContainerNumber)
  return number?.ok === true ? number.value : null
}

function readKg(item: Part, { issues }: NoticeContext): number | null {
  const weight = readPart(item, 'cargoGrossWeight', issues)
  if (weight === null) return null
  const value = weight.value['value']
  const unit = readText(weight, 'unit', issues)?.toUpperCase() ?? ''
  const factor = Object.hasOwn(kgOfUnit, unit) ? kgOfUnit[unit] : undefined
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) {
    const at = { path: `${weight.path}/value`, lost: 'field' } as const
    issues.addOnce('wrong_type', at, `a weight was expected, not ${nameOfType(value)}`)
    return null
  }
  if (factor !== undefined) return value * factor
  issues.addOnce(
    'unknown_code',
    { path: `${weight.path}/unit`, lost: 'field' },
    'the unit of the weight is missing or unknown',
  )
  return null
}
