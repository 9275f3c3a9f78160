/** What a list is selected from: its table, or its table along the labels that its rows must have (migration 0122). */

import type { Conditions } from './conditions.ts'

interface From {
  readonly table: string
  readonly alias: string
  readonly conditions: Conditions
}

/** `bounds`: further conditions. */
export function writeFromClause({ table, alias, conditions }: From, bounds: readonly string[] = []): string {
  const { labels, texts } = conditions
  const where = [...texts, ...labels.map(writeLabelCondition), ...bounds].join('\n  and ')
  if (labels.length === 0) return `${table} ${alias} where ${where}`
  const whole = `join ${table} ${alias} on ${alias}.id = l0.id`
  return `${[...labelsJoined(labels), whole].join('\n  ')} where ${where}`
}

/**
 * Labels alone, where they already decide which rows are listed: then only the rows of the page are read. Null where
 * there are other conditions.
 */
export function writeLabelsFromClause({ conditions }: From, bounds: readonly string[] = []): string | null {
  const { labels, texts, hints } = conditions
  // The first text names the account.
  if (labels.length === 0 || texts.length + hints.length > 1) return null
  return `${labelsJoined(labels).join('\n  ')} where ${[...labels.map(writeLabelCondition), ...bounds].join('\n  and ')}`
}

function labelsJoined(labels: readonly string[]): readonly string[] {
  return labels.map((_, at) => (at === 0 ? 'labels l0' : `join labels l${at} on l${at}.id = l0.id`))
}

function writeLabelCondition(term: string, at: number): string {
  return `l${at}.account_id = $1 and l${at}.term = ${term}`
}
