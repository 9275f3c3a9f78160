/** The boxes that a document lists, and what it says of each: size, seal, weight and pick-up number. */

import { parseContainerNumber } from '../../../core/values/identifiers.ts'
import type { IssueList } from '../../source-issue.ts'
import {
  lose,
  type SaidBox,
  type SaidContext,
  type SaidFact,
  type Stated,
  statedFact,
  textOf,
} from './context.ts'
import type { Fields } from './fields.ts'
import { fieldNames, memberNames } from './names.ts'
import type { SaidField } from './word.ts'

const { box: names } = memberNames

/** A box that is listed twice counts once, by its first entry. */
export function boxesIn(fields: Fields, issues: IssueList): readonly SaidBox[] {
  const boxes = new Map<string, SaidBox>()
  for (const element of fields.list(fieldNames.containers)) {
    const number = boxNumberOf(element.find(names.number), issues)
    if (number !== null && !boxes.has(number)) boxes.set(number, { number, fields: element })
  }
  return [...boxes.values()]
}

/** Null, with an issue, for a number whose check digit does not fit: it was misread. */
export function boxNumberOf(field: SaidField | null, issues: IssueList): string | null {
  const text = textOf(field)
  if (field === null || text === null) return null
  const number = parseContainerNumber(text)
  if (number.ok) return number.value
  return lose({ issues }, field, { kind: 'bad_equipment', detail: number.reason.replaceAll('_', ' ') })
}

export function readBoxes(context: SaidContext): readonly Stated[] {
  return context.boxes.flatMap((box) => {
    const { number: equipment, fields } = box
    const size = fields.find(names.size)
    const [seal = null] = fields.list(names.seals).map((element) => element.find())
    const weight = weightOf(box, context)
    const pickup = fields.find(names.pickupNumber)
    const said = <Name extends SaidFact['fact']>(fact: Name, value: unknown, field: SaidField | null) =>
      value === null ? [] : [statedFact(context, { fact, value, equipment } as SaidFact, [field])]
    return [
      ...said('size_type', sizeTypeOf(size), size),
      ...said('seal_number', textOf(seal), seal),
      ...said('weight_kg', kgOf(weight, context), weight),
      ...said('pickup_number', textOf(pickup), pickup),
    ]
  })
}

/** The weight of all is that of the only box, where the document lists one and gives it none of its own. */
function weightOf({ fields }: SaidBox, { boxes, fields: all }: SaidContext): SaidField | null {
  return fields.find(names.weight) ?? (boxes.length === 1 ? all.find(fieldNames.totalWeight) : null)
}

/** Only codes of ISO 6346: what `40HC` means is for each line to say. */
function sizeTypeOf(field: SaidField | null): string | null {
  const text = textOf(field)?.toUpperCase() ?? ''
  return /^[1-9A-Z][0-9A-Z][A-Z][0-9A-Z]$/.test(text) ? text : null
}

const kgMax = 1_000_000

function kgOf(field: SaidField | null, context: SaidContext): number | null {
  if (field === null) return null
  const kg = typeof field.value === 'number' ? field.value : Number(textOf(field) ?? 'NaN')
  if (Number.isFinite(kg) && kg > 0 && kg <= kgMax) return Math.round(kg * 1_000) / 1_000
  return lose(context, field, { kind: 'wrong_type', detail: 'a weight was expected' })
}
