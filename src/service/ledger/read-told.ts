/** Reads a part of a delivery, with the reader for its channel's language. */

import { hash } from 'node:crypto'
import { canonicalJson } from '../../core/values/json-value.ts'
import type { Reading } from '../../sources/source.ts'
import type { ToldOf } from '../../sources/told.ts'
import type { Snapshot } from '../../store/looks/snapshots.ts'
import type { Fold } from './fold.ts'

export interface ToldAccess {
  readonly source: string
  readonly profile: Readonly<Record<string, unknown>>
}

export interface ReadTold {
  readonly reading: Reading
  readonly reader: string
  /** To which whole picture a key belongs. */
  readonly scopeOf: (key: string) => string | null
  /** Who says this part, in a channel through which many speak; null where it is the channel's own speaker. */
  readonly speakerCode: string | null
}

/** Never throws because of the bytes. Throws when the source is unknown, or when it cannot read the profile. */
export function readTold(
  { findToldSource }: Pick<Fold, 'findToldSource'>,
  snapshot: Pick<Snapshot, 'status' | 'contentType' | 'body' | 'recordedAt'>,
  of: ToldOf,
  { source: name, profile }: ToldAccess,
): ReadTold {
  const source = findToldSource(name)
  if (source === null) throw new Error(`no channel can speak ${name}`)
  const { status, contentType, body, recordedAt: fetchedAt } = snapshot
  const reading = source.read({ status, contentType, body, fetchedAt }, of, profile)
  const { scopeOf = () => null, speakerOf = () => null } = source
  const habits = hash('sha1', canonicalJson(profile)).slice(0, 8)
  const reader = `${source.name}/${source.version}+${habits}`
  return { reading, scopeOf, speakerCode: speakerOf(body), reader }
}
