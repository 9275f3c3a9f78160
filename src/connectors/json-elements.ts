/**
 * Finds the places of the elements of a JSON delivery in its bytes. One pass finds them and parses none. If the JSON
 * ends too early or is broken in the middle, all complete elements before that place are still given. Memory use is
 * that of one element, whatever their number.
 */

import type { ByteRange } from './pushed-source.ts'
import type { SourceIssue } from './source-issue.ts'

export type JsonElement =
  | {
      readonly kind: 'element'
      readonly range: ByteRange
      /** JSON pointer. */
      readonly path: string
      /** Number of nested objects and lists. */
      readonly depth: number
    }
  | {
      readonly kind: 'fault'
      readonly issue: SourceIssue['kind']
      readonly path: string
      readonly detail: string
    }

/**
 * If the delivery is a list: its elements. If it is an object: the elements of its members with one of the names in
 * `lists` (lower case). An object without such a member is one element itself.
 */
export function* findElements(body: Buffer, lists: readonly string[]): Generator<JsonElement> {
  const at = skipBlank(body, skipByteOrderMark(body))
  if (body[at] === openList) {
    const end = yield* elementsOfList(body, at, '')
    if (end !== null) yield* reportTrailingText(body, end)
  } else if (body[at] === openObject) yield* elementsOfObject(body, at, lists)
  else if (at >= body.length) yield makeFault('empty_answer', '', 'the body is empty')
  else yield makeFault('not_json', '', 'this is not JSON')
}

const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]
const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a]

/** Offset after a byte order mark, which is not part of the text. */
export function skipByteOrderMark(body: Buffer): number {
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? 3 : 0
}

export function skipBlank(body: Buffer, from: number): number {
  let at = from
  while (at < body.length && isBlank(body[at])) at += 1
  return at
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

/** Returns where the list ends; null when the list has no end. */
function* elementsOfList(body: Buffer, from: number, path: string): Generator<JsonElement, number | null> {
  let at = skipBlank(body, from + 1)
  if (body[at] === closeList) return at + 1
  for (let index = 0; ; index += 1) {
    const end = endOfValue(body, at)
    if (end === null) return yield* reportBroken(body, at, `${path}/${index}`)
    yield makeElement(at, end, `${path}/${index}`)
    at = skipBlank(body, end.to)
    if (body[at] === closeList) return at + 1
    if (body[at] !== comma) return yield* reportBroken(body, at, `${path}/${index}`)
    at = skipBlank(body, at + 1)
  }
}

function* elementsOfObject(body: Buffer, from: number, lists: readonly string[]): Generator<JsonElement> {
  let hasList = false
  let at = skipBlank(body, from + 1)
  while (at < body.length && body[at] !== closeObject) {
    const name = endOfValue(body, at)
    const mark = name === null ? body.length : skipBlank(body, name.to)
    if (name === null || body[at] !== quote || body[mark] !== colon) return yield* reportBroken(body, at, '')
    const value = skipBlank(body, mark + 1)
    const text = body.toString('latin1', at + 1, Math.min(name.to - 1, at + 60))
    const isList: boolean = body[value] === openList && lists.includes(text.toLowerCase())
    hasList ||= isList
    const end = isList ? yield* elementsOfList(body, value, `/${text}`) : (endOfValue(body, value)?.to ?? null)
    if (end === null) {
      if (!isList) yield* reportBroken(body, value, '')
      return
    }
    at = skipBlank(body, end)
    if (body[at] === comma) at = skipBlank(body, at + 1)
    else if (body[at] !== closeObject) return yield* reportBroken(body, at, '')
  }
  if (at >= body.length) return yield* reportBroken(body, at, '')
  yield* reportTrailingText(body, at + 1)
  if (!hasList) yield makeElement(from, endOfValue(body, from) ?? { to: at + 1, depth: 1 }, '')
}

function* reportTrailingText(body: Buffer, end: number): Generator<JsonElement> {
  if (skipBlank(body, end) < body.length)
    yield makeFault('not_json', '', 'there is more text after the end of the JSON')
}

function makeElement(from: number, { to, depth }: ValueEnd, path: string): JsonElement {
  return { kind: 'element', range: { from, to }, path, depth }
}

function makeFault(issue: SourceIssue['kind'], path: string, detail: string): JsonElement {
  return { kind: 'fault', issue, path, detail }
}

function* reportBroken(body: Buffer, at: number, path: string): Generator<JsonElement, null> {
  const isCut = at >= body.length || isValueTruncated(body, at)
  yield isCut
    ? makeFault('truncated_body', path, 'the JSON is cut off: the elements before this place are read')
    : makeFault('not_json', path, 'the JSON is invalid here: the elements before this place are read')
  return null
}

interface ValueEnd {
  readonly to: number
  readonly depth: number
}

/** Where the value that begins at `from` ends. Null when it has no end, or closes a bracket that it did not open. */
export function endOfValue(body: Buffer, from: number): ValueEnd | null {
  const walk = walkValue(body, from)
  return walk === 'cut' || walk === 'wrong' ? null : walk
}

function isValueTruncated(body: Buffer, from: number): boolean {
  return walkValue(body, from) === 'cut'
}

/** Deeper nesting is a fault: the list of open brackets must not grow with hostile input. */
const depthMax = 1_000

function walkValue(body: Buffer, from: number): ValueEnd | 'cut' | 'wrong' {
  const first = body[from]
  if (first === undefined) return 'cut'
  if (first === quote) {
    const to = endOfText(body, from)
    return to === null ? 'cut' : { to, depth: 0 }
  }
  if (first !== openList && first !== openObject) return endOfLiteral(body, from)
  const open: number[] = []
  let depth = 0
  for (let at = from; at < body.length; at += 1) {
    const byte = body[at]
    if (byte === quote) {
      const end = endOfText(body, at)
      if (end === null) return 'cut'
      at = end - 1
    } else if (byte === openList || byte === openObject) {
      if (open.length >= depthMax) return 'wrong'
      open.push(byte)
      depth = Math.max(depth, open.length)
    } else if (byte === closeList || byte === closeObject) {
      // In ASCII the closing bracket is the opening bracket plus 2, for both kinds.
      if (open.pop() !== byte - 2) return 'wrong'
      if (open.length === 0) return { to: at + 1, depth }
    }
  }
  return 'cut'
}

function endOfText(body: Buffer, from: number): number | null {
  for (let at = body.indexOf(quote, from + 1); at >= 0; at = body.indexOf(quote, at + 1)) {
    let marks = 0
    while (body[at - 1 - marks] === backslash) marks += 1
    if (marks % 2 === 0) return at + 1
  }
  return null
}

/**
 * A number, `true`, `null`, or a literal that is none of these: the later parse reports it. At the end of the bytes the
 * literal may be cut off.
 */
function endOfLiteral(body: Buffer, from: number): ValueEnd | 'cut' | 'wrong' {
  let at = from
  while (at < body.length && !isBlank(body[at]) && !',:[]{}"'.includes(String.fromCharCode(body[at] ?? 0))) at += 1
  if (at === body.length) return 'cut'
  return at === from ? 'wrong' : { to: at, depth: 0 }
}
