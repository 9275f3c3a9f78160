/**
 * Finds the statements of a delivery: one on each line (NDJSON), a list, an object with a list `statements`, or a
 * single one.
 */

import { endOfValue, findElements, type JsonElement, skipBlank, skipByteOrderMark } from '../json-elements.ts'

export type Layout = 'lines' | 'json'

/** A delivery that begins with an object is `lines`, unless this object is the whole delivery. */
export function layoutOf(body: Buffer): Layout {
  const at = skipBlank(body, skipByteOrderMark(body))
  if (body[at] !== 0x7b) return 'json'
  const end = endOfValue(body, at)
  return end !== null && skipBlank(body, end.to) === body.length ? 'json' : 'lines'
}

/** The path of a line is its number, from 1; the path of a list element is a JSON pointer. */
export function findStatements(body: Buffer, layout: Layout): Iterable<JsonElement> {
  return layout === 'lines' ? findLines(body) : findElements(body, ['statements'])
}

function* findLines(body: Buffer): Generator<JsonElement> {
  let line = 0
  for (let from = skipByteOrderMark(body); from < body.length; ) {
    line += 1
    const feed = body.indexOf(0x0a, from)
    const to = feed < 0 ? body.length : feed
    const text = body.subarray(0, to)
    const at = skipBlank(text, from)
    from = to + 1
    if (at >= to) continue
    const end = endOfValue(text, at)
    const path = `/${line}`
    if (end === null || skipBlank(text, end.to) < to) {
      const isLast = feed < 0
      const detail = `line ${line}: not a complete JSON object, and each line must have one`
      yield { kind: 'fault', issue: end === null && isLast ? 'truncated_body' : 'not_json', path, detail }
    } else yield { kind: 'element', range: { from: at, to: end.to }, path, depth: end.depth }
  }
}
