/** The boxes that a document lists, and what it says of each: size, seal and weight. */

import { parseContainerNumber } from '../../../core/values/identifiers.ts'
import type { IssueList } from '../../source-issue.ts'
import { lose, type SaidBox, type SaidContext, type Stated, statedFact, textOf } from './context.ts'
import type { Fields } from './fields.ts'
import { listNames } from './names.ts'
import type { SaidField } from './word.ts'

const { box: names } = listNames

/** A box that is listed twice counts once, by its first entry. */
export function boxesIn(fields: Fields, issues: IssueList): readonly SaidBox[] {
  const boxes = new Map<string, SaidBox>()
  for (const element of fields.list(listNames.containers)) {
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
  return context.boxes.flatMap(({ number: equipment, fields }) => {
    const [size, seal, weight] = [names.size, names.seal, names.weightKg].map((each) => fields.find(each))
    const code = sizeTypeOf(size ?? null, context)
    const [sealNumber, kg] = [textOf(seal ?? null), kgOf(weight ?? null, context)]
    return [
      ...(code === null
        ? []
        : [statedFact(context, { fact: 'size_type', value: code, equipment }, [size ?? null])]),
      ...(sealNumber === null
        ? []
        : [statedFact(context, { fact: 'seal_number', value: sealNumber, equipment }, [seal ?? null])]),
      ...(kg === null
        ? []
        : [statedFact(context, { fact: 'weight_kg', value: kg, equipment }, [weight ?? null])]),
    ]
  })
}

/** Only codes of ISO 6346: `40HC` has a meaning of its own for each line. */
function sizeTypeOf(field: SaidField | null, context: SaidContext): string | null {
  const text = textOf(field)?.toUpperCase() ?? null
  if (field === null || text === null) return null
  if (/^[0-9A-Z]{4}$/.test(text)) return text
  return lose(context, field, { kind: 'unknown_code', detail: 'this is not an ISO 6346 size-type code' })
}

const kgMax = 1_000_000

function kgOf(field: SaidField | null, context: SaidContext): number | null {
  if (field === null) return null
  const kg = typeof field.value === 'number' ? field.value : Number(textOf(field) ?? 'NaN')
  if (Number.isFinite(kg) && kg > 0 && kg <= kgMax) return Math.round(kg * 1_000) / 1_000
  return lose(context, field, { kind: 'wrong_type', detail: 'a weight was expected' })
}
