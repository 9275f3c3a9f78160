/** What a partner's EDIFACT is like: its own status codes and habits as data. */

import type { Static } from 'typebox'
import { holdNames } from '../../domain/statements/observation.ts'
import { emptyIndicators, equipmentEventCodes, transportEventCodes, transportModes } from '../../domain/values/codes.ts'
import type { Result } from '../../domain/values/result.ts'
import { Type } from '../../platform/json-schema.ts'
import { checkAgainst } from '../check-schema.ts'

const literals = <const Name extends string>(names: readonly Name[]) => Type.Enum([...names])
const shortText = Type.String({ minLength: 1, maxLength: 200 })

/** The meaning of a status, as the partner has confirmed it. */
const meaning = Type.Union([
  Type.Object(
    {
      kind: Type.Literal('event'),
      code: literals([...transportEventCodes, ...equipmentEventCodes]),
      /** Absent: the message decides. */
      load: Type.Optional(literals(emptyIndicators)),
      mode: Type.Optional(literals(transportModes)),
      /** True when the time of the status is the expected time of the event. */
      isEstimate: Type.Optional(Type.Boolean()),
    },
    { additionalProperties: false },
  ),
  Type.Object(
    {
      kind: Type.Literal('hold'),
      name: literals(holdNames),
      status: literals(['hold', 'pending', 'released']),
    },
    { additionalProperties: false },
  ),
  Type.Object({ kind: Type.Literal('available'), value: Type.Boolean() }, { additionalProperties: false }),
  Type.Object({ kind: Type.Literal('booking_cancelled') }, { additionalProperties: false }),
  /** The status is known, and does not move a container. */
  Type.Object({ kind: Type.Literal('nothing') }, { additionalProperties: false }),
])
export type StatusMeaning = Static<typeof meaning>

const direction = literals(['in', 'out', 'load', 'discharge'])

const edifactProfileSchema = Type.Object(
  {
    /**
     * The partner's status codes (STS, C555). The entry that matches most of code, reason and text decides; case and
     * blanks do not matter. These entries have priority over the standard's list.
     */
    codes: Type.Array(
      Type.Object(
        {
          code: shortText,
          reason: Type.Optional(shortText),
          text: Type.Optional(shortText),
          means: meaning,
        },
        { additionalProperties: false },
      ),
      { maxItems: 1_000 },
    ),
    /** Whether numbers of the list 9011 are read: only if the message's directory has the list, or in any directory. */
    numbersOf9011: literals(['by_directory', 'always']),
    /** Meaning of a time without a zone: the wall clock at its place, or UTC if the partner has agreed to that. */
    zonelessTimes: literals(['place', 'utc']),
    /** The kind of the number in `CNI` of an IFTSTA, where the partner has stated it. */
    consignmentNumber: literals(['bill_of_lading', 'booking', 'none']),
    /** The partner's own codes (BGM) of gate and quay reports, besides those of `reports.ts`. */
    reports: Type.Record(Type.String({ minLength: 1, maxLength: 20 }), direction, { maxProperties: 50 }),
    /** The names under which the partner sends (UNB, S002), for files that come by e-mail; else its code alone. */
    senders: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 35 }), { maxItems: 50 })),
  },
  { additionalProperties: false },
)
export type EdifactProfile = Static<typeof edifactProfileSchema>

/** The profile of a partner about whom nothing is known. */
export const plainEdifactProfile: EdifactProfile = {
  codes: [],
  numbersOf9011: 'by_directory',
  zonelessTimes: 'place',
  consignmentNumber: 'none',
  reports: {},
}

/** Checks a profile as stored or as an operator wrote it; missing members are those of `plainEdifactProfile`. */
export function parseEdifactProfile(value: unknown): Result<EdifactProfile, string> {
  const whole =
    typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...plainEdifactProfile, ...value } : value
  return checkAgainst(edifactProfileSchema, whole)
}
