/**
 * Reads what follows the head of a journey line, in any order: the source, `retracted`, `relayed`, and `key=value`,
 * each at most once.
 */

import type { Source, SourceKind } from '../statements/observation.ts'
import type { Take } from './notation-values.ts'
import { cutAt, NotationProblem, parseGivenWord, type Token, writeWord } from './notation-words.ts'

const sourceWords = {
  shipping_line: 'carrier',
  terminal: 'terminal',
  rail: 'rail',
  ais: 'ais',
  user: 'user',
  document: 'document',
} as const satisfies Readonly<Record<SourceKind, string>>

export interface Rest {
  readonly source: Source
  readonly isRetracted: boolean
  readonly isRelayed: boolean
  readonly take: Take
  readonly refuseLeftovers: () => void
}

export function sortRest(tokens: readonly Token[], end: Token): Rest {
  const values = new Map<string, { readonly key: Token; readonly value: Token }>()
  let source: Source | null = null
  let isRetracted = false
  let isRelayed = false
  for (const token of tokens) {
    const [key = token, value] = cutAt(token, '=', 2)
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
        throw new NotationProblem(key.column, `${key.text}= says nothing on this line`)
      }
    },
  }
}

function parseSource(token: Token): Source {
  const [word = token, code] = cutAt(token, ':', 2)
  for (const kind of Object.keys(sourceWords) as SourceKind[]) {
    if (sourceWords[kind] === word.text && code !== undefined) return { kind, code: parseGivenWord(code) }
  }
  throw new NotationProblem(
    token.column,
    `${token.text} is not a source: carrier: terminal: rail: ais: user: document:`,
  )
}

export function writeSource(source: Source): string {
  return `${sourceWords[source.kind]}:${writeWord(source.code)}`
}
