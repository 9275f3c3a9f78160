/** A JSON object of an answer together with its place, so that an issue can point to it. */

import { isObject } from '../../domain/values/json-value.ts'
import type { IssueList } from '../source-issue.ts'
import type { MemberName, Members } from './names.ts'

export interface JsonNode {
  readonly value: Members
  /** JSON pointer of the object. */
  readonly path: string
}

/** No name, code or remark is longer; a longer text is cut. */
const textLengthMax = 300

/**
 * The text of a field; null when it is absent, null or blank, which all mean that nothing was stated. A number is read
 * as its digits, with an issue; any other type is an issue and null.
 */
export function readText(node: JsonNode, field: MemberName, issues: IssueList): string | null {
  const value = node.value[field]
  if (value === undefined || value === null) return null
  if (typeof value === 'string') return normalizeText(value)
  const isNumber = typeof value === 'number'
  const at = { path: `${node.path}/${field}`, lost: isNumber ? 'nothing' : 'field' } as const
  issues.add('wrong_type', at, `a text was expected, not ${nameOfType(value)}`)
  return isNumber ? String(value) : null
}

/** The text of the first field that has one: the names of fields changed between versions. */
export function readFirstText(node: JsonNode, fields: readonly MemberName[], issues: IssueList): string | null {
  for (const field of fields) {
    const text = readText(node, field, issues)
    if (text !== null) return text
  }
  return null
}

/**
 * The pointer for an issue about a field with several names: the first name that the node has, else the first name of
 * all.
 */
export function pointTo(node: JsonNode, fields: readonly MemberName[]): string {
  const used = fields.find((field) => node.value[field] !== undefined) ?? fields[0] ?? ''
  return `${node.path}/${used}`
}

export function readObject(node: JsonNode | null, field: MemberName, issues: IssueList): JsonNode | null {
  const value = node?.value[field]
  if (node === null || value === undefined || value === null) return null
  if (isObject(value)) return { value, path: `${node.path}/${field}` }
  const at = { path: `${node.path}/${field}`, lost: 'field' } as const
  issues.add('wrong_type', at, `an object was expected, not ${nameOfType(value)}`)
  return null
}

/** The objects of a list; an element that is not an object is left out, with an issue. */
export function readObjects(node: JsonNode | null, field: MemberName, issues: IssueList): readonly JsonNode[] {
  const value = node?.value[field]
  if (node === null || value === undefined || value === null) return []
  const path = `${node.path}/${field}`
  if (!Array.isArray(value)) {
    issues.add('wrong_type', { path, lost: 'field' }, `a list was expected, not ${nameOfType(value)}`)
    return []
  }
  return value.flatMap((element: unknown, index): JsonNode[] => {
    if (isObject(element)) return [{ value: element, path: `${path}/${index}` }]
    const at = { path: `${path}/${index}`, lost: 'field' } as const
    issues.add('wrong_type', at, `an object was expected, not ${nameOfType(element)}`)
    return []
  })
}

export function nameOfType(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`
}

/**
 * Removes what no database stores (NUL, broken surrogates) and what no name has (control characters, blanks at both
 * ends).
 */
function normalizeText(text: string): string | null {
  const isPlain = text.length <= textLengthMax && /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text)
  if (isPlain) return text
  const tidied = text
    .slice(0, textLengthMax)
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
  return tidied === '' ? null : tidied
}
