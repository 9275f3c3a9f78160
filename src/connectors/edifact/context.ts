/**
 * Data for every part of the reader: the list for issues, the partner's profile, the sender, and the time at which the
 * message came.
 */

import type { SourceKind } from '../../domain/statements/observation.ts'
import type { EventTally } from '../event-tally.ts'
import type { IssueList } from '../source-issue.ts'
import type { EdifactProfile } from './profile.ts'
import type { CommonStatement } from './statements.ts'

export interface ReadContext {
  readonly issues: IssueList
  readonly profile: EdifactProfile
  /** Null where nothing depends on it. */
  readonly speaker: SourceKind | null
  readonly fetchedAtMs: number
}

/** Data of one message: its directory (`D.95B`), and what it states about all its statements. */
export interface EdifactMessageContext {
  readonly version: string
  readonly by: CommonStatement
  readonly context: ReadContext
  readonly tally: EventTally
}
