/** Whether the line and customs had released the goods when the document was written. */

import type { HoldWord } from '../../../core/statements/observation.ts'
import { eachBox, lose, type SaidContext, type Stated, statedFact, textOf } from './context.ts'
import { fieldNames } from './names.ts'
import type { SaidField } from './word.ts'

export function readReleases(context: SaidContext): readonly Stated[] {
  const [freight, customs] = [
    context.fields.find(fieldNames.freightRelease),
    context.fields.find(fieldNames.customsRelease),
  ]
  return [
    // Freight that is not paid is held. Customs that have not spoken yet may never inspect the goods.
    ...statedHold(context, freight, { name: 'freight', otherwise: 'hold' }),
    ...statedHold(context, customs, { name: 'customs', otherwise: 'pending' }),
  ]
}

function statedHold(
  context: SaidContext,
  field: SaidField | null,
  { name, otherwise }: { readonly name: HoldWord['name']; readonly otherwise: 'hold' | 'pending' },
): readonly Stated[] {
  const isReleased = field === null ? null : isRelease(field, context)
  if (isReleased === null) return []
  const value: HoldWord = { name, status: isReleased ? 'released' : otherwise, description: null }
  return eachBox(context).map((equipment) =>
    statedFact(context, { fact: 'hold', value, equipment, which: name }, [field]),
  )
}

function isRelease(field: SaidField, context: SaidContext): boolean | null {
  if (typeof field.value === 'boolean') return field.value
  const text = textOf(field)?.toLowerCase() ?? ''
  if (/^(released|cleared|yes|y)$/.test(text)) return true
  if (/^(not[ _]released|not[ _]cleared|pending|hold|held|no|n)$/.test(text)) return false
  return lose(context, field, { kind: 'unknown_code', detail: 'this is no word for a release' })
}
