/**
 * How times are written in the API: ISO 8601 in UTC, cut to the whole second, because many receivers read no fraction.
 * Internally all times have milliseconds, so that they can be compared as texts. The schema of the answer shows which
 * values are times.
 */

import type { TSchema } from 'typebox'

export function writeTime(at: string): string {
  return `${at.slice(0, 19)}Z`
}

/** For a value that may be a time but has no schema. */
export function writeIfTime(value: unknown): unknown {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T[\d:]{8}\.\d+Z$/.test(value) ? writeTime(value) : value
}

type ValueWriter = (value: unknown) => unknown

/**
 * A function that copies a value of this schema and writes its times in the form of the wire. Null when such a value
 * contains no times.
 */
export function timesWriter(schema: TSchema): ValueWriter | null {
  const { format, items, properties, additionalProperties, anyOf } = schema as Partial<
    Record<'items' | 'additionalProperties', TSchema>
  > & {
    readonly format?: string
    readonly properties?: Readonly<Record<string, TSchema>>
    readonly anyOf?: readonly TSchema[]
  }
  if (format === 'date-time') return writeIfTime
  if (anyOf !== undefined) return combineWriters(anyOf.map(timesWriter))
  if (items !== undefined) {
    const each = timesWriter(items)
    return each && ((value) => (Array.isArray(value) ? value.map(each) : value))
  }
  const named = makeTimeWriters(properties ?? {})
  const others = typeof additionalProperties === 'object' ? timesWriter(additionalProperties) : null
  if (named.length === 0 && others === null) return null
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const object: Record<string, unknown> =
      others === null
        ? { ...value }
        : Object.fromEntries(Object.entries(value).map(([name, each]) => [name, others(each)]))
    for (const [name, write] of named) if (Object.hasOwn(object, name)) object[name] = write(object[name])
    return object
  }
}

export function makeTimeWriters(
  properties: Readonly<Record<string, TSchema>>,
): readonly (readonly [string, ValueWriter])[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const write = timesWriter(schema)
    return write === null ? [] : [[name, write] as const]
  })
}

function combineWriters(writers: readonly (ValueWriter | null)[]): ValueWriter | null {
  const some = writers.filter((each) => each !== null)
  return some.length === 0 ? null : (value) => some.reduce((written, write) => write(written), value)
}
