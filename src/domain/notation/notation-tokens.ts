/**
 * The tokens of a journey line: how a line is cut into tokens, and how any text is written as one token and read back.
 */

import { isOneOf } from '../values/codes.ts'

/** A token and where it begins in the line, from 1. */
export interface Token {
  readonly text: string
  readonly column: number
}

/** What is wrong with a line, and where; caught by the parser of the line, never seen outside the notation. */
export class NotationProblem extends Error {
  readonly column: number

  constructor(column: number, problem: string) {
    super(problem)
    this.column = column
  }
}

/** Blanks separate tokens, except within "quotes" and [lists]; a # that begins a token begins a comment. */
export function tokenizeLine(line: string): readonly Token[] {
  const tokens: Token[] = []
  let position = 0
  while (position < line.length) {
    if (isBlank(line.charAt(position))) {
      position += 1
      continue
    }
    if (line.charAt(position) === '#') break
    const end = endOfToken(line, position)
    tokens.push({ text: line.slice(position, end), column: position + 1 })
    position = end
  }
  return tokens
}

function endOfToken(line: string, start: number): number {
  let listAt = -1
  let position = start
  while (position < line.length) {
    const character = line.charAt(position)
    if (character === '"') {
      position = endOfQuote(line, position)
      continue
    }
    if (character === '[' && listAt < 0) listAt = position
    else if (character === ']') listAt = -1
    else if (isBlank(character) && listAt < 0) break
    position += 1
  }
  if (listAt >= 0) throw new NotationProblem(listAt + 1, 'this list does not end')
  return position
}

function endOfQuote(line: string, start: number): number {
  for (let position = start + 1; position < line.length; position += 1) {
    const character = line.charAt(position)
    if (character === '\\') position += 1
    else if (character === '"') return position + 1
  }
  throw new NotationProblem(start + 1, 'this quotation does not end')
}

function isBlank(character: string): boolean {
  return character === ' ' || character === '\t' || character === '\r' || character === '\n'
}

const barePattern = /^[A-Za-z0-9_][A-Za-z0-9_.:/#+-]*$/

/** The text without quotes where that is safe (and `isBare` agrees), else a JSON string; null is `-`. */
export function writeToken(text: string | null, isBare: (text: string) => boolean = anyBare): string {
  if (text === null) return '-'
  return barePattern.test(text) && isBare(text) ? text : JSON.stringify(text)
}

/** A quoted token is read as it is, a bare one must pass `isBare`; `-` is null. */
export function parseToken(token: Token, isBare: (text: string) => boolean = anyBare): string | null {
  if (token.text === '-') return null
  if (token.text.startsWith('"')) return unquote(token)
  if (!barePattern.test(token.text)) throw new NotationProblem(token.column, `${token.text} needs quotes`)
  if (!isBare(token.text)) throw new NotationProblem(token.column, `${token.text} is not valid here`)
  return token.text
}

export function parseRequiredToken(token: Token, isBare: (text: string) => boolean = anyBare): string {
  const value = parseToken(token, isBare)
  if (value === null) throw new NotationProblem(token.column, 'this must be given')
  return value
}

function anyBare(): boolean {
  return true
}

function unquote(token: Token): string {
  if (endOfQuote(token.text, 0) === token.text.length) {
    try {
      return String(JSON.parse(token.text))
    } catch {
      // JSON.parse throws on a bad escape. The problem below names its place.
    }
  }
  throw new NotationProblem(token.column, `${token.text} is not one quotation`)
}

/** Cuts a token at a mark outside quotes, at most into `limit` parts. */
export function splitToken(token: Token, mark: string, limit = Number.POSITIVE_INFINITY): readonly Token[] {
  const parts: Token[] = []
  let start = 0
  let position = 0
  while (position < token.text.length) {
    const character = token.text.charAt(position)
    if (character === '"') {
      position = endOfQuote(token.text, position)
      continue
    }
    if (character === mark && parts.length < limit - 1) {
      parts.push(sliceToken(token, start, position))
      start = position + 1
    }
    position += 1
  }
  return [...parts, sliceToken(token, start, token.text.length)]
}

/** The items of a list in brackets. */
export function parseList(token: Token): readonly Token[] {
  if (!token.text.startsWith('[') || !token.text.endsWith(']')) {
    throw new NotationProblem(token.column, 'a list in [brackets] is expected')
  }
  const inside = sliceToken(token, 1, token.text.length - 1)
  return inside.text === '' ? [] : splitToken(inside, ',')
}

/** Part of a token without the blanks around it, with the column where that part begins. */
function sliceToken(token: Token, start: number, end: number): Token {
  const text = token.text.slice(start, end)
  return { text: text.trim(), column: token.column + start + (text.length - text.trimStart().length) }
}

export function parseOptionalToken(token: Token | null): string | null {
  return token === null ? null : parseToken(token)
}

/** A code of a closed list; null when the token is missing or `-`. */
export function codeOrNull<const Code extends string>(token: Token | null, codes: readonly Code[]): Code | null {
  if (token === null || token.text === '-') return null
  return parseCode(token, codes)
}

export function parseCode<const Code extends string>(token: Token, codes: readonly Code[]): Code {
  if (isOneOf(codes, token.text)) return token.text
  throw new NotationProblem(token.column, `${token.text} is none of ${codes.join(', ')}`)
}

export function parseNumber(token: Token): number {
  if (!/^-?\d+(\.\d+)?(e[+-]?\d+)?$/.test(token.text)) {
    throw new NotationProblem(token.column, `${token.text} is not a number`)
  }
  return Number(token.text)
}
