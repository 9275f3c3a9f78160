/** Data for every part of the reader: the list for issues, the sender and its dialect, and the stated message. */

import type { SourceKind } from '../../domain/statements/observation.ts'
import type { EventTally } from '../event-tally.ts'
import type { IssueList } from '../source-issue.ts'
import { type Effect, parseEffects } from './effects.ts'
import { isMappable, type X12Profile } from './profile.ts'
import type { StatedMessage, StatedStatus } from './stated-message.ts'
import { type Dialect, findStatus } from './statuses.ts'

export interface ReadContext {
  readonly issues: IssueList
  readonly tally: EventTally
  readonly profile: X12Profile
  readonly speaker: SourceKind
  readonly dialect: Dialect
  readonly fetchedAtMs: number
  readonly stated: StatedMessage
}

export interface ReadStatus extends StatedStatus {
  /** Null for a code that has no meaning here. */
  readonly effects: readonly Effect[] | null
  /** Null where the profile gives the effects: the profile has no text for the meaning. */
  readonly meaning: string | null
}

/** A code in the partner's profile has priority over the same code in our table. */
export function readStatuses({ profile, dialect, stated, issues }: ReadContext): readonly ReadStatus[] {
  return stated.statuses.map((status) => {
    const line = profile.codes?.[status.code]
    const known = line === undefined ? findStatus(status.code, { type: stated.type, dialect }) : null
    if (known === null && isMappable(status.code)) {
      const code = { field: '/codes', code: status.code, reason: '', text: '', path: status.path }
      issues.noteCode({ ...code, isMapped: line !== undefined })
    }
    if (line !== undefined) return { ...status, effects: parseEffects(line), meaning: null }
    return { ...status, effects: known?.effects ?? null, meaning: known?.meaning ?? null }
  })
}
