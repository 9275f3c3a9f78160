/**
 * A cursor contains the complete query and the position from which the answer continues, so that a client may send it
 * alone, or with the parameters of its first request.
 */

import { parameterFault } from '../api/errors/problem.ts'
import { isUuid } from '../api/http/path-parameters.ts'
import type { Cursor, Position } from '../db/listing/page.ts'
import { parseEventTime } from '../domain/values/time.ts'

type Query = Readonly<Record<string, string | readonly string[]>>

export interface ContinuedQuery {
  /** The parameters of the first request. */
  readonly query: Query
  readonly cursor: Cursor | null
}

export function writeCursor(query: Query, position: Position | null): string {
  const { cursor: _, ...question } = query
  const at = position === null ? [] : [position.value, position.id]
  return Buffer.from(JSON.stringify([question, ...at])).toString('base64url')
}

/** Refuses a cursor of other parameters than those beside it: one of the two would have no effect. */
export function readCursor(query: Query): ContinuedQuery {
  const { cursor: text, ...beside } = query
  if (text === undefined) return { query, cursor: null }
  const parts = typeof text === 'string' ? parseCursor(text) : null
  if (parts === null) throw parameterFault('malformed', 'cursor', 'Take the cursor from the header `Next-Page`.')
  const isSame = Object.entries(beside).every(([name, value]) => String(parts.query[name]) === String(value))
  if (!isSame)
    throw parameterFault(
      'invalid',
      'cursor',
      'The cursor belongs to a request with other parameters. Repeat those, or send the cursor alone.',
    )
  return parts
}

function parseCursor(text: string): ContinuedQuery | null {
  if (text.length > 4_000 || !/^[\w-]+$/.test(text)) return null
  let parts: unknown
  try {
    parts = JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    return null
  }
  if (!Array.isArray(parts) || typeof parts[0] !== 'object' || parts[0] === null) return null
  const [query, value, id] = parts as [Query, unknown, unknown]
  const areTexts = Object.values(query).every((each) => [each].flat().every((part) => typeof part === 'string'))
  if (!areTexts) return null
  if (parts.length === 1) return { query, cursor: null }
  if (typeof value !== 'string' || typeof id !== 'string' || !isUuid(id)) return null
  const written = value.replace(' ', 'T')
  // The database reads no hour without minutes.
  const isTime = parseEventTime(written)?.kind === 'instant' && written.charAt(13) === ':'
  return isTime ? { query, cursor: { side: 'after', position: { value, tie: null, id } } } : null
}
