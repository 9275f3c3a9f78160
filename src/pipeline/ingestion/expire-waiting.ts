/**
 * Deletes mentions and their content when they have waited too many days for a shipment or request, and notes that in
 * their message. What any account has ingested stays, because the ledger depends on it.
 */

import { inTransaction } from '../../db/database.ts'
import { addDays } from '../../domain/values/time.ts'
import { type InboundChannel, listExpiringChannels } from '../../modules/channels/inbound-channels-sql.ts'
import { journeyNow, type Service } from '../../modules/service.ts'
import {
  dropExpiredBodies,
  dropUnmentionedSnapshots,
  expireUnmatched,
  lockMentionExpiry,
  lockOldMentions,
  retainIngested,
} from './expired-mentions-sql.ts'

/** Maximum of one channel in one transaction. Joins have to wait for that transaction. */
const mentionsAtOnce = 500

/**
 * Does a piece of the work for each channel. Returns how many were checked. Any number of processes may do it at once.
 */
export async function expireWaiting(service: Service): Promise<number> {
  const before = { real: expiryCutoff(service, false), sandbox: expiryCutoff(service, true) }
  let seen = 0
  for (const channel of await listExpiringChannels(service.pool, before))
    seen += await expireMentionsOf(service, channel)
  return seen
}

function expiryCutoff(service: Service, isSandbox: boolean): string {
  return addDays(journeyNow(service, isSandbox), -service.config.inbound.waitingKeptDays)
}

async function expireMentionsOf(service: Service, channel: InboundChannel): Promise<number> {
  const at = journeyNow(service, channel.isSandbox)
  const before = expiryCutoff(service, channel.isSandbox)
  const { seen, expired, snapshots } = await inTransaction(service.pool, async (db) => {
    await lockMentionExpiry(db)
    const old = await lockOldMentions(db, { channelId: channel.id, before, limit: mentionsAtOnce })
    if (old.length === 0) return { seen: 0, expired: 0, snapshots: 0 }
    const ids = old.map(({ id }) => id)
    await retainIngested(db, ids)
    const expiredIds = new Set(await expireUnmatched(db, { ids, at }))
    const expiredMentions = old.filter(({ id }) => expiredIds.has(id))
    const dropped = await dropUnmentionedSnapshots(db, [
      ...new Set(expiredMentions.map(({ snapshotId }) => snapshotId)),
    ])
    await dropExpiredBodies(db, [...new Set(expiredMentions.map(({ messageId }) => messageId))])
    return { seen: old.length, expired: expiredIds.size, snapshots: dropped }
  })
  if (expired > 0) service.metrics.mentionExpired({ channel: channel.name, snapshots, times: expired })
  return seen
}
