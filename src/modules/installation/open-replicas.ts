/** Opens the read replicas of the settings, and reports their state. */

import { openReplicas, type Replicas, replicasOf } from '../../db/distributed/replicas.ts'
import { getConnectionShares } from '../derived-settings.ts'
import type { Service } from '../service.ts'

/** Call this in a process that answers requests. Null without replicas. */
export async function openReplicasOf(
  of: Pick<Service, 'pool' | 'log' | 'metrics' | 'config'>,
): Promise<Replicas | null> {
  const { pool, log, metrics, config } = of
  const { replicaUrls: urls, replicaWaitMs: waitMs, poolMax } = config.data
  if (urls.length === 0) return null
  metrics.watchEach({
    label: 'replica',
    gauges: {
      replica_used: '1 while requests may read at this replica; 0 while all read at the primary.',
      replica_lag_seconds: 'How many seconds this replica is behind the primary.',
      replica_lag_bytes: 'How many bytes of the log of the primary this replica has not replayed.',
    },
    read: async () =>
      (replicasOf(pool)?.states() ?? []).map(({ name, whyNot, lag }) => ({
        of: name,
        values: {
          replica_used: whyNot === null ? 1 : 0,
          replica_lag_seconds: lag === null ? null : lag.ms / 1_000,
          replica_lag_bytes: lag?.bytes ?? null,
        },
      })),
  })
  return openReplicas(
    pool,
    { urls, connectionsMax: poolMax, fairness: getConnectionShares(config), waitMs },
    {
      placed: (target, why) => metrics.readPlaced({ target, reason: why }),
      fellBack: (replica, reason, error) => metrics.readMoved({ reason, replica, error }),
      changed: (replica, whyNot, lag) => {
        const known = { replica, ...(lag === null ? {} : { lagMs: Math.round(lag.ms), lagBytes: lag.bytes }) }
        if (whyNot === null) log.info('replica.used', known)
        else log.warn('replica.not_used', { ...known, reason: whyNot })
      },
      primaryUnreachable: (error) => log.warn('database.unreachable', { error }),
    },
  )
}
