/** Changes the value of a custom field. */

import { type Db, inTransaction } from '../../db/database.ts'
import type { FieldValue } from '../../domain/values/custom-field.ts'
import { type Context, requireScope } from '../access/context.ts'
import { changedBy, diffOf, recordChange } from '../audit/record-change.ts'
import { notFound } from '../errors.ts'
import { type PreconditionCheck, requireCurrent } from '../require-current.ts'
import type { Service } from '../service.ts'
import { checkValue } from './check-value.ts'
import { lockDefinitionForShare } from './custom-field-definitions-sql.ts'
import { type FieldRow, lockField, updateField as updateRow } from './custom-fields-sql.ts'
import { getField } from './get-field.ts'
import { type CustomFieldReading, readCustomFields } from './list-custom-fields-sql.ts'

export async function updateField(
  service: Service,
  context: Context,
  input: {
    readonly id: string
    readonly value: unknown
    readonly ifCurrent?: PreconditionCheck<CustomFieldReading> | null
  },
): Promise<void> {
  requireScope(context, 'write')
  const accountId = context.account.id
  const { definitionId } = await getField(service, context, { id: input.id })
  await inTransaction(service.pool, async (db) => {
    // Locks the definition first, in the same order as its deletion does.
    const definition = await lockDefinitionForShare(db, { accountId, id: definitionId })
    const stored = await lockField(db, { accountId, id: input.id })
    if (definition === null || stored === null) throw notFound('custom field')
    if (input.ifCurrent != null)
      requireCurrent(input.ifCurrent, (await readCustomFields(db, { accountId, ids: [input.id] }))[0])
    const value = await checkValue(db, service, definition, {
      value: input.value,
      pointer: '/data/attributes/value',
    })
    await writeValue(db, service, context, { stored, value })
  })
}

/** The row is locked by the caller. The same value again changes nothing. */
export async function writeValue(
  db: Db,
  service: Service,
  context: Context,
  { stored, value }: { readonly stored: FieldRow; readonly value: FieldValue },
): Promise<void> {
  const by = changedBy(service, context)
  const next: FieldRow = { ...stored, value, updatedAt: by.at, lastChangedBy: by }
  const diff = diffOf(stored, next, ['value'])
  if (diff === null) return
  await updateRow(db, next)
  await recordChange(db, service, context, {
    action: 'custom_field.updated',
    target: { type: 'custom_field', id: stored.id },
    diff,
  })
}
