/** The feeds of ships' positions: as sources of an account, as gauges, and as a fault that the operator must repair. */

import { listFeedStates, type StoredFeedState } from '../../pipeline/positions/feed-states-sql.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../../platform/ids.ts'
import type { Service } from '../service.ts'
import type { SourceOverview } from './source-overview.ts'

/** The process that listens writes every few seconds. After this time without, no process listens. */
const unwrittenMs = 300_000

/** Null while the feed sends. One sentence. */
function describeSilence({ name, ...state }: StoredFeedState, nowMs: number): string | null {
  if (nowMs - Date.parse(state.writtenAt) > unwrittenMs)
    return `${name}: no process has listened since ${state.writtenAt}.`
  if (state.silentSince === null) return null
  if (state.connectedAt === null)
    return `${name}: not connected (${state.endedBecause ?? 'no reason is known'}); nothing has come since ${state.silentSince}.`
  const usual = state.usual === null ? '' : `, usually about ${Math.round(state.usual)} messages in this time`
  return `${name}: connected, but nothing or almost nothing has come since ${state.silentSince}${usual}.`
}

/** Raises or ends the operator issue in this process. */
export async function reportSilentFeeds({ pool, clock, operatorIssues }: Service): Promise<void> {
  const silent = (await listFeedStates(pool, false)).flatMap((state) => describeSilence(state, clock.now()) ?? [])
  if (silent.length > 0) operatorIssues.raise('feed_silent', { reason: silent.join(' ') })
  else if (operatorIssues.active().includes('feed_silent')) operatorIssues.end('feed_silent')
}

export function watchFeeds({ metrics, pool, clock }: Service): void {
  metrics.watchEach({
    label: 'feed',
    gauges: {
      feed_silent: '1 while a feed of positions sends nothing, or much less than usual.',
      feed_heard_at_seconds: 'When the last message of a feed came, in seconds since 1970; absent without one.',
    },
    read: async () =>
      (await listFeedStates(pool, false)).map((state) => ({
        of: state.name,
        values: {
          feed_silent: describeSilence(state, clock.now()) === null ? 0 : 1,
          feed_heard_at_seconds: state.heardAt === null ? null : Date.parse(state.heardAt) / 1_000,
        },
      })),
  })
}

export async function listFeedSources(
  { pool, clock }: Service,
  isSandbox: boolean,
): Promise<readonly SourceOverview[]> {
  const states = await listFeedStates(pool, isSandbox)
  return states.map((state) => ({
    id: uuidV5(LANDFALL_NAMESPACE, `position-feed:${isSandbox}:${state.name}`),
    isOwn: false,
    name: `Positions of ships (${state.name})`,
    speakerKind: 'ais',
    speakerCode: state.name,
    language: 'ais',
    isPolled: false,
    isPushed: true,
    isEnabled: true,
    failures: 0,
    answeredAt: null,
    answeredShare: null,
    pollNumberKinds: [],
    isBilled: false,
    isVerified: state.heardAt !== null,
    verifiedAt: null,
    cooldownUntil: null,
    cooldownReason: null,
    trouble: describeSilence(state, clock.now()),
    heardAt: state.heardAt,
    reading: null,
    answerMs: null,
    newsDelayMs: null,
    contradictions: 0,
    milestones: null,
    polledAt: null,
    budget: null,
  }))
}
