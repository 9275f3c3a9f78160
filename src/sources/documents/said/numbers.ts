/** The numbers by which a document is heard: its bill, its booking and its boxes, as far as they count. */

import { inOrder } from '../../json-delivery.ts'
import { IssueList } from '../../source-issue.ts'
import type { SpokenOf } from '../../told.ts'
import { boxesIn } from './boxes.ts'
import { openFields } from './fields.ts'
import { fieldNames, speakingTypes } from './names.ts'
import { referenceOf } from './observe.ts'
import type { SaidPaper } from './word.ts'

/** None for a kind of document that says nothing of a journey. */
export function numbersSaid({ type, fields }: SaidPaper): readonly SpokenOf[] {
  if (!speakingTypes.has(type)) return []
  const issues = new IssueList(1)
  const all = openFields(fields)
  const bill = referenceOf(all.find(fieldNames.bill), { issues })
  const booking = referenceOf(all.find(fieldNames.booking), { issues })
  return inOrder([
    ...(bill === null ? [] : [{ kind: 'bill_of_lading', number: bill } as const]),
    ...(booking === null ? [] : [{ kind: 'booking', number: booking } as const]),
    ...boxesIn(all, issues).map(({ number }) => ({ kind: 'container', number }) as const),
  ])
}
