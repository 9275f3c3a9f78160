/** The weight of the cargo in each container: the sum of its cargo items, if each of them has a weight. */

import { parseEquipmentReference } from '../../domain/values/identifiers.ts'
import { memoize } from '../dcsa/context.ts'
import { type JsonNode, nameOfType, readObject, readObjects, readText } from '../dcsa/json-node.ts'
import type { NoticeContext } from './notice-facts.ts'

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
  for (const consignment of readObjects(whole, 'consignmentItems', issues)) {
    for (const item of readObjects(consignment, 'cargoItems', issues)) {
      const containerNumber = readItemContainer(item, context)
      if (containerNumber === null) continue
      const sum = sums.get(containerNumber)
      const kg = sum === null ? null : readKg(item, context)
      // If one item has no weight, the sum would be too small: the container gets none.
      sums.set(containerNumber, kg === null || sum === null ? null : (sum ?? 0) + kg)
    }
  }
  const known = [...sums].flatMap(([containerNumber, kg]): [string, number][] =>
    kg === null || kg <= 0 ? [] : [[containerNumber, Math.round(kg * 1_000) / 1_000]],
  )
  return new Map(known)
}

/** Null for an item that names no container, or an invalid one. */
export function readItemContainer(item: JsonNode, { issues, memory }: NoticeContext): string | null {
  const rawNumber = readText(item, 'equipmentReference', issues)
  const reference = rawNumber === null ? null : memoize(memory.containers, rawNumber, parseEquipmentReference)
  return reference?.ok === true ? reference.value.number : null
}

function readKg(item: JsonNode, { issues }: NoticeContext): number | null {
  const weight = readObject(item, 'cargoGrossWeight', issues)
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
