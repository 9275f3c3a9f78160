/**
 * A box as its group of segments describes it: empty or full, size and type, seal, weight, chassis. Damage is not read.
 */

import type { EmptyIndicator } from '../../core/values/codes.ts'
import { quoted } from '../source-issue.ts'
import type { ReadContext } from './context.ts'
import { codeOf, pathTo, segmentsOf, textOf } from './fields.ts'
import type { Segment } from './segments.ts'
import type { SaidFact } from './statements.ts'

/**
 * Element 8169: 4 empty, 5 full, 7 and 8 full with cargo of several and of one shipper. If it is missing, the status
 * (8249) decides.
 */
const loads: Readonly<Record<string, EmptyIndicator>> = {
  '4': 'EMPTY',
  '5': 'LADEN',
  '7': 'LADEN',
  '8': 'LADEN',
}
const loadsOfStatus: Readonly<Record<string, EmptyIndicator>> = { '31': 'EMPTY', '32': 'LADEN' }

export function loadOf(equipment: Segment): EmptyIndicator | null {
  return loads[codeOf(equipment, 5)] ?? loadsOfStatus[codeOf(equipment, 4)] ?? null
}

export function boxFacts(
  group: readonly Segment[],
  box: { readonly number: string; readonly load: EmptyIndicator | null },
  context: ReadContext,
): readonly SaidFact[] {
  const said = (fact: 'size_type' | 'seal_number', value: string | null): readonly SaidFact[] =>
    value === null ? [] : [{ fact, value, equipment: box.number }]
  const weight = box.load === 'EMPTY' ? null : weightOf(group, context)
  return [
    ...said('size_type', sizeTypeOf(group, context)),
    ...said('seal_number', sealOf(group)),
    ...(weight === null ? [] : [{ fact: 'weight_kg', value: weight, equipment: box.number } as const]),
  ]
}

function sizeTypeOf(group: readonly Segment[], { issues }: ReadContext): string | null {
  const [equipment] = segmentsOf(group, 'EQD', ['CN'])
  const code = equipment === undefined ? '' : codeOf(equipment, 2)
  if (equipment === undefined || code === '') return null
  if (/^[0-9A-Z]{4}$/.test(code)) return code
  const at = { path: pathTo(equipment, 2), lost: 'field' } as const
  issues.addOnce('unknown_code', at, `${quoted(code)} is not an ISO 6346 size-type code`)
  return null
}

/** The carrier's seal is the one on the bill; without it the shipper's is chosen, else any. */
function sealOf(group: readonly Segment[]): string | null {
  const rank = (seal: Segment): number => {
    const index = ['CA', 'SH'].indexOf(codeOf(seal, 1))
    return index < 0 ? 9 : index
  }
  const seals = segmentsOf(group, 'SEL').filter((seal) => textOf(seal, 0) !== '')
  const [best] = seals.toSorted((a, b) => rank(a) - rank(b))
  return best === undefined ? null : textOf(best, 0)
}

const kilograms: Readonly<Record<string, number>> = { KGM: 1, TNE: 1_000, LBR: 0.453_592_37 }
/** No box is heavier. */
const weightKgMax = 100_000

/** The verified gross mass, else the gross weight. The tare is not used: it is the weight of the box without cargo. */
function weightOf(group: readonly Segment[], { issues }: ReadContext): number | null {
  const measures = segmentsOf(group, 'MEA', ['AAE', 'WT'])
  const measure = ['VGM', 'G'].flatMap((kind) => measures.filter((each) => codeOf(each, 1) === kind))[0]
  if (measure === undefined) return null
  const [unit, text] = [codeOf(measure, 2), textOf(measure, 2, 1)]
  const factor = kilograms[unit]
  const value = /^[0-9]{1,9}(?:[.,][0-9]{1,6})?$/.test(text) ? Number(text.replace(',', '.')) : null
  const kg = factor === undefined || value === null ? null : Math.round(value * factor * 1_000) / 1_000
  if (kg !== null && kg > 0 && kg <= weightKgMax) return kg
  const at = { path: pathTo(measure, 2), lost: 'field' } as const
  issues.addOnce('wrong_type', at, `${quoted(text)} ${quoted(unit)} is not a weight of a container`)
  return null
}

/** `EQA+CH` in the box's group, else the only chassis beside the only box. */
export function chassisOf(group: readonly Segment[], beside: Segment | null): string | null {
  const [attached] = segmentsOf(group, 'EQA', ['CH'])
  const chassis = attached ?? beside
  return chassis === null ? null : codeOf(chassis, 1).replace(/\s+/g, '') || null
}
