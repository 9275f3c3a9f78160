/**
 * One field that a document may have: where it stands in the payload, what kind of value it is, and for which kinds of
 * documents it is read. Schemas, docs and the reader all follow from a list of these.
 */

import type { ReadableType } from '../document.ts'

/**
 * `number`: a reference as it is printed, without blanks around it. `moment`: a day (`2026-01-29`), a wall clock without
 * zone (`2026-01-29T17:00:00`), or an instant where the page prints UTC. Weights are kilograms, volumes cubic metres.
 */
export const valueKinds = [
  'text',
  'number',
  'container',
  'scac',
  'unlocode',
  'imo',
  'firms',
  'size',
  'currency',
  'incoterm',
  'paymentTerm',
  'clock',
  'timeUnit',
  'speaker',
  'classifier',
  'day',
  'moment',
  'count',
  'amount',
  'kg',
  'cbm',
  'yesNo',
] as const
export type ValueKind = (typeof valueKinds)[number]

export interface PayloadField {
  /** `containers[].number`: `[]` marks a list, a point a member. */
  readonly path: string
  readonly kind: ValueKind
  readonly label: string
  readonly types: readonly ReadableType[]
}

type JsonSchema = Readonly<Record<string, unknown>>

const oneOf = (...words: readonly string[]): JsonSchema => ({ type: 'string', enum: words })
const day = '[0-9]{4}-[0-9]{2}-[0-9]{2}'

/** What a value of each kind must look like. */
export const schemaOfKind: Readonly<Record<ValueKind, JsonSchema>> = {
  text: { type: 'string', minLength: 1, maxLength: 2_000 },
  number: { type: 'string', minLength: 1, maxLength: 60 },
  container: { type: 'string', pattern: '^[A-Z]{3}[UJZ][0-9]{7}$' },
  scac: { type: 'string', pattern: '^[A-Z]{4}$' },
  unlocode: { type: 'string', pattern: '^[A-Z]{2}[A-Z2-9]{3}$' },
  imo: { type: 'string', pattern: '^[1-9][0-9]{6}$' },
  firms: { type: 'string', pattern: '^[A-Z][A-Z0-9]{3}$' },
  size: { type: 'string', minLength: 2, maxLength: 20 },
  currency: { type: 'string', pattern: '^[A-Z]{3}$' },
  incoterm: { type: 'string', pattern: '^[A-Z]{3}$' },
  paymentTerm: oneOf('PRE', 'COL'),
  clock: oneOf('DEM', 'DET', 'STO'),
  timeUnit: oneOf('CD', 'WD'),
  speaker: oneOf('line', 'terminal', 'rail'),
  classifier: oneOf('PLN', 'EST', 'ACT'),
  day: { type: 'string', pattern: `^${day}$` },
  moment: { type: 'string', pattern: `^${day}(T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{3}Z)?)?$` },
  count: { type: 'integer', minimum: 0 },
  amount: { type: 'number' },
  kg: { type: 'number', exclusiveMinimum: 0 },
  cbm: { type: 'number', exclusiveMinimum: 0 },
  yesNo: { type: 'boolean' },
}
