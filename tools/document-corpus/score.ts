/** Compares what was read of a paper with what is right. */

import type { DocumentReading } from '../../src/connectors/papers/document.ts'
import type { Fields } from './roles.ts'

export interface Score {
  /** Fields that are on the paper. */
  readonly there: number
  readonly right: number
  /** Read, and something else: worse than not read. */
  readonly wrong: number
  readonly missed: readonly string[]
  readonly mistaken: readonly string[]
}

export function scoreOf(reading: DocumentReading, truth: Fields): Score {
  const read = new Map(reading.fields.map(({ name, value }) => [name, value]))
  let right = 0
  const missed: string[] = []
  const mistaken: string[] = []
  for (const [name, value] of Object.entries(truth)) {
    const said = read.get(name)
    if (said === undefined) missed.push(`${name} = ${String(value)}`)
    else if (isSame(said, value)) right += 1
    else mistaken.push(`${name} = ${String(said)} instead of ${String(value)}`)
  }
  return { there: Object.keys(truth).length, right, wrong: mistaken.length, missed, mistaken }
}

function isSame(said: string | number | boolean, right: string | number | boolean): boolean {
  if (typeof said === 'number' && typeof right === 'number') return Math.abs(said - right) < 0.006
  const tidy = (text: string): string => text.toUpperCase().replace(/[\s.,]/g, '')
  return tidy(String(said)) === tidy(String(right))
}
