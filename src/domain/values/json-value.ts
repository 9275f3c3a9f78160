/**
 * JSON values: recognises objects, compares two values, and writes one text for one value, whatever order members are
 * in.
 */

export type JsonObject = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The members of an object; empty for a value that is not an object. */
export function membersOf(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

/** Names and fingerprints are made of this text. Members that are undefined are omitted. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value) ?? 'null'
  let text = ''
  for (const name of Object.keys(value).sort()) {
    const member = value[name]
    if (member !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${canonicalJson(member)}`
  }
  return `{${text}}`
}

/** jsonb does not preserve the order of members, so values from the database are compared with this function. */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) || Array.isArray(b)) return areSameLists(a, b, isSameJson)
  let more = 0
  for (const member in a) {
    const right = (b as JsonObject)[member]
    if (!isSameJson((a as JsonObject)[member], right) || (right === undefined && !(member in b))) return false
    more += 1
  }
  for (const _ in b) more -= 1
  return more === 0
}

/**
 * Whether `value`, stored as JSON and read back, would equal `stored`, which was read back. The same as
 * `isSameJson(stored, asStored(value))`, without the copies.
 */
export function isStoredAs(value: unknown, stored: unknown): boolean {
  if (value === stored) return true
  if (typeof value !== 'object' || typeof stored !== 'object' || value === null || stored === null) return false
  if (Array.isArray(value) || Array.isArray(stored)) return areSameLists(value, stored, isStoredAs)
  let more = 0
  for (const member in value) {
    const left = (value as JsonObject)[member]
    if (left === undefined) continue
    if (!isStoredAs(left, (stored as JsonObject)[member])) return false
    more += 1
  }
  for (const _ in stored) more -= 1
  return more === 0
}

function areSameLists(a: object, b: object, areSame: (a: unknown, b: unknown) => boolean): boolean {
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false
  for (let place = 0; place < a.length; place += 1) if (!areSame(a[place], b[place])) return false
  return true
}

/**
 * The value as it comes back after it was stored as JSON: members that are undefined are missing. The same object when
 * there are none.
 */
export function asStored<Value>(value: Value): Value {
  return withoutUndefined(value) as Value
}

function withoutUndefined(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = value.map(withoutUndefined)
    return items.every((item, place) => item === value[place]) ? value : items
  }
  let copy: Record<string, unknown> | null = null
  for (const name in value) {
    const member = (value as JsonObject)[name]
    const same = withoutUndefined(member)
    if (same === member && member !== undefined) continue
    copy ??= { ...value }
    if (member === undefined) delete copy[name]
    else copy[name] = same
  }
  return copy ?? value
}
