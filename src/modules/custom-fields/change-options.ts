/**
 * Adds, changes and removes options of a custom field. An option that a value uses cannot be removed, and its own value
 * cannot change.
 */

import { type Db, inTransaction } from '../../db/database.ts'
import { uuidV7 } from '../../platform/ids.ts'
import { type Context, requireScope } from '../access/context.ts'
import { diffOf, recordChange } from '../audit/record-change.ts'
import { notFound, refusedAt, ServiceError } from '../errors.ts'
import { type PreconditionCheck, requireCurrent } from '../require-current.ts'
import { realNow, type Service } from '../service.ts'
import { type FieldDefinition, lockDefinition } from './custom-field-definitions-sql.ts'
import {
  countUses,
  deleteOption as deleteRow,
  type FieldOption,
  insertOption,
  optionsOf,
  updateOption as updateRow,
} from './custom-field-options-sql.ts'

export interface OptionInput {
  readonly label: string
  readonly value: string
  readonly position: number | null
}

const fields = ['definitionId', 'label', 'value', 'position'] as const
const optionsMax = 500

export async function createOption(
  service: Service,
  context: Context,
  { definitionId, ...input }: { readonly definitionId: string } & OptionInput,
): Promise<FieldOption> {
  requireScope(context, 'write')
  const accountId = context.account.id
  return inTransaction(service.pool, async (db) => {
    const definition = await lockDefinition(db, { accountId, id: definitionId })
    if (definition === null) throw notFound('custom field definition')
    if (definition.dataType !== 'enum' && definition.dataType !== 'enum_multi')
      throw refusedAt('/data', `A field of the data type ${definition.dataType} has no options.`)
    const others = await optionsOf(db, { accountId, definitionIds: [definitionId] })
    if (others.length >= optionsMax) throw new ServiceError('conflict', `A field has at most ${optionsMax} options.`)
    const at = realNow(service)
    const option: FieldOption = {
      ...checkInput(input),
      accountId,
      id: uuidV7(service.clock.now()),
      definitionId,
      createdAt: at,
      updatedAt: at,
    }
    if (!(await insertOption(db, option))) throw duplicateValueError(option)
    await recordOptionChange(db, service, context, { done: 'created', before: null, after: option })
    return option
  })
}

/**
 * Fields that are left out stay. The label and the position can always be changed; the value only while nothing uses
 * the option.
 */
export async function updateOption(
  service: Service,
  context: Context,
  {
    definitionId,
    id,
    ifCurrent,
    ...given
  }: {
    readonly definitionId: string
    readonly id: string
    readonly ifCurrent?: PreconditionCheck<FieldOption> | null
  } & Partial<OptionInput>,
): Promise<FieldOption> {
  requireScope(context, 'write')
  return inTransaction(service.pool, async (db) => {
    const { definition, option, others } = await lockOption(db, context, { definitionId, id })
    requireCurrent(ifCurrent, option)
    const next = { ...option, ...checkInput({ ...option, ...given }), updatedAt: realNow(service) }
    const diff = diffOf(option, next, fields)
    if (diff === null) return option
    if (next.value !== option.value) {
      if (others.some(({ value }) => value === next.value)) throw duplicateValueError(next)
      await refuseUsedOption(db, definition, option)
    }
    await updateRow(db, next)
    await recordOptionChange(db, service, context, { done: 'updated', before: option, after: next })
    return next
  })
}

/** Returns the option as it was. Refused (409) while a value, or the field's default, is set to it. */
export async function deleteOption(
  service: Service,
  context: Context,
  key: { readonly definitionId: string; readonly id: string },
): Promise<FieldOption> {
  requireScope(context, 'write')
  return inTransaction(service.pool, async (db) => {
    const { definition, option } = await lockOption(db, context, key)
    await refuseUsedOption(db, definition, option)
    await deleteRow(db, { accountId: option.accountId, id: option.id })
    await recordOptionChange(db, service, context, { done: 'deleted', before: option, after: null })
    return option
  })
}

async function lockOption(
  db: Db,
  context: Context,
  { definitionId, id }: { readonly definitionId: string; readonly id: string },
): Promise<{
  readonly definition: FieldDefinition
  readonly option: FieldOption
  readonly others: readonly FieldOption[]
}> {
  const accountId = context.account.id
  const definition = await lockDefinition(db, { accountId, id: definitionId })
  const options = definition === null ? [] : await optionsOf(db, { accountId, definitionIds: [definition.id] })
  const option = options.find((each) => each.id === id)
  if (definition === null || option === undefined) throw notFound('custom field option')
  return { definition, option, others: options.filter((each) => each !== option) }
}

async function refuseUsedOption(db: Db, definition: FieldDefinition, option: FieldOption): Promise<void> {
  const isDefault = [definition.defaultValue].flat().includes(option.value)
  const uses = await countUses(db, option)
  if (!isDefault && uses === 0) return
  const holders = [...(uses > 0 ? [`${uses} value(s)`] : []), ...(isDefault ? ['the default'] : [])]
  throw new ServiceError('conflict', `\`${option.value}\` is in use by ${holders.join(' and ')}; change these first.`, {
    meta: { values: uses, is_default: isDefault },
  })
}

function checkInput({ label, value, position }: OptionInput): OptionInput {
  const normalized = { label: label.trim(), value: value.trim(), position }
  for (const name of ['label', 'value'] as const) {
    if (normalized[name] === '') throw refusedAt(`/data/attributes/${name}`, `An option needs a ${name}.`)
  }
  return normalized
}

function duplicateValueError({ value }: FieldOption): ServiceError {
  return new ServiceError('duplicate', `There is an option \`${value}\` already.`, {
    source: { pointer: '/data/attributes/value' },
  })
}

async function recordOptionChange(
  db: Db,
  service: Service,
  context: Context,
  { done, before, after }: { done: string; before: FieldOption | null; after: FieldOption | null },
): Promise<void> {
  await recordChange(db, service, context, {
    action: `custom_field_option.${done}`,
    target: { type: 'custom_field_option', id: (after ?? before)?.id ?? null },
    diff: diffOf(before, after, fields),
  })
}
