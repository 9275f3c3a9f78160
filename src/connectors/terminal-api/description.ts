/**
 * The description of a terminal or railway as one file: how it is polled and how its answers are read. The built-in
 * ones are in `profiles/`. An operator's own may start from one of them (`like`) and contain only the differences:
 *
 *     {"like": "lbct", "answer": {"zone": "place"}, "asking": {"rate": {"perMinute": 5}}}
 */

import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Static } from 'typebox'
import { isObject, type JsonObject } from '../../domain/values/json-value.ts'
import { err, ok, type Result } from '../../domain/values/result.ts'
import { Type } from '../../platform/json-schema.ts'
import { checkAgainst } from '../check-schema.ts'

const members = Type.Record(Type.String(), Type.Unknown())
const descriptionSchema = Type.Object(
  {
    name: Type.Optional(Type.String({ maxLength: 200 })),
    /** `terminal:` with a FIRMS or SMDG code, `rail:` with a SCAC. */
    speaker: Type.Optional(Type.String({ pattern: '^(terminal|rail):[A-Z0-9]{2,9}$' })),
    /**
     * How it is known: S a standard or the facility's own file, D a vendor's page, C public code, R second-hand, M
     * memory.
     */
    evidence: Type.Optional(Type.String({ maxLength: 2_000 })),
    remarks: Type.Optional(Type.String({ maxLength: 4_000 })),
    /** What the facility gives each customer, and the operator must set. */
    operatorSets: Type.Optional(Type.Array(Type.String({ maxLength: 200 }))),
    answer: members,
    asking: Type.Optional(members),
  },
  { additionalProperties: false },
)
export type Description = Static<typeof descriptionSchema>

const folder = fileURLToPath(new URL('./profiles/', import.meta.url))

/** Sorted by name. */
export const shippedNames: readonly string[] = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.slice(0, -'.json'.length))
  .toSorted()

/** Null for an unknown name. */
export function findBuiltInDescription(name: string): Description | null {
  if (!shippedNames.includes(name)) return null
  return JSON.parse(readFileSync(`${folder}${name}.json`, 'utf8')) as Description
}

/** Checks only the outer members: `answer` and `asking` are checked by their own parsers. */
export function readDescription(value: unknown): Result<Description, string> {
  if (!isObject(value)) return err('is not a JSON object')
  const { like, ...overrides } = value
  if (like === undefined) return checkAgainst(descriptionSchema, overrides)
  const shipped = typeof like === 'string' ? findBuiltInDescription(like) : null
  if (shipped === null) return err(`/like must be one of ${shippedNames.join(', ')}`)
  const checked = checkAgainst(descriptionSchema, mergeOverrides({ ...shipped }, overrides))
  return checked.ok ? ok(checked.value) : checked
}

/** Merges objects member by member. Everything else, lists too, is from `overrides`. */
export function mergeOverrides(base: JsonObject, overrides: JsonObject): JsonObject {
  const merged: Record<string, unknown> = { ...base }
  for (const [name, value] of Object.entries(overrides)) {
    const before = base[name]
    merged[name] = isObject(before) && isObject(value) ? mergeOverrides(before, value) : value
  }
  return merged
}
