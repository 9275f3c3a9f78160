/** Checks a value against a schema. An error names the member and never quotes the value, which may be a secret. */

import type { Static, TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { StatementProblem } from './problem.ts'

/** Returns the value with the type of the schema; `field` is its place in the statement. */
export type Check<Schema extends TSchema> = (value: unknown, field: string) => Static<Schema>

export function openCheck<const Schema extends TSchema>(schema: Schema): Check<Schema> {
  let validator: Validator | null = null
  return (value, field) => {
    validator ??= Compile(schema)
    if (validator.Check(value)) return value as Static<Schema>
    const [fault] = validator.Errors(value)
    const path = fault?.instancePath ?? ''
    // The name of an unknown member is not shown, because the sender chose it. The error gives only its place.
    if (fault?.keyword === 'boolean' || fault?.keyword === 'additionalProperties') {
      const at = path.replace(/\/[^/]*$/, '')
      throw new StatementProblem(
        'wrong_structure',
        knownPart(field + at),
        'a member here is unknown: remove it',
      )
    }
    throw new StatementProblem(
      'wrong_type',
      knownPart(field + path),
      fault?.message ?? 'does not fit the schema of a statement',
    )
  }
}

/** The path up to the first step that cannot be one of our members. */
function knownPart(path: string): string {
  return /^(?:\/(?:[a-z_]{1,20}|\d{1,4})(?=\/|$))*/.exec(path)?.[0] ?? ''
}
