/** The source that receives statements in our own format (`schema.ts`): one statement is one message part. */

import { isObject } from '../../domain/values/json-value.ts'
import { err, ok, type Result } from '../../domain/values/result.ts'
import { openPartCollector, type ReadMessageHeader } from '../json-delivery.ts'
import type { DeliveryParts, PushedSource } from '../pushed-source.ts'
import { findStatements, type Layout, layoutOf } from './lines.ts'
import { listStatementNumbers, readStoredStatement } from './read-stored-statement.ts'
import { readStatement } from './statement.ts'

/** Always empty: the channel determines the sender, and nothing else depends on the sender. */
export type StatementsProfile = Readonly<Record<string, never>>

/** Maximum size of one statement. */
export const statementBytesMax = 64_000

export function openStatementsSource(): PushedSource<StatementsProfile> {
  return {
    name: 'statements',
    version: 4,
    parseProfile,
    splitDelivery: toMessageParts,
    read: readStoredStatement,
  }
}

function parseProfile(value: unknown): Result<StatementsProfile, string> {
  return isObject(value) && Object.keys(value).length === 0 ? ok({}) : err('a profile of statements must be {}')
}

function toMessageParts(body: Buffer): DeliveryParts {
  const layout = layoutOf(body)
  const book = openPartCollector(body, { bytesMax: statementBytesMax, readHeader: makeHeaderReader(layout) })
  for (const element of findStatements(body, layout)) if (!book.take(element)) break
  return book.close()
}

function makeHeaderReader(layout: Layout): ReadMessageHeader {
  return (value, { path, issues }) => {
    const read = readStatement(value)
    if (read.kind === 'refusal') {
      const { kind, field, message } = read.problem
      const at = { path: path + field, lost: 'event' } as const
      issues.add(kind, at, [nameOf(path, layout), field.slice(1), message].filter((text) => text !== '').join(': '))
      return null
    }
    const { id, writtenAt, numbers } = read
    // Statements without an id are the same if they have the same time of writing and the same bytes.
    const keyTexts = [id, writtenAt].filter((text) => text !== null)
    return {
      about: listStatementNumbers(numbers),
      senderReferences: keyTexts.length === 0 ? null : keyTexts,
      writtenAt,
    }
  }
}

/** The name of a statement in messages, counted from 1. */
function nameOf(path: string, layout: Layout): string {
  const last = Number(path.split('/').at(-1))
  if (layout === 'lines') return `line ${last}`
  return path === '' ? '' : `statement ${last + 1}`
}
