/** Reads a message part, with the reader for its channel's language. */

import { hash } from 'node:crypto'
import type { PartContext } from '../../connectors/pushed-source.ts'
import type { Reading } from '../../connectors/source.ts'
import { canonicalJson } from '../../domain/values/json-value.ts'
import type { Snapshot } from '../response-archive/snapshots-sql.ts'
import type { Fold } from './fold.ts'

/** The status under which a message part is stored as a snapshot. */
export const messagePartStatus = 200

export interface PushedAccess {
  readonly source: string
  readonly profile: Readonly<Record<string, unknown>>
}

export interface MessagePartReading {
  readonly reading: Reading
  readonly reader: string
  /** The full picture to which a key belongs. */
  readonly scopeOf: (key: string) => string | null
}

/** Never throws because of the bytes. Throws when the source is unknown, or when it cannot read the profile. */
export function parseMessagePart(
  { findPushedSource }: Pick<Fold, 'findPushedSource'>,
  snapshot: Pick<Snapshot, 'status' | 'contentType' | 'body' | 'recordedAt'>,
  of: PartContext,
  { source: name, profile }: PushedAccess,
): MessagePartReading {
  const source = findPushedSource(name)
  if (source === null) throw new Error(`no channel can have the language ${name}`)
  const { status, contentType, body, recordedAt: fetchedAt } = snapshot
  const reading = source.read({ status, contentType, body, fetchedAt }, of, profile)
  const { scopeOf = () => null } = source
  const habits = hash('sha1', canonicalJson(profile)).slice(0, 8)
  return { reading, scopeOf, reader: `${source.name}/${source.version}+${habits}` }
}

/** True when the message part has a code whose meaning an operator has not defined yet. */
export function isUnmapped({ issues }: Pick<Reading, 'issues'>): boolean {
  return issues.some(({ kind }) => kind === 'unmapped_code')
}
