/** The container itself: its type, seal, weight, and the chassis under it. */

import type { FactObservation } from '../../domain/statements/observation.ts'
import { quoteValue } from '../source-issue.ts'
import type { ReadContext } from './context.ts'
import { buildFact } from './fact.ts'
import { elementOf, type Segment } from './segments.ts'
import { findContainerSegment } from './stated-message.ts'

const kilogramsOfPound = 0.45359237

export function writeContainerFacts(context: ReadContext, container: string): readonly FactObservation[] {
  const segment = findContainerSegment(context.stated)
  const size = segment === null ? null : readSizeType(segment, context)
  const weight = segment?.tag === 'N7' ? readWeight(segment, context) : null
  const seal = context.stated.segments.find(({ tag }) => tag === 'M7')
  const sealNumber = seal === undefined ? '' : elementOf(seal, 1)
  const chassis = readChassis(context)
  return [
    ...(size === null ? [] : [buildFact('size_type', size, { container })]),
    ...(weight === null ? [] : [buildFact('weight_kg', weight, { container })]),
    ...(sealNumber === '' ? [] : [buildFact('seal_number', sealNumber, { container })]),
    ...(chassis === null ? [] : [buildFact('chassis_number', chassis, { container })]),
  ]
}

function readSizeType(segment: Segment, { issues }: ReadContext): string | null {
  const element = segment.tag === 'B4' ? 10 : 22
  const rawText = elementOf(segment, element).toUpperCase()
  if (/^[0-9A-Z]{4}$/.test(rawText)) return rawText
  const at = { path: `/${segment.number}/${element}`, lost: 'field' } as const
  if (rawText !== '') issues.addOnce('unknown_code', at, `${quoteValue(rawText)} is not an ISO 6346 size-type code`)
  return null
}

/** N7-03 is read as a weight only with its kind (04: `G` gross) and its unit (17: `K` kilograms, `L` pounds). */
function readWeight(segment: Segment, { issues }: ReadContext): number | null {
  const [rawText, kind, unit] = [3, 4, 17].map((element) => elementOf(segment, element)) as [string, string, string]
  if (rawText === '' || kind !== 'G') return null
  const at = { path: `/${segment.number}/3`, lost: 'field' } as const
  const isWeight = /^\d{1,7}(\.\d{1,4})?$/.test(rawText) && Number(rawText) > 0
  if (isWeight && unit === 'K') return Number(rawText)
  if (isWeight && unit === 'L') return Math.round(Number(rawText) * kilogramsOfPound * 1000) / 1000
  issues.addOnce(
    'wrong_type',
    at,
    isWeight ? 'the unit of the weight is missing or unknown' : `${quoteValue(rawText)} is not a weight`,
  )
  return null
}

/** NA names other equipment of the move. The number of a chassis has a Z after the owner's three letters (ISO 6346). */
function readChassis({ stated, issues }: ReadContext): string | null {
  for (const segment of stated.segments.filter(({ tag }) => tag === 'NA')) {
    const [initial, number] = [elementOf(segment, 3).toUpperCase(), elementOf(segment, 4)]
    if (/^[A-Z]{3}Z$/.test(initial) && /^\d{1,10}$/.test(number)) return `${initial}${number}`
    const at = { path: `/${segment.number}/3`, lost: 'field' } as const
    if (initial !== '' || number !== '')
      issues.addOnce('unmapped_code', at, `the other equipment ${quoteValue(initial)} is not a chassis`)
  }
  return null
}
