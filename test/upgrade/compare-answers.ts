/** Compares an answer of today with the answer then: resource by resource, value by value. */

import type { WireResource } from '../support/api.ts'
import type { Difference } from './differences.ts'

/** Attributes that depend on the time of the request: overdue work is done now. */
const dependingOnTime = ['tracking_attempt.next']

/**
 * A new attribute is not a difference: only what was shown then must still be shown. Links are not compared, because
 * they are addresses of this server; of relationships the targets are compared.
 */
export function compareAnswers(where: string, then: unknown, now: unknown): readonly Difference[] {
  const [before, after] = [resourcesOf(then), resourcesOf(now)]
  const differences: Difference[] = []
  const idsOf = (each: readonly WireResource[]): readonly string[] => each.map(({ type, id }) => `${type} ${id}`)
  if (!isSame(idsOf(before), idsOf(after)))
    differences.push({
      what: where.includes('/raw_events') ? 'wire raw_events' : 'wire resources',
      where,
      was: idsOf(before),
      now: idsOf(after),
    })
  const byId = new Map(after.map((each) => [`${each.type} ${each.id}`, each]))
  for (const was of before) {
    const is = byId.get(`${was.type} ${was.id}`)
    if (is === undefined) continue
    const at = `${where} ${was.id}`
    for (const [name, value] of Object.entries(was.attributes ?? {}))
      if (!dependingOnTime.includes(`${was.type}.${name}`) && !isSame(value, is.attributes?.[name]))
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

/**
 * Times as instants, however they are written, or as their whole second, since fractions are not written any more; lists
 * in their order; objects with every member that existed then.
 */
export function isSame(then: unknown, now: unknown): boolean {
  if (typeof then === 'string' && typeof now === 'string')
    return then === now || (isTime.test(then) && isTime.test(now) && isSameTime(then, now))
  if (Array.isArray(then) && Array.isArray(now))
    return then.length === now.length && then.every((each, index) => isSame(each, now[index]))
  if (isObject(then) && isObject(now)) return Object.entries(then).every(([name, value]) => isSame(value, now[name]))
  return then === now
}

function isSameTime(then: string, now: string): boolean {
  const [before, after] = [Date.parse(then), Date.parse(now)]
  return before === after || (!now.includes('.') && before - (before % 1_000) === after)
}

const isTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
