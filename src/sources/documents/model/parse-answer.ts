/** What a language model answered, as far as it has the shape that was asked for. It may say anything, at any length. */

import { Ajv2020 } from 'ajv/dist/2020.js'
import type { DocumentType } from '../document.ts'
import { answerSchema } from './question.ts'

/** Where the model says that a value is printed. */
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

const ajv = new Ajv2020({ strict: false, ownProperties: true })
const { fields, ...rest } = answerSchema.properties
const isEnvelope = ajv.compile<{ readonly document_type: DocumentType; readonly fields: readonly unknown[] }>(
  { ...answerSchema, properties: { ...rest, fields: { type: 'array' } } },
)
const isField = ajv.compile<PrintedField>(fields.items)

/** Null when it is not such an object. An invalid field is skipped, and the others are kept. */
export function parseAnswer(text: string): ModelAnswer | null {
  const said = parseJson(text)
  if (!isEnvelope(said)) return null
  return {
    type: said.document_type,
    fields: said.fields
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
