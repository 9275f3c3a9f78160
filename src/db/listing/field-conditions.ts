/**
 * Conditions on the values of custom fields: an equal value, or one of several choices. The index of values finds them.
 */

import type { FieldValue } from '../../domain/values/custom-field.ts'
import type { ConditionsMaker } from './conditions.ts'

export interface FieldCondition {
  readonly definitionId: string
  /** One choice, where the field has several choices. */
  readonly value: Exclude<FieldValue, null>
}

/**
 * `alias` is that of the list's table, whose rows have the fields. By `@>`, a list of choices contains a single choice
 * too.
 */
export function addFieldConditions(
  { addText, bind }: ConditionsMaker,
  alias: string,
  fields: readonly FieldCondition[] | undefined,
): void {
  for (const field of fields ?? []) addText(`${alias}.id in ${entitiesWith(field, bind)}`)
}

/** A subquery: the ids of what has this value. The account is `$1`. */
export function entitiesWith({ definitionId, value }: FieldCondition, bind: (value: unknown) => string): string {
  const definition = `${bind(definitionId)}::uuid`
  const wanted = `${bind(JSON.stringify(value))}::jsonb`
  return `(select f.entity_id from custom_fields f
       where f.account_id = $1 and f.definition_id = ${definition} and f.value @> ${wanted}
         and field_terms(f.account_id, f.definition_id, f.value) @> field_terms($1, ${definition}, ${wanted}))`
}
