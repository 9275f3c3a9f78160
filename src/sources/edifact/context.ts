/**
 * What every part of the reader needs: where issues go, the partner's profile, who sends, and when the message came.
 */

import type { SourceKind } from '../../core/statements/observation.ts'
import type { EventTally } from '../event-tally.ts'
import type { IssueList } from '../source-issue.ts'
import type { EdifactProfile } from './profile.ts'
import type { StatedBy } from './statements.ts'

export interface ReadContext {
  readonly issues: IssueList
  readonly profile: EdifactProfile
  /** Null where nothing depends on it. */
  readonly speaker: SourceKind | null
  readonly fetchedAtMs: number
}

/** Data of one message: its directory (`D.95B`), and what it says about all its statements. */
export interface OfMessage {
  readonly version: string
  readonly by: StatedBy
  readonly context: ReadContext
  readonly tally: EventTally
}
