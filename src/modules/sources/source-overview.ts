/** What is known of a source of an account: whether it is verified, how well it answers, what is understood. */

import type { NumberKind } from '../../connectors/source.ts'
import type { RequestLimits } from '../../domain/polling/request-budget.ts'
import type { AnswerWindow } from '../../domain/tracking-requests/event-counts.ts'
import type { SourceRow } from './list-sources-sql.ts'

export const cooldownReasons = [
  /** The source requested the pause. */
  'told_to',
  /** The source fails for every question. */
  'failing',
  /** The maximum of requests for a day or a month is used up. */
  'ceiling',
] as const

/** How many requests were sent today and this month (UTC), and how many may be sent. */
export interface BudgetUsage extends Pick<RequestLimits, 'rate' | 'quota'> {
  readonly isQuotaDefault: boolean
  readonly today: number
  readonly month: number
}

/**
 * How much is known of the containers of a line that came back empty last: shares of the milestones that every journey
 * has, 0 to 1.
 */
export interface MilestoneCounts {
  readonly containerCount: number
  /** Known from any source. */
  readonly known: number
  /** Known from this source itself. */
  readonly ownShare: number
}

type SourceField =
  | 'id'
  | 'isOwn'
  | 'speakerKind'
  | 'speakerCode'
  | 'language'
  | 'isPolled'
  | 'isPushed'
  | 'isEnabled'
  | 'failures'
  | 'answeredAt'
  | 'answeredShare'

export interface SourceOverview extends Pick<SourceRow, SourceField> {
  /** The name of the channel, else of the line. */
  readonly name: string
  readonly pollNumberKinds: readonly NumberKind[]
  readonly isBilled: boolean
  readonly isVerified: boolean
  readonly verifiedAt: string | null
  readonly cooldownUntil: string | null
  /** Null if it may be polled. */
  readonly cooldownReason: (typeof cooldownReasons)[number] | null
  readonly trouble: string | null
  readonly heardAt: string | null
  /**
   * How much of its newest answers was understood. Null when it is not polled, or when its answers contained nothing
   * yet.
   */
  readonly reading: AnswerWindow | null
  /** The median of how long those answers took; null without any. */
  readonly answerMs: number | null
  /**
   * The median of the time from an event until this source reported it, by what this account ingested. Null while
   * nothing shows it.
   */
  readonly newsDelayMs: number | null
  /**
   * How many of its statements of the last `contradictionDays` days were overruled by statements of another speaker.
   */
  readonly contradictions: number
  /** Null for sources that are no lines, and while no container of the line has come back empty. */
  readonly milestones: MilestoneCounts | null
  readonly polledAt: string | null
  /** Null when it is not polled, and when other accounts poll through it as well: their use is not shown. */
  readonly budget: BudgetUsage | null
}
