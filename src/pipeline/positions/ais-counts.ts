/**
 * Counts what came by AIS and what was wrong with it, for /metrics: a log line for each message would hide all others.
 */

import { type AisIssueKind, aisIssueKinds } from '../../connectors/ais/report.ts'
import type { Metrics } from '../../platform/metrics.ts'

export interface AisCounts {
  reports: number
  stored: number
  readonly issues: Record<AisIssueKind, number>
}

export function openAisCounts(metrics: Pick<Metrics, 'watch'>): AisCounts {
  const counts = noAisCounts()
  metrics.watch({ name: 'ais_reports', help: 'AIS reports received since start.', read: () => counts.reports })
  metrics.watch({
    name: 'ais_positions_stored',
    help: 'Positions stored since start.',
    read: () => counts.stored,
  })
  for (const kind of aisIssueKinds) {
    metrics.watch({
      name: `ais_issues_${kind}`,
      help: `AIS messages not used since start: ${kind}.`,
      read: () => counts.issues[kind],
    })
  }
  return counts
}

export function noAisCounts(): AisCounts {
  return {
    reports: 0,
    stored: 0,
    issues: {
      garbage: 0,
      oversized: 0,
      checksum: 0,
      incomplete: 0,
      no_position: 0,
      no_imo: 0,
      bad_mmsi: 0,
      bad_time: 0,
    },
  }
}
