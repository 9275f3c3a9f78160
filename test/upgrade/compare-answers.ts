/** Holds an answer of today against the one that was given was: resource by resource, value by value. */

import type { WireResource } from '../support/api.ts'
import type { Difference } from './differences.ts'

/** Attributes that depend on the time of the question: overdue work is done now. */
const tellsOfNow = ['tracking_attempt.next']

/**
 * A new attribute is not a difference: only what was shown then must still be shown. Links are not compared, because
 * they are addresses of this server; of relationships the targets are compared.
 */
export function compareAnswers(where: string, then: unknown, now: unknown): readonly Difference[] {
  const [before, after] = [resourcesOf(then), resourcesOf(now)]
  const differences: Difference[] = []
  const idsOf = (each: readonly WireResource[]): readonly string[] =>
    each.map(({ type, id }) => `${type} ${id}`)
  if (!isSame(idsOf(before), idsOf(after)))
    differences.push({ what: 'wire resources', where, was: idsOf(before), now: idsOf(after) })
  const byId = new Map(after.map((each) => [`${each.type} ${each.id}`, each]))
  for (const was of before) {
    const is = byId.get(`${was.type} ${was.id}`)
    if (is === undefined) continue
    const at = `${where} ${was.id}`
    for (const [name, value] of Object.entries(was.attributes ?? {}))
      if (!tellsOfNow.includes(`${was.type}.${name}`) && !isSame(value, is.attributes?.[name]))
        differences.push({
          what: `wire ${was.type}.attributes.${name}`,
          where: at,
          was: value,
          now: is.attributes?.[name],
        })
    for (const [name, relationship] of Object.entries(was.relationships ?? {})) {
      if (relationship.data === undefined) continue
      const leadsTo = is.relationships?.[name]?.data
      if (!isSame(relationship.data, leadsTo))
        differences.push({
          what: `wire ${was.type}.relationships.${name}`,
          where: at,
          was: relationship.data,
          now: leadsTo,
        })
    }
  }
  return differences
}

function resourcesOf(data: unknown): readonly WireResource[] {
  if (data === null || data === undefined) return []
  return (Array.isArray(data) ? data : [data]) as readonly WireResource[]
}

/** Times as instants, however they are written; lists in their order; of objects every member that was there then. */
export function isSame(then: unknown, now: unknown): boolean {
  if (typeof then === 'string' && typeof now === 'string')
    return then === now || (isTime.test(then) && isTime.test(now) && Date.parse(then) === Date.parse(now))
  if (Array.isArray(then) && Array.isArray(now))
    return then.length === now.length && then.every((each, index) => isSame(each, now[index]))
  if (isObject(then) && isObject(now))
    return Object.entries(then).every(([name, value]) => isSame(value, now[name]))
  return then === now
}

const isTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
