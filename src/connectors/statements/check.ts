/** Checks a value against a schema. An error names the member and never quotes the value, which may be a secret. */

import type { Static, TSchema } from 'typebox'
import { findFaults } from '../check-schema.ts'
import { StatementProblem } from './problem.ts'

/** Returns the value with the type of the schema; `field` is its place in the statement. */
export type Check<Schema extends TSchema> = (value: unknown, field: string) => Static<Schema>

export function makeSchemaCheck<const Schema extends TSchema>(schema: Schema): Check<Schema> {
  return (value, field) => {
    const faults = findFaults(schema, value)
    if (faults === null) return value as Static<Schema>
    const [fault] = faults
    const path = fault?.instancePath ?? ''
    // The name of an unknown member is not shown, because the sender chose it. The error gives only its place.
    if (fault?.keyword === 'additionalProperties')
      throw new StatementProblem('wrong_structure', findKnownPath(field + path), 'a member here is unknown: remove it')
    throw new StatementProblem(
      'wrong_type',
      findKnownPath(field + path),
      fault?.message ?? 'does not fit the schema of a statement',
    )
  }
}

/** The path up to the first step that cannot be one of our members. */
function findKnownPath(path: string): string {
  return /^(?:\/(?:[a-z_]{1,20}|\d{1,4})(?=\/|$))*/.exec(path)?.[0] ?? ''
}
