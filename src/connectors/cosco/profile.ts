/** COSCO's own open interface (COP), according to its public documents: address, kinds of numbers, and limits. */

import type { Static } from 'typebox'
import type { Result } from '../../domain/values/result.ts'
import { Type } from '../../platform/json-schema.ts'
import { checkAgainst } from '../check-schema.ts'
import { platformMembers } from '../dcsa/profile.ts'

export const coscoProfileSchema = Type.Object(
  {
    ...Type.Omit(Type.Object(platformMembers), ['auth', 'extraParameters', 'path']).properties,
    scac: Type.String({ pattern: '^[A-Z]{4}$' }),
    /** True once an operator has seen it work with the line itself. */
    verified: Type.Boolean(),
    /** The part of the address before the number. */
    path: Type.String({ pattern: '^/[^\\s?#]*/$', maxLength: 500 }),
    isBilled: Type.Boolean(),
  },
  { additionalProperties: false },
)
export type CoscoProfile = Static<typeof coscoProfileSchema>

/** The two secrets that the line gives an application. */
export const coscoSecrets: readonly string[] = ['apiKey', 'secretKey']

export function parseCoscoProfile(value: unknown): Result<CoscoProfile, string> {
  const whole = typeof value === 'object' && value !== null ? { ...coscoProfile, ...value } : value
  return checkAgainst(coscoProfileSchema, whole)
}

/**
 * github.com/cop-cos/COP (README_en.md, docs/info-cargotracking-en.md): the line allows 1,000 questions a day and
 * 30,000 a month; 900 a day stay below both. Not polled by container: such an answer mixes all trips of a container and
 * names no document.
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
