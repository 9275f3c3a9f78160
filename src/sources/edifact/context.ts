/** What every part of the reader needs: where issues go, the partner's profile, who speaks, and when it came. */

import type { SourceKind } from '../../core/observation.ts'
import type { IssueList } from '../source-issue.ts'
import type { EdifactProfile } from './profile.ts'

export interface ReadContext {
  readonly issues: IssueList
  readonly profile: EdifactProfile
  /** Null where nothing depends on it. */
  readonly speaker: SourceKind | null
  readonly fetchedAtMs: number
}
