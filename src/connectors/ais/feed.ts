/** One interface for every AIS source. A feed runs until its signal aborts, and reconnects by itself. */

import type { Egress } from '../../platform/egress.ts'
import type { AisIssueKind, AisReport } from './report.ts'

export const feedNames = ['aisstream', 'nmea', 'digitraffic'] as const
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
  readonly egress: Pick<Egress, 'connect' | 'openWebSocket' | 'receiveDatagrams' | 'request'>
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

/** A name for each feed: its kind and, from the second of a kind on, its number. An address is for nobody to see. */
export function nameFeeds(feeds: readonly Pick<AisFeed, 'name'>[]): readonly string[] {
  return feeds.map(({ name }, place) => {
    const before = feeds.slice(0, place).filter((feed) => feed.name === name).length
    return before === 0 ? name : `${name}-${before + 1}`
  })
}
