/**
 * How a partner's X12 differs from our tables. All fields are optional; `{}` is a profile:
 *
 *     {"dialect": "terminal",
 *      "codes": {"PX": "hold USDA", "HR": "release customs", "OX": "GTOT LADEN"},
 *      "references": {"IT": "it_number"},
 *      "terminals": {"PCT": "Y258"},
 *      "places": {"380000": "USCHI"},
 *      "envelopeZone": "America/Los_Angeles",
 *      "currency": "USD"}
 *
 * The notation of `codes` is that of `effects.ts`. With it an operator maps a code that is not mapped, or that means
 * something else to this partner, without changing our program.
 */

import type { Static } from 'typebox'
import type { SourceKind } from '../../domain/statements/observation.ts'
import { isOneOf } from '../../domain/values/codes.ts'
import { err, type Result } from '../../domain/values/result.ts'
import { isTimeZone } from '../../domain/values/time-zone.ts'
import { Type } from '../../platform/json-schema.ts'
import { checkAgainst } from '../check-schema.ts'
import { parseEffects } from './effects.ts'
import { type ReferenceFact, referenceFacts } from './references.ts'
import type { Dialect } from './statuses.ts'

const code = Type.String({ maxLength: 200 })

const x12ProfileSchema = Type.Object(
  {
    /** True once an operator has seen it work with the partner itself. */
    verified: Type.Optional(Type.Boolean()),
    /** In which sense its 315 uses codes. Absent: `terminal` if a terminal sends, else `carrier`. */
    dialect: Type.Optional(Type.Union([Type.Literal('carrier'), Type.Literal('terminal')])),
    /** Status code → its effects. */
    codes: Type.Optional(Type.Record(Type.String({ pattern: '^[A-Z0-9]{1,3}$' }), code)),
    /** Qualifier of a reference (N9-01) → the fact that it names. */
    references: Type.Optional(Type.Record(Type.String({ pattern: '^[A-Z0-9]{1,3}$' }), code)),
    /** The partner's own code of a terminal (N9*TT) → its FIRMS code. */
    terminals: Type.Optional(
      Type.Record(Type.String({ minLength: 1, maxLength: 30 }), Type.String({ pattern: '^[A-Z0-9]{4}$' })),
    ),
    /** The partner's own code of a place, or a railway's (SPLC) → its UN/LOCODE. */
    places: Type.Optional(
      Type.Record(Type.String({ minLength: 1, maxLength: 30 }), Type.String({ pattern: '^[A-Z]{2}[A-Z2-9]{3}$' })),
    ),
    /** IANA zone of the times in ISA and GS, which have no zone. Absent: unknown. */
    envelopeZone: Type.Optional(Type.String({ maxLength: 60 })),
    /** The names under which the partner sends (ISA06), for files that come by e-mail; else its code alone. */
    senders: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 15 }), { maxItems: 50 })),
    /** ISO 4217 currency of the fees, which have none. Absent: fees are recorded but not shown. */
    currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$' })),
  },
  { additionalProperties: false },
)
export type X12Profile = Static<typeof x12ProfileSchema>

/** Checks a profile as stored or as an operator wrote it; the reason names the first field that is wrong. */
export function parseX12Profile(value: unknown): Result<X12Profile, string> {
  const checked = checkAgainst(x12ProfileSchema, value)
  if (!checked.ok) return checked
  const profile = checked.value
  for (const [status, line] of Object.entries(profile.codes ?? {})) {
    if (parseEffects(line) === null) return err(`/codes/${status} is not a valid meaning of a status code`)
  }
  for (const [qualifier, fact] of Object.entries(profile.references ?? {})) {
    if (!isReferenceFact(fact)) return err(`/references/${qualifier} must be one of ${referenceFacts.join(', ')}`)
  }
  const { envelopeZone = null } = profile
  if (envelopeZone !== null && !isTimeZone(envelopeZone)) return err('/envelopeZone is not a time zone')
  return checked
}

/** Whether a status code or a qualifier can be a name in the profile. */
export function isMappable(code: string): boolean {
  return /^[A-Z0-9]{1,3}$/.test(code)
}

export function isReferenceFact(text: string): text is ReferenceFact {
  return isOneOf(referenceFacts, text)
}

export function dialectOf(profile: X12Profile, speaker: SourceKind): Dialect {
  return profile.dialect ?? (speaker === 'terminal' ? 'terminal' : 'carrier')
}
