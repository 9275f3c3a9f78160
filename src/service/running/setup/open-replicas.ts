/** Opens the read replicas of the settings, and sees to it that every process of the installation counts changes. */

import type { Config } from '../../../platform/config.ts'
import type { Log } from '../../../platform/log.ts'
import type { Metrics } from '../../../platform/metrics.ts'
import type { Pool } from '../../../store/database.ts'
import { countForEverybody } from '../../../store/ground/account-changes.ts'
import { countChangesOf, openReplicas, replicasOf } from '../../../store/ground/read-apart.ts'
import { readSetting, writeSetting } from '../../../store/people/accounts.ts'
import { neededMigrations } from '../../../store/read/schema-state.ts'
import { fairnessOf } from '../../ground/choices.ts'

const usedSetting = 'replicas_used'
/** Processes without the setting go on counting for this long after the last start of one with it, or its last hour. */
const usedForMs = 48 * 3_600_000
const noteUseEveryMs = 3_600_000

/**
 * Whether the transactions of this process must be counted: here or in another process there are replicas. Then it
 * counts those of the pool.
 */
export async function countWhereReplicasAre(pool: Pool, config: Config): Promise<boolean> {
  const hasOwn = config.data.replicaUrls.length > 0
  const used = hasOwn ? null : await readSetting<{ readonly until: string }>(pool, usedSetting)
  if (!hasOwn && (used === null || Date.parse(used.until) < Date.now())) return false
  countChangesOf(pool)
  if (hasOwn) {
    await noteUse(pool)
    // For what was changed before anybody counted.
    await countForEverybody(pool)
  }
  return true
}

function noteUse(pool: Pool): Promise<void> {
  return writeSetting(pool, usedSetting, { until: new Date(Date.now() + usedForMs).toISOString() })
}

/** Call this in a process that answers requests, when its pool is counted. Null without replicas. */
export async function openReplicasOf(
  of: { readonly pool: Pool; readonly log: Log; readonly metrics: Metrics },
  config: Config,
): Promise<{ readonly close: () => Promise<void> } | null> {
  const { pool, log, metrics } = of
  const { replicaUrls: urls, replicaWaitMs: waitMs, replicaLagSecondsMax, poolMax } = config.data
  metrics.watchEach({
    label: 'replica',
    gauges: {
      replica_used: '1 while requests may read at this replica; 0 while all read at the primary.',
      replica_lag_seconds:
        'How long ago the newest change that this replica has was the newest of the primary.',
      replica_lag_bytes: 'How much of the log of the primary this replica has not replayed.',
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
  if (urls.length === 0) return null
  const replicas = await openReplicas(
    pool,
    {
      urls,
      connectionsMax: poolMax,
      fairness: fairnessOf(config),
      migrations: neededMigrations,
      waitMs,
      lagMaxMs: replicaLagSecondsMax * 1_000,
    },
    {
      placed: (target, why) => metrics.readPlaced({ target, reason: why }),
      left: (replica, reason, error) => metrics.readMoved({ reason, replica, error }),
      changed: (replica, whyNot, lag) => {
        const known = { replica, ...(lag === null ? {} : { lagMs: Math.round(lag.ms), lagBytes: lag.bytes }) }
        if (whyNot === null) log.info('replica.used', known)
        else log.warn('replica.not_used', { ...known, reason: whyNot })
      },
      primaryUnreachable: (error) => log.warn('database.unreachable', { error }),
    },
  )
  const noting = setInterval(() => {
    noteUse(pool).catch((error: unknown) => log.warn('database.unreachable', { error }))
  }, noteUseEveryMs).unref()
  return {
    close: async () => {
      clearInterval(noting)
      await replicas.close()
    },
  }
}
