/**
 * Reads what follows the head of a journey line, in any order: the source, `retracted`, `relayed`, and `key=value`,
 * each at most once.
 */

import type { Source, SourceKind } from '../statements/observation.ts'
import { NotationProblem, parseRequiredToken, splitToken, type Token, writeToken } from './notation-tokens.ts'
import type { TakeAttribute } from './notation-values.ts'

const sourcePrefixes = {
  shipping_line: 'carrier',
  terminal: 'terminal',
  rail: 'rail',
  ais: 'ais',
  user: 'user',
  document: 'document',
} as const satisfies Readonly<Record<SourceKind, string>>

export interface LineAttributes {
  readonly source: Source
  readonly isRetracted: boolean
  readonly isRelayed: boolean
  readonly take: TakeAttribute
  readonly refuseLeftovers: () => void
}

export function parseLineAttributes(tokens: readonly Token[], end: Token): LineAttributes {
  const values = new Map<string, { readonly key: Token; readonly value: Token }>()
  let source: Source | null = null
  let isRetracted = false
  let isRelayed = false
  for (const token of tokens) {
    const [key = token, value] = splitToken(token, '=', 2)
    if (value !== undefined) {
      if (values.has(key.text)) throw new NotationProblem(key.column, `${key.text}= is said twice`)
      values.set(key.text, { key, value })
    } else if (token.text === 'retracted') {
      isRetracted = true
    } else if (token.text === 'relayed') {
      isRelayed = true
    } else {
      if (source !== null) throw new NotationProblem(token.column, `${token.text} is not understood here`)
      source = parseSource(token)
    }
  }
  if (source === null) throw new NotationProblem(end.column, 'a source is expected, like carrier:EGLV')
  return {
    source,
    isRetracted,
    isRelayed,
    take: (key) => {
      const found = values.get(key)
      values.delete(key)
      return found?.value ?? null
    },
    refuseLeftovers: () => {
      for (const { key } of values.values()) {
        throw new NotationProblem(key.column, `${key.text}= has no meaning on this line`)
      }
    },
  }
}

function parseSource(token: Token): Source {
  const [prefix = token, code] = splitToken(token, ':', 2)
  for (const kind of Object.keys(sourcePrefixes) as SourceKind[]) {
    if (sourcePrefixes[kind] === prefix.text && code !== undefined) return { kind, code: parseRequiredToken(code) }
  }
  throw new NotationProblem(
    token.column,
    `${token.text} is not a source: carrier: terminal: rail: ais: user: document:`,
  )
}

export function writeSource(source: Source): string {
  return `${sourcePrefixes[source.kind]}:${writeToken(source.code)}`
}
