/**
 * Which fields of a document count as said: those that the rules read with confidence, or all that a person has
 * confirmed. What a model read counts only once a person has confirmed it.
 */

import type { DocumentType, FieldRead } from '../../../sources/documents/document.ts'
import { isFieldName, type SaidField } from '../../../sources/documents/said/word.ts'

export interface DocumentSaid {
  readonly type: DocumentType
  /** What the document says at present, in the shape of the schema of its type. */
  readonly payload: Readonly<Record<string, unknown>>
  /** What was read from it, with the places. */
  readonly fields: readonly FieldRead[]
  /** A person wrote or confirmed the payload. */
  readonly isManual: boolean
  /** ISO instant: when it was read, confirmed or corrected. */
  readonly at: string
}

/** A value read with less confidence waits for a person. */
export const confidenceMin = 0.8

export function fieldsSaid(said: DocumentSaid): readonly SaidField[] {
  return counting(said).filter(({ name }) => isFieldName(name))
}

function counting({ payload, fields, isManual }: DocumentSaid): readonly SaidField[] {
  if (!isManual)
    return fields
      .filter(({ by, confidence }) => by === 'rules' && confidence >= confidenceMin)
      .map(({ name, value, text, confidence, page, box }) => ({
        name,
        value,
        text,
        confidence,
        page,
        box,
        by: 'read',
      }))
  const read = new Map(fields.map((field) => [field.name, field]))
  return leavesOf(payload, '').map(({ name, value }): SaidField => {
    const field = read.get(name)
    if (field === undefined)
      return { name, value, text: null, confidence: null, page: null, box: null, by: 'corrected' }
    const { text, confidence, page, box } = field
    // A corrected value keeps its place: there anybody can see what is printed.
    const by = field.value === value ? 'confirmed' : 'corrected'
    return { name, value, text, confidence, page, box, by }
  })
}

interface Leaf {
  readonly name: string
  readonly value: SaidField['value']
}

const depthMax = 12

/** The values of a payload with their paths: `containers[0].number`. A null says nothing. */
function leavesOf(value: unknown, path: string, depth = 0): readonly Leaf[] {
  if (typeof value === 'string' || typeof value === 'boolean') return [{ name: path, value }]
  if (typeof value === 'number') return Number.isFinite(value) ? [{ name: path, value }] : []
  if (typeof value !== 'object' || value === null || depth >= depthMax) return []
  if (Array.isArray(value))
    return value.flatMap((each, place) => leavesOf(each, `${path}[${place}]`, depth + 1))
  return Object.entries(value).flatMap(([name, each]) =>
    leavesOf(each, path === '' ? name : `${path}.${name}`, depth + 1),
  )
}
