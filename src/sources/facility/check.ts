/** Checks a value against a schema. The reason names the field that is wrong, or the unknown member. */

import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { ok, type Result, refused } from '../../core/values/result.ts'

export function checkAgainst<const Schema extends TSchema>(
  schema: Schema,
  value: unknown,
): Result<Static<Schema>, string> {
  if (Value.Check(schema, value)) return ok(value as Static<Schema>)
  const faults = [...Value.Errors(schema, value)]
  // A union has faults for each of its variants: the deepest fault belongs to the variant that was probably meant.
  const depth = (path: string) => path.split('/').length
  const [fault] = faults.toSorted((a, b) => depth(b.instancePath) - depth(a.instancePath))
  if (fault === undefined) return refused('does not fit the schema of a description')
  const params = fault.params as {
    readonly additionalProperties?: readonly string[]
    readonly requiredProperties?: readonly string[]
  }
  if (fault.keyword === 'boolean') return refused(`${fault.instancePath} is not a known member: remove it`)
  const missing = params.requiredProperties?.[0]
  if (missing !== undefined) return refused(`${fault.instancePath}/${missing} is missing`)
  const unknown = params.additionalProperties?.[0]
  if (unknown !== undefined)
    return refused(`${fault.instancePath}/${unknown} is not a known member: remove it`)
  return refused(`${fault.instancePath || '/'} ${fault.message}`)
}
