/** A JSON object of an answer together with its place, so that an issue can point to it. */

import { isObject } from '../../core/values/json-value.ts'
import type { IssueList } from '../source-issue.ts'
import type { MemberName, Members } from './names.ts'

export interface Part {
  readonly value: Members
  /** JSON pointer of the object. */
  readonly path: string
}

/** No name, code or remark is longer; a longer text is cut. */
const textLengthMax = 300

/**
 * The text of a field; null when it is absent, null or blank, which all mean that nothing was said. A number is read as
 * its digits, with an issue; any other type is an issue and null.
 */
export function readText(part: Part, field: MemberName, issues: IssueList): string | null {
  const value = part.value[field]
  if (value === undefined || value === null) return null
  if (typeof value === 'string') return tidyText(value)
  const isNumber = typeof value === 'number'
  const at = { path: `${part.path}/${field}`, lost: isNumber ? 'nothing' : 'field' } as const
  issues.add('wrong_type', at, `a text was expected, not ${nameOfType(value)}`)
  return isNumber ? String(value) : null
}

/** The text of the first field that has one: the names of fields changed between versions. */
export function readFirstText(part: Part, fields: readonly MemberName[], issues: IssueList): string | null {
  for (const field of fields) {
    const text = readText(part, field, issues)
    if (text !== null) return text
  }
  return null
}

/**
 * The pointer for an issue about a field with several names: the first name that the part has, else the first of all.
 */
export function pointTo(part: Part, fields: readonly MemberName[]): string {
  const used = fields.find((field) => part.value[field] !== undefined) ?? fields[0] ?? ''
  return `${part.path}/${used}`
}

export function readPart(part: Part | null, field: MemberName, issues: IssueList): Part | null {
  const value = part?.value[field]
  if (part === null || value === undefined || value === null) return null
  if (isObject(value)) return { value, path: `${part.path}/${field}` }
  const at = { path: `${part.path}/${field}`, lost: 'field' } as const
  issues.add('wrong_type', at, `an object was expected, not ${nameOfType(value)}`)
  return null
}

/** The objects of a list; an element that is not an object is left out, with an issue. */
export function readParts(part: Part | null, field: MemberName, issues: IssueList): readonly Part[] {
  const value = part?.value[field]
  if (part === null || value === undefined || value === null) return []
  const path = `${part.path}/${field}`
  if (!Array.isArray(value)) {
    issues.add('wrong_type', { path, lost: 'field' }, `a list was expected, not ${nameOfType(value)}`)
    return []
  }
  return value.flatMap((element: unknown, index): Part[] => {
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
function tidyText(text: string): string | null {
  const isPlain = text.length <= textLengthMax && /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text)
  if (isPlain) return text
  const tidied = text
    .slice(0, textLengthMax)
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
  return tidied === '' ? null : tidied
}
