/** The source that receives statements in our own format (`schema.ts`): one statement is one part. */

import { isObject } from '../../core/values/json-value.ts'
import { ok, type Result, refused } from '../../core/values/result.ts'
import { type FindSpoken, openBook } from '../json-delivery.ts'
import type { Delivered, ToldSource } from '../told.ts'
import { findStatements, type Layout, layoutOf } from './lines.ts'
import { aboutOf, readPart } from './read.ts'
import { readStatement } from './statement.ts'

/** Always empty: the channel says who sends, and nothing else depends on the sender. */
export type StatementsProfile = Readonly<Record<string, never>>

/** Maximum size of one statement. */
export const statementBytesMax = 64_000

export function openStatementsSource(): ToldSource<StatementsProfile> {
  return { name: 'statements', version: 3, parseProfile, partsOf, read: readPart }
}

function parseProfile(value: unknown): Result<StatementsProfile, string> {
  return isObject(value) && Object.keys(value).length === 0
    ? ok({})
    : refused('a profile of statements must be {}')
}

function partsOf(body: Buffer): Delivered {
  const layout = layoutOf(body)
  const book = openBook(body, { bytesMax: statementBytesMax, spokenOf: spokenBy(layout) })
  for (const element of findStatements(body, layout)) if (!book.take(element)) break
  return book.close()
}

function spokenBy(layout: Layout): FindSpoken {
  return (value, { path, issues }) => {
    const read = readStatement(value)
    if (read.kind === 'refusal') {
      const { kind, field, message } = read.problem
      const at = { path: path + field, lost: 'event' } as const
      issues.add(
        kind,
        at,
        [nameOf(path, layout), field.slice(1), message].filter((word) => word !== '').join(': '),
      )
      return null
    }
    const { id, writtenAt, numbers } = read
    // Statements without an id are the same if they have the same time of writing and the same bytes.
    const words = [id, writtenAt].filter((word) => word !== null)
    return { about: aboutOf(numbers), words: words.length === 0 ? null : words, writtenAt }
  }
}

/** The name of a statement in messages, counted from 1. */
function nameOf(path: string, layout: Layout): string {
  const last = Number(path.split('/').at(-1))
  if (layout === 'lines') return `line ${last}`
  return path === '' ? '' : `statement ${last + 1}`
}
