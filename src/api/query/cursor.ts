/** `page[after]` and `page[before]`: a position in the order of a list, as a text that is opaque to clients. */

import type { Cursor, Position } from '../../db/listing/page.ts'
import { parseEventTime } from '../../domain/values/time.ts'
import { parameterFault } from '../errors/problem.ts'
import { isUuid } from '../http/path-parameters.ts'

export function writeCursor(order: string, { value, tie, id }: Position): string {
  return Buffer.from(JSON.stringify([order, value, id, ...(tie === null ? [] : [tie])])).toString('base64url')
}

/**
 * Null when neither parameter is given. An empty one means the beginning or the end of the list. Throws 400 for a text
 * that no list in this order could have given.
 */
export function readCursor(given: ReadonlyMap<string, string>, order: string): Cursor | null {
  const [after, before] = [given.get('page[after]'), given.get('page[before]')]
  const side = after !== undefined ? 'after' : 'before'
  const text = after ?? before
  if (text === undefined) return null
  const name = `page[${side}]`
  if (after !== undefined && before !== undefined)
    throw parameterFault('malformed', 'page[before]', 'Give `page[after]` or `page[before]`, not both.')
  if (given.has('page[number]'))
    throw parameterFault('malformed', 'page[number]', `\`page[number]\` and \`${name}\` exclude each other.`)
  if (text.trim() === '') return { side, position: null }
  const position = readPosition(text.trim(), order)
  if (position === null) {
    throw parameterFault(
      'malformed',
      name,
      `This is not a position in this list. Take it from \`links\`, and do not change \`sort\` (here: ${order}).`,
    )
  }
  return { side, position }
}

function readPosition(text: string, order: string): Position | null {
  if (text.length > 500 || !/^[\w-]+$/.test(text)) return null
  let parts: unknown
  try {
    parts = JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    return null
  }
  if (!Array.isArray(parts) || parts.length < 3 || parts.length > 4) return null
  const [ofOrder, value, id, tie = null] = parts as readonly unknown[]
  if (ofOrder !== order || typeof value !== 'string' || typeof id !== 'string' || !isUuid(id)) return null
  if (tie !== null && (typeof tie !== 'string' || !/^\d{1,18}$/.test(tie))) return null
  return isValueOf(order, value) ? { value, tie, id } : null
}

/**
 * Checks the value against the type of the order's column, so that an invented text never reaches a cast in the
 * database.
 */
function isValueOf(order: string, value: string): boolean {
  if (order === 'rank') return /^[a-z_]{1,30} -?\d{1,16}$/.test(value)
  if (order.endsWith('number')) return /^[\x20-\x7e]{1,40}$/.test(value)
  if (value === 'infinity') return true
  const written = value.replace(' ', 'T')
  const kind = parseEventTime(written)?.kind
  return order.endsWith('lfd') || order === 'urgency'
    ? kind === 'day'
    : kind === 'instant' && /^.{13}:.*\+00$/.test(written)
}
