/**
 * Finds values in an answer by a JSON pointer (RFC 6901). The step `*` means every element of a list. Each result has
 * its own plain pointer, for issues.
 */

import { isObject } from '../../domain/values/json-value.ts'

export interface PointerMatch {
  readonly value: unknown
  /** A pointer without `*`, relative to where the search began. */
  readonly path: string
}

export const pointerPattern = '^(/([^/~]|~0|~1)*)*$'

/** Names of members must match exactly; a step that does not exist finds nothing. */
export function findPointerMatches(value: unknown, pointer: string, path = ''): readonly PointerMatch[] {
  let found: readonly PointerMatch[] = [{ value, path }]
  for (const step of splitJsonPointer(pointer)) found = found.flatMap((each) => followStep(each, step))
  return found
}

/** Null for a missing value and for a JSON null. */
export function findFirstPointerMatch(value: unknown, pointer: string, path = ''): PointerMatch | null {
  const [first] = findPointerMatches(value, pointer, path)
  return first === undefined || first.value === null ? null : first
}

export function splitJsonPointer(pointer: string): readonly string[] {
  return pointer === ''
    ? []
    : pointer
        .slice(1)
        .split('/')
        .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

export function escapePointerStep(step: string): string {
  return step.replaceAll('~', '~0').replaceAll('/', '~1')
}

function followStep({ value, path }: PointerMatch, step: string): readonly PointerMatch[] {
  if (Array.isArray(value)) {
    if (step === '*') return value.map((each: unknown, index) => ({ value: each, path: `${path}/${index}` }))
    const at = /^(0|[1-9]\d{0,8})$/.test(step) ? Number(step) : value.length
    return at < value.length ? [{ value: value[at] as unknown, path: `${path}/${step}` }] : []
  }
  if (!isObject(value) || !Object.hasOwn(value, step)) return []
  return [{ value: value[step], path: `${path}/${escapePointerStep(step)}` }]
}
