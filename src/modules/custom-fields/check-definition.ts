/**
 * What a custom field definition may contain: a valid slug, and rules that its data type supports and that a value can
 * meet.
 */

import { isOneOf } from '../../domain/values/codes.ts'
import {
  type FieldDataType,
  type FieldEntityType,
  type FieldReferenceType,
  type FieldValidation,
  readBound,
  rulesOfDataType,
  shortTextMax,
} from '../../domain/values/custom-field.ts'
import { refusedAt } from '../errors.ts'
import type { Service } from '../service.ts'
import type { FieldDefinition } from './custom-field-definitions-sql.ts'
import { checkPattern } from './pattern.ts'

export interface NewDefinition {
  readonly entityType: FieldEntityType
  /** Null: made from the display name. */
  readonly apiSlug: string | null
  readonly displayName: string
  readonly description: string | null
  readonly dataType: FieldDataType
  readonly referenceType: FieldReferenceType | null
  readonly validation: FieldValidation | null
  readonly defaultFormat: string | null
  readonly defaultValue: unknown
}

const at = '/data/attributes'

/** Only lower-case letters, digits, `_` and `-`, because a slug is a part of addresses. */
export function checkSlug(given: string | null, displayName: string): string {
  const slug =
    given ??
    displayName
      .normalize('NFKD')
      .replace(/\p{M}+/gu, '')
      .toLowerCase()
      .replaceAll('ß', 'ss')
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^_+|_+$/g, '')
      .slice(0, 64)
  if (/^[a-z0-9][a-z0-9_-]{0,63}$/.test(slug)) return slug
  throw refusedAt(
    `${at}/api_slug`,
    'A slug is 1 to 64 lower-case letters, digits, _ and -, and begins with a letter or digit.',
  )
}

export function checkDisplayName(given: string): string {
  const name = given.trim()
  if (name !== '') return name
  throw refusedAt(`${at}/display_name`, 'A custom field needs a display name.')
}

export function checkReferenceType({
  dataType,
  referenceType,
}: Pick<NewDefinition, 'dataType' | 'referenceType'>): void {
  if ((dataType === 'reference') === (referenceType !== null)) return
  throw refusedAt(
    `${at}/reference_type`,
    dataType === 'reference'
      ? 'A field of the data type reference needs a reference type.'
      : 'Only a field of the data type reference can have a reference type.',
  )
}

/**
 * Refuses rules that the data type does not support: if they were stored silently, the client would think that they
 * apply. The stored pattern may be sent again, even if it is no longer enforced.
 */
export async function checkValidation(
  service: Service,
  given: FieldValidation | null,
  of: Pick<FieldDefinition, 'accountId' | 'dataType' | 'validation'>,
): Promise<FieldValidation | null> {
  if (given === null) return null
  const { accountId, dataType } = of
  const pointer = (rule: string): string =>
    `${at}/validation/${rule.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`
  const rules = rulesOfDataType[dataType]
  const foreign = Object.keys(given).find((rule) => !isOneOf(rules, rule))
  if (foreign !== undefined)
    throw refusedAt(pointer(foreign), `A field of the data type ${dataType} cannot have this rule.`)
  const bounds: { min?: number | string; max?: number | string } = {}
  for (const name of ['min', 'max'] as const) {
    const bound = given[name]
    if (bound === undefined) continue
    const read = readBound(bound, dataType)
    if (!read.ok) throw refusedAt(pointer(name), `The bound ${read.reason}.`)
    bounds[name] = read.value
  }
  if (given.maxLength !== undefined && given.maxLength > shortTextMax)
    throw refusedAt(pointer('maxLength'), `A short text has at most ${shortTextMax} characters.`)
  for (const [low, high] of [
    [bounds.min, bounds.max],
    [given.minLength, given.maxLength],
    [given.minItems, given.maxItems],
  ]) {
    if (low !== undefined && high !== undefined && low > high)
      throw refusedAt(`${at}/validation`, `The minimum ${low} is greater than the maximum ${high}: no value can match.`)
  }
  const { pattern } = given
  if (pattern !== undefined && pattern !== of.validation?.pattern) {
    const fault = await checkPattern(service, { accountId, pattern })
    if (fault !== null) throw refusedAt(pointer('pattern'), `The pattern ${fault}.`)
  }
  return { ...given, ...bounds }
}
