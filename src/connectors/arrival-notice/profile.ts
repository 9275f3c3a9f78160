/** Which line issues the notices, and how they differ from the standard. */

import type { Static } from 'typebox'
import type { Result } from '../../domain/values/result.ts'
import { Type } from '../../platform/json-schema.ts'
import { checkAgainst } from '../check-schema.ts'

const profileSchema = Type.Object(
  {
    /** The line that issues the notices. */
    scac: Type.String({ pattern: '^[A-Z]{4}$' }),
    /** The carrier's own codes and texts, in upper case → DCSA codes. */
    enumAliases: Type.Optional(Type.Record(Type.String(), Type.String())),
  },
  { additionalProperties: false },
)
export type ArrivalNoticeProfile = Static<typeof profileSchema>

export function parseNoticeProfile(value: unknown): Result<ArrivalNoticeProfile, string> {
  return checkAgainst(profileSchema, value)
}
