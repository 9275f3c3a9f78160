/** One interface for every way of hearing AIS: a feed listens until it is told to stop, and mends its own connection. */

import type { Egress } from '../../platform/egress.ts'
import type { AisIssueKind, AisReport } from './report.ts'

export const feedNames = ['aisstream', 'nmea'] as const
export type FeedName = (typeof feedNames)[number]

/** Where a feed puts what it hears. Nothing here may throw or take long. */
export interface Ears {
  readonly hear: (report: AisReport, source: FeedName) => void
  readonly count: (issue: AisIssueKind, source: FeedName) => void
  /** A connection is there, or has ended and why. */
  readonly note: (
    news: { readonly is: 'open' } | { readonly is: 'closed'; readonly why: string },
    source: FeedName,
  ) => void
}

export interface FeedContext {
  readonly egress: Pick<Egress, 'connect' | 'openWebSocket'>
  /** The clock on which the ships of this feed sail, ms since 1970. */
  readonly now: () => number
  readonly ears: Ears
  /** Between 0 and 1; chance spreads the attempts to connect. */
  readonly random: () => number
  readonly signal: AbortSignal
}

export interface AisFeed {
  readonly name: FeedName
  /** Resolves when the signal aborts; never rejects. */
  readonly listen: (context: FeedContext) => Promise<void>
}
