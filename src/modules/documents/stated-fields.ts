/**
 * Which fields of a reading count: those that the rules read surely, with their place on the page; and all that a person
 * wrote, which needs no place. What a language model read counts once a person has written it.
 */

import { type DocumentField, sureFrom } from '../../connectors/papers/document.ts'
import type { StatedField } from '../../connectors/papers/statements/document-statement.ts'

export interface StoredReading {
  readonly payload: Readonly<Record<string, unknown>>
  readonly fields: readonly DocumentField[]
  /** Stored encrypted, and never included in what a person writes instead. */
  readonly secrets: readonly DocumentField[]
  /** A person wrote the payload. */
  readonly isManual: boolean
}

export function toStatedFields(reading: StoredReading): readonly StatedField[] {
  const { fields, secrets, isManual } = reading
  const open = isManual ? toPersonFields(reading) : fields.flatMap(toStatedField)
  return [...open, ...secrets.flatMap(toStatedField)]
}

function toStatedField(field: DocumentField): readonly StatedField[] {
  return countsByItself(field) ? [{ ...field, by: 'rules' }] : []
}

function toPersonFields({ payload, fields }: StoredReading): readonly StatedField[] {
  const read = new Map(fields.map((field) => [field.name, field]))
  return leavesOf(payload, '').map(({ name, value }): StatedField => {
    const printed = read.get(name)
    const isAsRead = printed !== undefined && printed.value === value
    return {
      name,
      value,
      text: isAsRead ? printed.text : String(value),
      confidence: 1,
      page: isAsRead ? printed.page : null,
      box: isAsRead ? printed.box : null,
      by: 'person',
    }
  })
}

/** A value of a model never counts by itself, whatever its confidence. */
function countsByItself({ by, confidence }: DocumentField): boolean {
  return by === 'rules' && confidence >= sureFrom
}

interface Leaf {
  readonly name: string
  readonly value: string | number | boolean
}

function leavesOf(value: unknown, name: string): readonly Leaf[] {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return [{ name, value }]
  if (Array.isArray(value)) return value.flatMap((each, place) => leavesOf(each, `${name}[${place}]`))
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([key, each]) => leavesOf(each, name === '' ? key : `${name}.${key}`))
}
