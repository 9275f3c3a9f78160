/**
 * Where an operator gets access to a carrier, terminal or railroad, and what is publicly known about it. Each value
 * names the source in which it was found, and the day.
 */

import { readFileSync } from 'node:fs'
import type { Static } from 'typebox'
import { Type } from '../platform/json-schema.ts'
import { once } from '../reference/data-files.ts'

export const accessWays = ['request', 'push', 'edi', 'paper'] as const

/** Null: unknown. */
const text = Type.Union([Type.String({ minLength: 1, maxLength: 300 }), Type.Null()])
const closed = { additionalProperties: false }

export const accessGuideSchema = Type.Object(
  {
    /** SCACs of lines, or the name of a description of a facility. */
    names: Type.Array(Type.String(), { minItems: 1 }),
    /** Only for facilities: the full name, and `terminal:` or `rail:` with the code. */
    title: Type.Optional(Type.String({ maxLength: 100 })),
    speaker: Type.Optional(Type.Union([Type.String({ pattern: '^(terminal|rail):[A-Z0-9]{2,9}$' }), Type.Null()])),
    /** How data can come from it; empty when no way is known. */
    ways: Type.Array(Type.Union(accessWays.map((way) => Type.Literal(way)))),
    /** The page for developers or customers where access is requested. */
    portal: text,
    /** The plan or product that covers tracking. */
    product: text,
    /** Who in the customer's company usually has the account, or asks for it. */
    holder: text,
    cost: text,
    /** How long it takes until access is given. */
    duration: text,
    version: text,
    authentication: text,
    limits: text,
    codes: text,
    /** How it differs from the standard. */
    differences: Type.Array(Type.String({ maxLength: 300 })),
    /** How late, incomplete or corrected its data is. */
    delays: text,
    sources: Type.Array(
      Type.Object(
        {
          url: text,
          title: Type.String({ maxLength: 200 }),
          /** The members above that it supports. */
          for: Type.Array(Type.String()),
          /** The day on which it was looked up, ISO 8601. */
          day: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
          /** S: of the carrier or a standard; C: public client code; D: a provider's documentation; R: one report. */
          grade: Type.Union((['S', 'C', 'D', 'R'] as const).map((grade) => Type.Literal(grade))),
        },
        closed,
      ),
    ),
  },
  closed,
)
export type AccessGuide = Static<typeof accessGuideSchema>

const read = (file: string): readonly AccessGuide[] =>
  JSON.parse(readFileSync(new URL(`./guides/${file}.json`, import.meta.url), 'utf8')) as readonly AccessGuide[]

export const lineGuides = once(() => read('lines'))
export const facilityGuides = once(() => read('facilities'))

/** `name`: a SCAC, or the name of a description. Null when nothing is known. */
export function findAccessGuide(name: string): AccessGuide | null {
  return [...lineGuides(), ...facilityGuides()].find(({ names }) => names.includes(name)) ?? null
}
