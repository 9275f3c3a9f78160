/** Deletes a value of a custom field; the definition stays. */

import { inTransaction } from '../../../store/database.ts'
import type { CustomFieldReading } from '../../../store/read/custom-fields.ts'
import { deleteField as deleteRow, lockField } from '../../../store/tracking/custom-fields.ts'
import { type Context, requireScope } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { diffOf, recordChange } from '../../people/audit/record-change.ts'
import type { Service } from '../../service.ts'
import { getField } from './get-field.ts'

/** Returns the value as it was. */
export async function deleteField(
  service: Service,
  context: Context,
  { id }: { readonly id: string },
): Promise<CustomFieldReading> {
  requireScope(context, 'write')
  const field = await getField(service, context, { id })
  await inTransaction(service.pool, async (db) => {
    const standing = await lockField(db, { accountId: context.account.id, id })
    if (standing === null) throw notFound('custom field')
    await deleteRow(db, standing)
    await recordChange(db, service, context, {
      action: 'custom_field.deleted',
      target: { type: 'custom_field', id },
      diff: diffOf(standing, null, ['definitionId', 'entityId', 'value']),
    })
  })
  return field
}
