/**
 * Finds the bytes of the elements at a pointer with `*`. One walk finds them and parses only the names of members on
 * the way. If the JSON ends too early, all complete elements before that place are still given.
 */

import { endOfValue, type JsonElement, skipBlank, skipByteOrderMark } from '../json-elements.ts'
import { escapePointerStep, splitJsonPointer } from './pointer.ts'

const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]
const [quote, comma, colon] = [0x22, 0x2c, 0x3a]

/** Yields no element where nothing is at the pointer. */
export function* elementsAt(body: Buffer, pointer: string): Generator<JsonElement> {
  const at = skipBlank(body, skipByteOrderMark(body))
  if (at >= body.length) return yield createFault('empty_answer', '', 'the answer has no body')
  const first = body[at]
  if (first !== openList && first !== openObject)
    return yield createFault(
      'not_json',
      '',
      'this is neither a JSON object nor a list: it may be a web page or an error message',
    )
  const end = yield* walkValue(body, at, { steps: splitJsonPointer(pointer), path: '' })
  if (end !== null && skipBlank(body, end) < body.length)
    yield createFault('not_json', '', 'there is more text after the end of the JSON')
}

interface RemainingPath {
  readonly steps: readonly string[]
  readonly path: string
}

/** Returns where the value ends; null when it has no end. */
function* walkValue(body: Buffer, from: number, way: RemainingPath): Generator<JsonElement, number | null> {
  const [step, ...steps] = way.steps
  if (step === undefined) {
    const end = endOfValue(body, from)
    if (end === null) return yield* reportTruncation(way.path)
    yield { kind: 'element', range: { from, to: end.to }, path: way.path, depth: end.depth }
    return end.to
  }
  const next = { steps, path: way.path }
  if (body[from] === openList) return yield* walkList(body, from, { ...next, step })
  if (body[from] === openObject) return yield* walkObject(body, from, { ...next, step })
  return yield* skipValue(body, from, way.path)
}

type PathStep = RemainingPath & { readonly step: string }

function* walkList(body: Buffer, from: number, { step, ...way }: PathStep): Generator<JsonElement, number | null> {
  let at = skipBlank(body, from + 1)
  if (body[at] === closeList) return at + 1
  for (let index = 0; ; index += 1) {
    const path = `${way.path}/${index}`
    const isSelected = step === '*' || step === String(index)
    const end: number | null = isSelected
      ? yield* walkValue(body, at, { ...way, path })
      : yield* skipValue(body, at, path)
    if (end === null) return null
    at = skipBlank(body, end)
    if (body[at] === closeList) return at + 1
    if (body[at] !== comma) return yield* reportTruncation(path)
    at = skipBlank(body, at + 1)
  }
}

function* walkObject(body: Buffer, from: number, { step, ...way }: PathStep): Generator<JsonElement, number | null> {
  let at = skipBlank(body, from + 1)
  if (body[at] === closeObject) return at + 1
  for (;;) {
    const name = body[at] === quote ? endOfValue(body, at) : null
    const mark = name === null ? body.length : skipBlank(body, name.to)
    if (name === null || body[mark] !== colon) return yield* reportTruncation(way.path)
    const isSelected = nameIn(body, at, name.to) === step
    const path = isSelected ? `${way.path}/${escapePointerStep(step)}` : way.path
    const value = skipBlank(body, mark + 1)
    const end: number | null = isSelected
      ? yield* walkValue(body, value, { ...way, path })
      : yield* skipValue(body, value, path)
    if (end === null) return null
    at = skipBlank(body, end)
    if (body[at] === closeObject) return at + 1
    if (body[at] !== comma) return yield* reportTruncation(path)
    at = skipBlank(body, at + 1)
  }
}

const nameLengthMax = 600

function nameIn(body: Buffer, from: number, to: number): string | null {
  if (to - from > nameLengthMax) return null
  try {
    return JSON.parse(body.toString('utf8', from, to)) as string
  } catch {
    // Not a JSON string: no member of a pointer has this name.
    return null
  }
}

function* skipValue(body: Buffer, from: number, path: string): Generator<JsonElement, number | null> {
  const end = endOfValue(body, from)
  return end === null ? yield* reportTruncation(path) : end.to
}

function* reportTruncation(path: string): Generator<JsonElement, null> {
  yield createFault(
    'truncated_body',
    path,
    'the JSON is cut off or invalid here: the elements before this place are read',
  )
  return null
}

function createFault(
  issue: Extract<JsonElement, { kind: 'fault' }>['issue'],
  path: string,
  detail: string,
): JsonElement {
  return { kind: 'fault', issue, path: path.length > 400 ? '' : path, detail }
}
