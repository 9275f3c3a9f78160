/**
 * Whether a value fits its field. Checks the data type and rules first, then what needs a lookup: options, patterns,
 * references.
 */

import type { Db } from '../../db/database.ts'
import { type FieldValue, readFieldValue } from '../../domain/values/custom-field.ts'
import { refusedAt, type ServiceError } from '../errors.ts'
import type { Service } from '../service.ts'
import type { FieldDefinition } from './custom-field-definitions-sql.ts'
import { optionsOf } from './custom-field-options-sql.ts'
import { entityExists } from './custom-fields-sql.ts'
import { matchesPattern } from './pattern.ts'

/** Returns the value in the form in which it is stored. `pointer`: where it is in the body. */
export async function checkValue(
  db: Db,
  service: Service,
  definition: Pick<FieldDefinition, 'accountId' | 'id' | 'apiSlug' | 'dataType' | 'validation' | 'referenceType'>,
  given: { readonly value: unknown; readonly pointer: string },
): Promise<FieldValue> {
  const { accountId, apiSlug, dataType, validation } = definition
  const refuse = (reason: string): ServiceError =>
    refusedAt(given.pointer, `The value of \`${apiSlug}\` (${dataType}) ${reason}.`)
  const read = readFieldValue(given.value, { dataType, validation })
  if (!read.ok) throw refuse(read.reason)
  const { value } = read
  if (value === null) return null
  if (dataType === 'enum' || dataType === 'enum_multi') {
    const options = await optionsOf(db, { accountId, definitionIds: [definition.id] })
    const known = options.map((option) => option.value)
    const unknown = [value].flat().find((each) => !known.includes(String(each)))
    if (unknown !== undefined) throw refuse(describeAllowedOptions(known))
  }
  const pattern = validation?.pattern
  if (pattern !== undefined && !(await matchesPattern(service, { accountId, pattern, text: String(value) })))
    throw refuse(`must match the pattern ${pattern}`)
  if (definition.referenceType !== null) {
    const key = { accountId, id: String(value), type: definition.referenceType }
    if (!(await entityExists(db, key))) throw refuse(`must be the id of a ${definition.referenceType} of this account`)
  }
  return value
}

function describeAllowedOptions(known: readonly string[]): string {
  if (known.length === 0) return 'cannot be set before the field has options'
  const examples = known.slice(0, 20).join(', ')
  return `must be ${known.length > 20 ? 'the value of an option, such as' : 'one of'} ${examples}`
}
