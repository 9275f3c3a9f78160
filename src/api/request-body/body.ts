/**
 * Reads bodies: from bytes to JSON within limits, then from JSON:API's `data` to checked attributes. Every fault names
 * its place with a JSON pointer (RFC 6901) into the body that was sent.
 */

import type { ErrorObject } from 'ajv'
import type { Static, TSchema } from 'typebox'
import { isObject } from '../../domain/values/json-value.ts'
import { schemaCompiler } from '../../platform/compile-schema.ts'
import { type Fault, Problem, pointerFault, toPointerToken } from '../errors/problem.ts'

export const bodyBytesMax = 1_048_576
const depthMax = 32

/**
 * Undefined for an empty body. Throws 400 if the body is no JSON, is too deep, or has characters that cannot be stored.
 */
export function parseBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw pointerFault('malformed', '', 'The body is not UTF-8.')
  }
  if (text.trim() === '') return undefined
  checkDepth(text)
  try {
    // Without this, `__proto__` in a body becomes an own property that careless code copies.
    const body: unknown = JSON.parse(text, function revive(this: unknown, key, value) {
      if (key === '__proto__') return undefined
      if (hasControls(key) || (typeof value === 'string' && hasControls(value))) throw new ControlCharacters()
      return value
    })
    checkTopLevel(body)
    return body
  } catch (error) {
    if (error instanceof ControlCharacters)
      throw pointerFault('malformed', findControls(JSON.parse(text)) ?? '', error.message)
    if (error instanceof Problem) throw error
    throw pointerFault('malformed', '', 'The body is not JSON.')
  }
}

/** JSON:API 1.1, 7.1: a document has data or errors, never both. */
function checkTopLevel(body: unknown): void {
  if (isObject(body) && Object.hasOwn(body, 'data') && Object.hasOwn(body, 'errors'))
    throw pointerFault('malformed', '/errors', 'A document has `data` or `errors`, never both.')
}

class ControlCharacters extends Error {
  constructor() {
    super('This text has control characters or half of a UTF-16 surrogate pair. Remove them.')
  }
}

/** Pointer to the first text with control characters, or to the object with such a name. Null when there are none. */
function findControls(value: unknown, at = ''): string | null {
  if (typeof value === 'string') return hasControls(value) ? at : null
  if (typeof value !== 'object' || value === null) return null
  for (const [name, each] of Object.entries(value)) {
    const found = hasControls(name) ? at : findControls(each, `${at}/${toPointerToken(name)}`)
    if (found !== null) return found
  }
  return null
}

/**
 * Tab, line feed and carriage return are allowed in a text. Other control characters (such as NUL) and lone surrogates
 * are not.
 */
function hasControls(text: string): boolean {
  return /(?![\t\n\r])\p{Cc}/u.test(text) || !text.isWellFormed()
}

/** Counts the depth in the text, because a recursive parser could exhaust its stack first. */
function checkDepth(text: string): void {
  let depth = 0
  let inString = false
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at)
    if (inString) {
      if (character === 0x5c) at += 1
      else if (character === 0x22) inString = false
    } else if (character === 0x22) inString = true
    else if (character === 0x7b || character === 0x5b) {
      depth += 1
      if (depth > depthMax) throw pointerFault('malformed', '', `The body is nested deeper than ${depthMax} levels.`)
    } else if (character === 0x7d || character === 0x5d) depth -= 1
  }
}

const compile = schemaCompiler({
  allErrors: true,
  strict: false,
  removeAdditional: false,
  coerceTypes: false,
  ownProperties: true,
})

export interface ExpectedBody<Attributes extends TSchema = TSchema> {
  readonly type: string
  /** Id in the address; null where the address has none. */
  readonly id: string | null
  /** Schema of `data.attributes`. It is closed, so that read-only or unknown attributes are refused by name. */
  readonly attributes: Attributes
  /** Attributes of the resource that cannot be written. The refusal of such an attribute states this. */
  readonly readOnly: ReadonlySet<string>
  /** Relationships that the body may have; none by default. Others are refused, not ignored. */
  readonly relationships?: readonly string[]
}

/**
 * The checked attributes of a JSON:API body. `data.id` and `data.type` may not differ (409), and may be missing in a
 * change. The body of a new resource has its type (422) and no id (403).
 */
export function readAttributes<Attributes extends TSchema>(
  body: unknown,
  expected: ExpectedBody<Attributes>,
): Static<Attributes> {
  const data = isObject(body) ? body['data'] : undefined
  if (!isObject(data)) throw pointerFault('malformed', '/data', 'The body needs a `data` object with `attributes`.')
  checkIdentity(data, expected)
  if (expected.id === null && typeof data['type'] !== 'string')
    throw pointerFault('invalid', '/data/type', `The body needs the type \`${expected.type}\`.`)
  checkRelationships(data['relationships'] ?? {}, expected.relationships ?? [])
  const attributes = data['attributes'] ?? {}
  const { readOnly } = expected
  return checkValue(attributes, expected.attributes, { at: '/data/attributes', readOnly })
}

