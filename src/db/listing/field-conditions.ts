/**
 * Conditions on the values of custom fields: an equal value, or one of several choices, which the index of values finds;
 * in the list of containers a part of a text or choice, of the container or of its shipment.
 */

import type { FieldValue } from '../../domain/values/custom-field.ts'
import type { Db } from '../database.ts'
import type { ConditionsMaker } from './conditions.ts'
import { manyMin } from './find-by-values.ts'

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

export interface TextCondition {
  /** Fields of the container and of its shipment. */
  readonly definitionIds: readonly string[]
  readonly demand: { readonly isPresent: boolean } | { readonly anyOf: readonly string[] }
}

/** The index has three and five neighbouring characters. */
const partMin = 3

const eachText = `jsonb_array_elements_text(case jsonb_typeof(f.value) when 'array' then f.value else jsonb_build_array(f.value) end)`
const containsSql = (part: string): string => `exists (select from ${eachText} as v(t) where strpos(v.t, ${part}) > 0)`

/**
 * Rows `c` of containers. The account is `$1`. The index of parts (migration 0133) finds values when they are few;
 * otherwise each row is compared.
 */
export async function addTextConditions(
  db: Db,
  conditions: ConditionsMaker,
  of: { readonly accountId: string; readonly fields: readonly TextCondition[] | undefined },
): Promise<void> {
  for (const { definitionIds, demand } of of.fields ?? []) {
    const hasValue = (condition: string): string =>
      `exists (select from custom_fields f
         where f.account_id = $1 and f.entity_id in (c.id, c.shipment_id) and f.value <> 'null'
           and f.definition_id = any(${conditions.bind(definitionIds)}::uuid[]) ${condition})`
    if ('isPresent' in demand) {
      conditions.addText(`${demand.isPresent ? '' : 'not '}${hasValue('')}`)
      continue
    }
    const few = await findEntities(db, { accountId: of.accountId, definitionIds, anyOf: demand.anyOf })
    if (few === null) {
      const parts = demand.anyOf.map((part) => containsSql(`${conditions.bind(part)}::text`))
      conditions.addText(hasValue(`and (${parts.join(' or ')})`))
    } else {
      const ids = `any(${conditions.bind(few)}::uuid[])`
      conditions.addFewText(`(c.id = ${ids} or c.shipment_id = ${ids})`)
    }
  }
}

/** Ids of the containers and shipments with such a value; null when there are many, or a part is short. */
async function findEntities(
  db: Db,
  of: { readonly accountId: string; readonly definitionIds: readonly string[]; readonly anyOf: readonly string[] },
): Promise<readonly string[] | null> {
  if (of.anyOf.some((part) => part.length < partMin)) return null
  const values: unknown[] = [of.accountId]
  const each = of.definitionIds.flatMap((id) =>
    of.anyOf.map((text) => {
      const [definition, part] = [`$${values.push(id)}::uuid`, `$${values.push(text)}::text`]
      return `select f.entity_id from custom_fields f
               where f.account_id = $1 and f.definition_id = ${definition} and jsonb_typeof(f.value) in ('string', 'array')
                 and search_grams(f.account_id, f.definition_id::text, f.value #>> '{}')
                     @> search_part($1, ${definition}::text, ${part}) and ${containsSql(part)}`
    }),
  )
  const { rows } = await db.query<{ id: string }>({
    text: `select entity_id as id from (${each.join(' union all ')}) as found limit ${manyMin}`,
    values,
  })
  return rows.length < manyMin ? [...new Set(rows.map(({ id }) => id))] : null
}
