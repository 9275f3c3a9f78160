/** What a list is selected from: its table, or its table along the labels that its rows must have (migration 0124). */

import type { Conditions } from './conditions.ts'

interface From {
  readonly table: string
  readonly alias: string
  /** The column that labels are sorted by is always equal to this one. */
  readonly sort: { readonly column: string }
  readonly conditions: Pick<Conditions, 'labels'>
}

/** The planner sees that the order of a label is the order of the list, and that each row has a label once. */
export function fromOf({ table, alias, sort, conditions }: From): string {
  const joins = conditions.labels.map(
    (term, place) => `join labels l${place} on ${labelled(term, place)}
       and l${place}.at = ${alias}.${sort.column} and l${place}.id = ${alias}.id`,
  )
  return [`${table} ${alias}`, ...joins].join('\n  ')
}

/** Labels alone, as the rest of a statement that counts them; null where nothing is asked of the labels. */
export function labelsAlone({ labels }: Pick<Conditions, 'labels'>): string | null {
  const [first, ...others] = labels
  if (first === undefined) return null
  const joins = others.map(
    (term, at) => `join labels l${at + 1} on ${labelled(term, at + 1)} and l${at + 1}.id = l0.id`,
  )
  return `${['labels l0', ...joins].join('\n  ')} where ${labelled(first, 0)}`
}

function labelled(term: string, place: number): string {
  return `l${place}.account_id = $1 and l${place}.term = ${term}`
}
