/** One interface for every AIS source. A feed runs until its signal aborts, and reconnects by itself. */

import type { Egress } from '../../platform/egress.ts'
import type { AisIssueKind, AisReport } from './report.ts'

export const feedNames = ['aisstream', 'nmea'] as const
export type FeedName = (typeof feedNames)[number]

/**
 * What a feed calls with its reports, issues and connection changes. These functions must not throw and must be quick.
 */
export interface FeedHandlers {
  readonly ingest: (report: AisReport, source: FeedName) => void
  readonly count: (issue: AisIssueKind, source: FeedName) => void
  /** Called when a connection is open, and when it has ended, with the reason. */
  readonly note: (
    news: { readonly is: 'open' } | { readonly is: 'closed'; readonly why: string },
    source: FeedName,
  ) => void
}

export interface FeedContext {
  readonly egress: Pick<Egress, 'connect' | 'openWebSocket'>
  /** The clock of the ships in this feed, ms since 1970. */
  readonly now: () => number
  readonly ears: FeedHandlers
  /** Random number between 0 and 1; it spreads the attempts to connect. */
  readonly random: () => number
  readonly signal: AbortSignal
}

export interface AisFeed {
  readonly name: FeedName
  /** Resolves when the signal aborts; never rejects. */
  readonly listen: (context: FeedContext) => Promise<void>
}
