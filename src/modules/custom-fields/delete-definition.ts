/** Deletes a custom field with its options and all its values. */

import { inTransaction } from '../../db/database.ts'
import { type Context, requireScope } from '../access/context.ts'
import { diffOf, recordChange } from '../audit/record-change.ts'
import { notFound } from '../errors.ts'
import type { Service } from '../service.ts'
import { definitionFields } from './create-definition.ts'
import { deleteDefinition as deleteRow, type FieldDefinition, lockDefinition } from './custom-field-definitions-sql.ts'
import { countFieldsOf } from './custom-fields-sql.ts'

/** Returns the definition as it was. */
export async function deleteDefinition(
  service: Service,
  context: Context,
  { id }: { readonly id: string },
): Promise<FieldDefinition> {
  requireScope(context, 'write')
  const accountId = context.account.id
  return inTransaction(service.pool, async (db) => {
    const definition = await lockDefinition(db, { accountId, id })
    if (definition === null) throw notFound('custom field definition')
    const values = await countFieldsOf(db, { accountId, definitionId: id })
    await deleteRow(db, { accountId, id })
    await recordChange(db, service, context, {
      action: 'custom_field_definition.deleted',
      target: { type: 'custom_field_definition', id },
      diff: { ...diffOf(definition, null, definitionFields), values: [values, 0] },
    })
    return definition
  })
}
