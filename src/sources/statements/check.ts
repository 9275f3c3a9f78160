/** Checks a value against a schema; what is wrong is told by member and never by value, which may be a secret. */

import type { Static, TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { StatementProblem } from './problem.ts'

/** The value as what the schema says; `field` is where it stands in the statement. */
export type Check<Schema extends TSchema> = (value: unknown, field: string) => Static<Schema>

export function openCheck<const Schema extends TSchema>(schema: Schema): Check<Schema> {
  let validator: Validator | null = null
  return (value, field) => {
    validator ??= Compile(schema)
    if (validator.Check(value)) return value as Static<Schema>
    const [fault] = validator.Errors(value)
    const path = fault?.instancePath ?? ''
    // A member that is none is told by where it stands: its name is the sender's.
    if (fault?.keyword === 'boolean' || fault?.keyword === 'additionalProperties') {
      const at = path.replace(/\/[^/]*$/, '')
      throw new StatementProblem('wrong_structure', knownPart(field + at), 'a member that is none there')
    }
    throw new StatementProblem(
      'wrong_type',
      knownPart(field + path),
      fault?.message ?? 'not what is expected there',
    )
  }
}

/** Up to the first step that cannot be a member of ours. */
function knownPart(path: string): string {
  return /^(?:\/(?:[a-z_]{1,20}|\d{1,4})(?=\/|$))*/.exec(path)?.[0] ?? ''
}
