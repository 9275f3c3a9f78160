/**
 * Parses the answer of a language model, as far as it has the requested shape. The answer may contain anything, at any
 * length.
 */

import { schemaCompiler } from '../../../platform/compile-schema.ts'
import type { DocumentType } from '../document.ts'
import { answerSchema } from './question.ts'

/** The place where the model reports that a value is printed. */
export interface PrintedField {
  readonly name: string
  readonly text: string
  readonly page: number
  readonly line: number
}

export interface ModelAnswer {
  readonly type: DocumentType
  readonly fields: readonly PrintedField[]
}

const fieldsMax = 2_000
const nameMax = 80
const textMax = 400

const compile = schemaCompiler({ strict: false, ownProperties: true })
const { fields, ...rest } = answerSchema.properties
const envelope = { ...answerSchema, properties: { ...rest, fields: { type: 'array' } } }

/** Null when it is not such an object. An invalid field is skipped, and the others are used. */
export function parseAnswer(text: string): ModelAnswer | null {
  const parsed = parseJson(text)
  const isField = compile<PrintedField>(fields.items)
  const isEnvelope = compile<{ readonly document_type: DocumentType; readonly fields: readonly unknown[] }>(envelope)
  if (!isEnvelope(parsed)) return null
  return {
    type: parsed.document_type,
    fields: parsed.fields
      .slice(0, fieldsMax)
      .filter((each) => isField(each))
      .filter(({ name, text: printed }) => name.length <= nameMax && printed.length <= textMax),
  }
}

/** Models like to put a fence or a sentence around their JSON. */
function parseJson(text: string): unknown {
  const [from, to] = [text.indexOf('{'), text.lastIndexOf('}')]
  if (from === -1 || to < from) return null
  try {
    return JSON.parse(text.slice(from, to + 1)) as unknown
  } catch {
    return null
  }
}
