/** Checks a value against a schema. The reason names the field that is wrong, or the unknown member. */

import type { ErrorObject } from 'ajv'
import type { Static, TSchema } from 'typebox'
import { err, ok, type Result } from '../domain/values/result.ts'
import { schemaCompiler } from '../platform/compile-schema.ts'

const compile = schemaCompiler({
  allErrors: true,
  strict: false,
  ownProperties: true,
  validateFormats: false,
})

/** The faults of the value; null when it fits. They never quote the value. */
export function findFaults(schema: TSchema, value: unknown): readonly ErrorObject[] | null {
  const validate = compile(schema)
  return validate(value) ? null : (validate.errors ?? [])
}

export function checkAgainst<const Schema extends TSchema>(
  schema: Schema,
  value: unknown,
): Result<Static<Schema>, string> {
  const faults = findFaults(schema, value)
  if (faults === null) return ok(value as Static<Schema>)
  // A union has faults for each of its variants: the deepest fault belongs to the variant that was probably meant.
  const depth = (path: string) => path.split('/').length
  const [fault] = faults.toSorted((a, b) => depth(b.instancePath) - depth(a.instancePath))
  if (fault === undefined) return err('does not fit the schema')
  const { missingProperty, additionalProperty } = fault.params as Readonly<Record<string, unknown>>
  if (typeof missingProperty === 'string') return err(`${fault.instancePath}/${missingProperty} is missing`)
  if (typeof additionalProperty === 'string')
    return err(`${fault.instancePath}/${additionalProperty} is not a known member: remove it`)
  return err(`${fault.instancePath || '/'} ${fault.message}`)
}
