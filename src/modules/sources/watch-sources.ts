/** Metrics for Prometheus of how well the polled sources answer: by the speaker's code, over all accesses to it. */

import { currentUsage } from '../../domain/polling/request-budget.ts'
import type { Service } from '../service.ts'
import { limitsOfSource } from './list-sources.ts'
import { listPolledSources, type PolledSource } from './list-sources-sql.ts'

const gauges = {
  source_requests_today: 'Requests to a source today (UTC), by all accesses to it.',
  source_requests_this_month: 'Requests to a source this month (UTC), by all accesses to it.',
  source_ceiling_spent:
    'Used share of the ceiling of the day or month, for the access that has used the most; absent without a ceiling.',
  source_failures_in_a_row: 'Failures of a source since its last answer, for the access that failed most.',
  source_left_alone: 'Number of accesses to a source whose polls are paused now.',
  source_answered_at_seconds: 'When a source last answered, in seconds since 1970; absent while it has not.',
} as const
type Gauges = Readonly<Record<keyof typeof gauges, number | null>>

export function watchSources({ metrics, pool, clock }: Service): void {
  metrics.watchEach({
    label: 'code',
    gauges,
    read: async () => {
      const sources = Map.groupBy(await listPolledSources(pool), ({ speakerCode }) => speakerCode)
      const nowMs = clock.now()
      return [...sources].map(([of, accesses]) => ({ of, values: measureSources(accesses, nowMs) }))
    },
  })
}

function measureSources(accesses: readonly PolledSource[], nowMs: number): Gauges {
  const usages = accesses.map(({ spending: usage }) => currentUsage(usage, nowMs))
  const shares = accesses.flatMap((access, place) => {
    const { perDay, perMonth } = limitsOfSource(access)?.quota ?? {}
    const { today = 0, month = 0 } = usages[place] ?? {}
    return [...(perDay === undefined ? [] : [today / perDay]), ...(perMonth === undefined ? [] : [month / perMonth])]
  })
  const answered = accesses.flatMap(({ answeredAt }) => answeredAt ?? [])
  return {
    source_requests_today: usages.reduce((sum, { today }) => sum + today, 0),
    source_requests_this_month: usages.reduce((sum, { month }) => sum + month, 0),
    source_ceiling_spent: shares.length === 0 ? null : Math.max(...shares),
    source_failures_in_a_row: Math.max(...accesses.map(({ failures }) => failures)),
    source_left_alone: accesses.filter(({ cooldownUntil: until }) => until !== null && Date.parse(until) > nowMs)
      .length,
    source_answered_at_seconds:
      answered.length === 0 ? null : Math.max(...answered.map((at) => Date.parse(at))) / 1_000,
  }
}
