/** Values for the fuzz run: valid by a schema of the OpenAPI document, at its limits, or hostile. */

import type { JsonSchema } from '../../test/support/description.ts'

export type Chance = () => number

export const pick = <Each>(chance: Chance, from: readonly Each[]): Each =>
  from[Math.floor(chance() * from.length)] as Each

/** Ids of this account, of another account, and of nothing. */
export interface Ids {
  readonly own: readonly string[]
  readonly foreign: readonly string[]
}

const nobody = '018f0000-0000-7000-8000-0000000000aa'

export const anId = (chance: Chance, { own, foreign }: Ids): string =>
  pick(chance, [pick(chance, own), pick(chance, foreign), nobody])

/** A value that fits the schema. `name` of the property or parameter is used where the schema says too little. */
export function fittingValue(chance: Chance, schema: JsonSchema, of: { name: string; ids: Ids }): unknown {
  if (schema['const'] !== undefined) return schema['const']
  if (Array.isArray(schema['enum'])) return pick(chance, schema['enum'])
  const options = schema['anyOf'] ?? schema['oneOf']
  if (Array.isArray(options)) return fittingValue(chance, pick(chance, options as JsonSchema[]), of)
  const type = pick(chance, [schema['type'] ?? 'string'].flat() as string[])
  if (type === 'null') return null
  if (type === 'boolean') return chance() < 0.5
  if (type === 'integer' || type === 'number') return someNumber(chance, schema)
  if (type === 'array') {
    const count = Math.floor(chance() * 4)
    const items = (schema['items'] ?? {}) as JsonSchema
    return Array.from({ length: count }, () => fittingValue(chance, items, of))
  }
  if (type === 'object') return someObject(chance, schema, of.ids)
  return someText(chance, schema, of)
}

function someNumber(chance: Chance, { minimum = 0, maximum = 1_000 }: JsonSchema): number {
  const [low, high] = [Number(minimum), Number(maximum)]
  return pick(chance, [low, high, Math.floor(low + chance() * (high - low))])
}

function someObject(chance: Chance, schema: JsonSchema, ids: Ids): Record<string, unknown> {
  const required = (schema['required'] ?? []) as readonly string[]
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>)
  return Object.fromEntries(
    properties
      .filter(([name]) => required.includes(name) || chance() < 0.6)
      .map(([name, each]) => [name, fittingValue(chance, each, { name, ids })]),
  )
}

const words = ['MSCU4000026', 'CNSH', 'ONEY', 'TEST', 'USLAX', 'vessel_arrived', 'buyer', '2026-01-18', 'a', '7']

function someText(chance: Chance, schema: JsonSchema, { name, ids }: { name: string; ids: Ids }): string {
  if (schema['format'] === 'uuid' || /(^|_)id\]?$/.test(name)) return anId(chance, ids)
  if (schema['format'] === 'date-time' || /_at|since|until|as_of|start|end/.test(name))
    return pick(chance, ['2026-01-18T00:00:00Z', '2026-01-17T23:59:59.999+09:00', '2026-01-18'])
  // Deliveries must not leave this machine.
  if (name === 'url') return pick(chance, ['http://127.0.0.1:9/hook', 'https://nowhere.invalid/hook'])
  const max = Number(schema['maxLength'] ?? 40)
  return pick(chance, [
    pick(chance, words),
    'x'.repeat(Math.min(max, 3_000)),
    'y'.repeat(Number(schema['minLength'] ?? 1)),
  ])
}

/** None of these texts looks like a stack, an SQL statement or a path of ours, because an error may repeat them. */
const hostileTexts: readonly string[] = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\u001b[31m',
  '\ud800',
  '\u202e\u2066right to left',
  'é'.normalize('NFD'),
  '𝔘𝔫𝔦😀‍👩‍👩‍👧',
  'ﷺ'.repeat(50),
  "' or ''='",
  '"; drop table x; --',
  '%',
  '_',
  '\\',
  '%00',
  '%zz',
  '../../etc',
  '{{7*7}}',
  '<script>1</script>',
  '=1+1',
  'null',
  'undefined',
  'NaN',
  '-1',
  '0',
  '1e400',
  '9'.repeat(400),
  '0x10',
  '2026-02-30T25:61:61Z',
  '275760-09-13T00:00:00Z',
  '0000-00-00',
  '-271821-04-20T00:00:00Z',
  'constructor',
  '__proto__',
  'toString',
  ','.repeat(300),
  'a.b.c.d.e.f',
  'x'.repeat(5_000),
]

export const hostileText = (chance: Chance): string => pick(chance, hostileTexts)

export function hostileValue(chance: Chance): unknown {
  return pick<() => unknown>(chance, [
    () => hostileText(chance),
    () => null,
    () => [],
    () => ({}),
    () => [hostileText(chance)],
    () => ({ id: hostileText(chance) }),
    () => -1,
    () => 0,
    () => 1e308,
    () => 2 ** 53,
    () => 2 ** 31,
    () => -(2 ** 63),
    () => 1.5,
    () => true,
    () => nested(10),
    () => nested(40),
    () => Array.from({ length: 2_000 }, () => 'a'),
  ])()
}

function nested(depth: number): unknown {
  return depth === 0 ? 'x' : chanceless(depth)
}

const chanceless = (depth: number): unknown => (depth % 2 === 0 ? [nested(depth - 1)] : { a: nested(depth - 1) })
