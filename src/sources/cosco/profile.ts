/** COSCO's own open interface (COP), as its public documents have it: where it is, by what it is asked, and how much. */

import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { ok, type Result, refused } from '../../core/result.ts'
import { platformMembers } from '../dcsa/profile.ts'

const profileSchema = Type.Object(
  {
    ...Type.Omit(Type.Object(platformMembers), ['auth', 'extraParameters', 'path']).properties,
    scac: Type.String({ pattern: '^[A-Z]{4}$' }),
    /** True once an operator has seen it work with the line itself. */
    verified: Type.Boolean(),
    /** Before the number in the address. */
    path: Type.String({ pattern: '^/[^\\s?#]*/$', maxLength: 500 }),
    isBilled: Type.Boolean(),
  },
  { additionalProperties: false },
)
export type CoscoProfile = Static<typeof profileSchema>

/** The two secrets that the line gives an application. */
export const coscoSecrets: readonly string[] = ['apiKey', 'secretKey']

export function parseCoscoProfile(value: unknown): Result<CoscoProfile, string> {
  const whole = typeof value === 'object' && value !== null ? { ...coscoProfile, ...value } : value
  if (Value.Check(profileSchema, whole)) return ok(whole)
  const [fault] = Value.Errors(profileSchema, whole)
  return refused(fault === undefined ? 'is no profile' : `${fault.instancePath || '/'} ${fault.message}`)
}

/**
 * github.com/cop-cos/COP (README_en.md, docs/info-cargotracking-en.md): 1,000 questions a day and 30,000 a month, which 900 a
 * day keep. By container it tells of all the trips of a box under no document of any, so it is not asked so.
 */
export const coscoProfile: CoscoProfile = {
  scac: 'COSU',
  verified: false,
  base: 'https://api.lines.coscoshipping.com/service',
  path: '/info/tracking/',
  headers: { accept: 'application/json' },
  parameters: { container: null, bill_of_lading: 'bl', booking: 'bkg' },
  stripPrefixes: ['COSU'],
  rate: { perDay: 900 },
  concurrency: 1,
  timeoutMs: 30_000,
  maxBytes: 16_000_000,
  isBilled: false,
}
