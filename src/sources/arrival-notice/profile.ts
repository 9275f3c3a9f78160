/** Which line issues the notices, and how they differ from the standard. */

import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { ok, type Result, refused } from '../../core/values/result.ts'

const profileSchema = Type.Object(
  {
    /** The line that issues the notices. */
    scac: Type.String({ pattern: '^[A-Z]{4}$' }),
    /** The line's own words, in upper case → DCSA codes. */
    enumAliases: Type.Optional(Type.Record(Type.String(), Type.String())),
  },
  { additionalProperties: false },
)
export type ArrivalNoticeProfile = Static<typeof profileSchema>

export function parseNoticeProfile(value: unknown): Result<ArrivalNoticeProfile, string> {
  if (Value.Check(profileSchema, value)) return ok(value)
  const [fault] = Value.Errors(profileSchema, value)
  return refused(
    fault === undefined
      ? 'does not fit the schema of a profile'
      : `${fault.instancePath || '/'} ${fault.message}`,
  )
}