/**
 * Checks the optional body of a verb. It may name the resource of the address (another one is a 409) and nothing else
 * (422).
 */
export function checkVerbBody(body: unknown, expected: Pick<ExpectedBody, 'type' | 'id'>): void {
  const data = isObject(body) ? body['data'] : undefined
  if (!isObject(data)) return
  checkIdentity(data, expected)
  const { attributes = {}, relationships = {} } = data
  if (!isObject(attributes) || Object.keys(attributes).length > 0)
    throw pointerFault('invalid', '/data/attributes', 'This request has no attributes to set. Leave them out.')
  checkRelationships(relationships, [])
}

function checkIdentity(data: Readonly<Record<string, unknown>>, expected: Pick<ExpectedBody, 'type' | 'id'>): void {
  if (data['type'] !== undefined && data['type'] !== null && data['type'] !== expected.type) {
    throw pointerFault('conflict', '/data/type', `The type of this resource is \`${expected.type}\`.`)
  }
  if (data['id'] === undefined || data['id'] === null) return
  if (expected.id === null)
    throw pointerFault('forbidden', '/data/id', 'The server assigns the id of a new resource. Leave it out.')
  if (!sameId(data['id'], expected.id))
    throw pointerFault('conflict', '/data/id', 'The id in the body differs from the id in the address.')
}

/** Refuses unknown relationships. If they were ignored, the client would believe that they were set. */
function checkRelationships(given: unknown, known: readonly string[]): void {
  const at = '/data/relationships'
  if (!isObject(given)) throw pointerFault('invalid', at, 'This must be an object.')
  const other = Object.keys(given).find((name) => !known.includes(name))
  if (other === undefined) return
  throw pointerFault(
    'invalid',
    `${at}/${toPointerToken(other)}`,
    known.length === 0
      ? 'No relationship can be written here.'
      : `Of the relationships only ${known.join(', ')} can be written here.`,
  )
}

/** The checked members of a body that is a plain object. The schema is closed. */
export function readObject<Members extends TSchema>(body: unknown, schema: Members): Static<Members> {
  if (!isObject(body)) throw pointerFault('malformed', '', 'The body must be an object.')
  return checkValue(body, schema, { at: '', readOnly: new Set() })
}

/** Where in the body a value is, and which of its members are read-only. */
interface BodyPosition {
  readonly at: string
  readonly readOnly: ReadonlySet<string>
}

/** The only place that casts a body to the type of its schema, after the check against the schema. */
function checkValue<Schema extends TSchema>(value: unknown, schema: Schema, place: BodyPosition): Static<Schema> {
  const validate = compile(schema)
  if (!validate(value)) throw new Problem('invalid', faultsOf(validate.errors ?? [], place))
  return value as Static<Schema>
}

function sameId(given: unknown, wanted: string): boolean {
  return typeof given === 'string' && given.toLowerCase() === wanted.toLowerCase()
}

/** One fault for each place (the first that was found there), and at most 20. */
function faultsOf(errors: readonly ErrorObject[], place: BodyPosition): readonly Fault[] {
  const faults = new Map<string, Fault>()
  for (const error of errors) {
    const pointer = `${place.at}${error.instancePath}${writeMemberPointer(error)}`
    if (!faults.has(pointer)) faults.set(pointer, { detail: describeError(error, place), source: { pointer } })
  }
  return [...faults.values()].slice(0, 20)
}

function writeMemberPointer({ params }: ErrorObject): string {
  const name: unknown = params['missingProperty'] ?? params['additionalProperty']
  return typeof name === 'string' ? `/${toPointerToken(name)}` : ''
}

function describeError(error: ErrorObject, place: BodyPosition): string {
  const { keyword, params } = error
  if (keyword === 'required') return 'This attribute is needed.'
  if (keyword === 'enum') {
    const values = (params['allowedValues'] as unknown[]).filter((each) => each !== '').map(String)
    return `This must be one of ${values.join(', ')}.`
  }
  if (keyword === 'additionalProperties') {
    return place.readOnly.has(String(params['additionalProperty']))
      ? 'This attribute cannot be written.'
      : `There is no attribute of this name that can be written.`
  }
  if (keyword === 'type') {
    const kinds = [params['type']].flat().map((kind) => typeLabels[String(kind)] ?? String(kind))
    return `This must be ${kinds.join(' or ')}.`
  }
  const limit = String(params['limit'])
  if (keyword === 'minLength') return limit === '1' ? 'This is empty.' : `This needs ${limit} characters or more.`
  if (keyword === 'maxLength') return `This has more than ${limit} characters.`
  if (keyword === 'minItems') return limit === '1' ? 'This list is empty.' : `This list needs ${limit} items or more.`
  if (keyword === 'maxItems') return `This list has more than ${limit} items.`
  return `This ${error.message ?? 'is not valid'}.`
}

/** The types of JSON values as plain text. */
const typeLabels: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  integer: 'a whole number',
  null: 'null',
  number: 'a number',
  object: 'an object',
  string: 'a text',
}
