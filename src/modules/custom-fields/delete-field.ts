/** Deletes a value of a custom field; the definition stays. */

import { inTransaction } from '../../db/database.ts'
import { type Context, requireScope } from '../access/context.ts'
import { diffOf, recordChange } from '../audit/record-change.ts'
import { notFound } from '../errors.ts'
import type { Service } from '../service.ts'
import { deleteField as deleteRow, lockField } from './custom-fields-sql.ts'
import { getField } from './get-field.ts'
import type { CustomFieldReading } from './list-custom-fields-sql.ts'

/** Returns the value as it was. */
export async function deleteField(
  service: Service,
  context: Context,
  { id }: { readonly id: string },
): Promise<CustomFieldReading> {
  requireScope(context, 'write')
  const field = await getField(service, context, { id })
  await inTransaction(service.pool, async (db) => {
    const stored = await lockField(db, { accountId: context.account.id, id })
    if (stored === null) throw notFound('custom field')
    await deleteRow(db, stored)
    await recordChange(db, service, context, {
      action: 'custom_field.deleted',
      target: { type: 'custom_field', id },
      diff: diffOf(stored, null, ['definitionId', 'entityId', 'value']),
    })
  })
  return field
}
