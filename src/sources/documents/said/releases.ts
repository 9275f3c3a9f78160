/** Whether the line and customs had released the goods when the document was written. */

import type { HoldWord } from '../../../core/statements/observation.ts'
import { holdOfCustoms, holdOfFreight } from '../../arrival-notice/releases.ts'
import { eachBox, type SaidContext, type Stated, statedFact } from './context.ts'
import { fieldNames } from './names.ts'
import type { SaidField } from './word.ts'

export function readReleases(context: SaidContext): readonly Stated[] {
  const [freight, bill, customs] = [
    fieldNames.isFreightReleased,
    fieldNames.isBillReceived,
    fieldNames.isCustomsReleased,
  ].map((name) => context.fields.find(name))
  return [
    ...held(context, holdOfFreight({ isReleased: flagOf(freight), isBillReceived: flagOf(bill) }), [
      freight ?? bill,
      bill,
    ]),
    ...held(context, holdOfCustoms(flagOf(customs)), [customs]),
  ]
}

function held(
  context: SaidContext,
  value: HoldWord | null,
  fields: readonly (SaidField | null | undefined)[],
): readonly Stated[] {
  if (value === null) return []
  const of = fields.filter((field) => field !== undefined)
  return eachBox(context).map((equipment) =>
    statedFact(context, { fact: 'hold', value, equipment, which: value.name }, of),
  )
}

function flagOf(field: SaidField | null | undefined): boolean | null {
  return typeof field?.value === 'boolean' ? field.value : null
}
