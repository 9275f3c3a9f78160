/** Changes the value of a custom field. */

import type { FieldValue } from '../../../core/values/custom-field.ts'
import { type Db, inTransaction } from '../../../store/database.ts'
import { type CustomFieldReading, readCustomFields } from '../../../store/read/custom-fields.ts'
import { holdDefinition } from '../../../store/tracking/custom-field-definitions.ts'
import { type FieldRow, lockField, updateField as updateRow } from '../../../store/tracking/custom-fields.ts'
import { type Context, requireScope } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { type IfCurrent, requireCurrent } from '../../ground/if-current.ts'
import { changedBy, diffOf, recordChange } from '../../people/audit/record-change.ts'
import type { Service } from '../../service.ts'
import { checkValue } from './check-value.ts'
import { getField } from './get-field.ts'

export async function updateField(
  service: Service,
  context: Context,
  input: {
    readonly id: string
    readonly value: unknown
    readonly ifCurrent?: IfCurrent<CustomFieldReading> | null
  },
): Promise<void> {
  requireScope(context, 'write')
  const accountId = context.account.id
  const { definitionId } = await getField(service, context, { id: input.id })
  await inTransaction(service.pool, async (db) => {
    // Locks the definition first, in the same order as its deletion does.
    const definition = await holdDefinition(db, { accountId, id: definitionId })
    const standing = await lockField(db, { accountId, id: input.id })
    if (definition === null || standing === null) throw notFound('custom field')
    if (input.ifCurrent != null)
      requireCurrent(input.ifCurrent, (await readCustomFields(db, { accountId, ids: [input.id] }))[0])
    const value = await checkValue(db, service, definition, {
      value: input.value,
      pointer: '/data/attributes/value',
    })
    await writeValue(db, service, context, { standing, value })
  })
}

/** The row is locked by the caller. The same value again changes nothing. */
export async function writeValue(
  db: Db,
  service: Service,
  context: Context,
  { standing, value }: { readonly standing: FieldRow; readonly value: FieldValue },
): Promise<void> {
  const by = changedBy(service, context)
  const next: FieldRow = { ...standing, value, updatedAt: by.at, lastChangedBy: by }
  const diff = diffOf(standing, next, ['value'])
  if (diff === null) return
  await updateRow(db, next)
  await recordChange(db, service, context, {
    action: 'custom_field.updated',
    target: { type: 'custom_field', id: standing.id },
    diff,
  })
}
