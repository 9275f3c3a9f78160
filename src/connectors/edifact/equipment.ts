/**
 * A container as its group of segments describes it: empty or full, size and type, seal, weight, chassis. Damage is not
 * read.
 */

import type { EmptyIndicator } from '../../domain/values/codes.ts'
import { isSealPlaceholder } from '../placeholders.ts'
import { quoteValue } from '../source-issue.ts'
import type { ReadContext } from './context.ts'
import { codeOf, pathTo, segmentsOf, textOf } from './fields.ts'
import type { Segment } from './segments.ts'
import type { StatedFact } from './statements.ts'

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

export function readLoad(equipment: Segment): EmptyIndicator | null {
  return loads[codeOf(equipment, 5)] ?? loadsOfStatus[codeOf(equipment, 4)] ?? null
}

export function containerFacts(
  group: readonly Segment[],
  container: { readonly number: string; readonly load: EmptyIndicator | null },
  context: ReadContext,
): readonly StatedFact[] {
  const stateFact = (fact: 'size_type' | 'seal_number', value: string | null): readonly StatedFact[] =>
    value === null ? [] : [{ fact, value, equipment: container.number }]
  const { weight, verified } = container.load === 'EMPTY' ? nothingWeighed : weightsOf(group, context)
  return [
    ...stateFact('size_type', sizeTypeOf(group, context)),
    ...stateFact('seal_number', sealOf(group)),
    ...(weight === null ? [] : [{ fact: 'weight_kg', value: weight, equipment: container.number } as const]),
    ...(verified === null
      ? []
      : [{ fact: 'verified_gross_mass_kg', value: verified, equipment: container.number } as const]),
  ]
}

function sizeTypeOf(group: readonly Segment[], { issues }: ReadContext): string | null {
  const [equipment] = segmentsOf(group, 'EQD', ['CN'])
  const code = equipment === undefined ? '' : codeOf(equipment, 2)
  if (equipment === undefined || code === '') return null
  if (/^[0-9A-Z]{4}$/.test(code)) return code
  const at = { path: pathTo(equipment, 2), lost: 'field' } as const
  issues.addOnce('unknown_code', at, `${quoteValue(code)} is not an ISO 6346 size-type code`)
  return null
}

/** The carrier's seal has priority, because it is on the bill; then the shipper's seal, then any other. */
function sealOf(group: readonly Segment[]): string | null {
  const rank = (seal: Segment): number => {
    const index = ['CA', 'SH'].indexOf(codeOf(seal, 1))
    return index < 0 ? 9 : index
  }
  const seals = segmentsOf(group, 'SEL').filter((seal) => textOf(seal, 0) !== '')
  const numbered = seals.filter((seal) => !isSealPlaceholder(textOf(seal, 0)))
  const [best] = (numbered.length === 0 ? seals : numbered).toSorted((a, b) => rank(a) - rank(b))
  return best === undefined ? null : textOf(best, 0)
}

const kilograms: Readonly<Record<string, number>> = { KGM: 1, TNE: 1_000, LBR: 0.453_592_37 }
/** No container is heavier. */
const weightKgMax = 100_000

const nothingWeighed = { weight: null, verified: null }

/**
 * The weight is the verified gross mass, else the gross weight, else the estimated one (6313: VGM, G, EGW). The tare is
 * not used: it is the weight of the container without cargo.
 */
function weightsOf(group: readonly Segment[], context: ReadContext) {
  const measures = segmentsOf(group, 'MEA', ['AAE', 'WT'])
  const find = (kind: string) => measures.find((each) => codeOf(each, 1) === kind)
  const vgm = find('VGM')
  const verified = kilogramsIn(vgm, context)
  return { verified, weight: vgm === undefined ? kilogramsIn(find('G') ?? find('EGW'), context) : verified }
}

function kilogramsIn(measure: Segment | undefined, { issues }: ReadContext): number | null {
  if (measure === undefined) return null
  const [unit, text] = [codeOf(measure, 2), textOf(measure, 2, 1)]
  const factor = kilograms[unit]
  const value = /^[0-9]{1,9}(?:[.,][0-9]{1,6})?$/.test(text) ? Number(text.replace(',', '.')) : null
  const kg = factor === undefined || value === null ? null : Math.round(value * factor * 1_000) / 1_000
  if (kg !== null && kg > 0 && kg <= weightKgMax) return kg
  const at = { path: pathTo(measure, 2), lost: 'field' } as const
  issues.addOnce('wrong_type', at, `${quoteValue(text)} ${quoteValue(unit)} is not a weight of a container`)
  return null
}

/** `EQA+CH` in the container's group, else the only chassis beside the only container. */
export function chassisOf(group: readonly Segment[], beside: Segment | null): string | null {
  const [attached] = segmentsOf(group, 'EQA', ['CH'])
  const chassis = attached ?? beside
  return chassis === null ? null : codeOf(chassis, 1).replace(/\s+/g, '') || null
}
