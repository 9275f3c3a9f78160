/**
 * Deletes what has waited too many days for a shipment or request that it is about, and notes that in its message. What
 * anybody has heard stays, because the ledger depends on it.
 */

import { addDays } from '../../../core/values/time.ts'
import { listExpiringChannels, type ToldChannel } from '../../../store/channels/channels.ts'
import { inTransaction } from '../../../store/database.ts'
import {
  dropExpiredBodies,
  dropSnapshots,
  expireUnheard,
  holdExpiring,
  keepHeard,
  lockOldMentions,
} from '../../../store/inbound/expired-mentions.ts'
import { journeyNow, type Service } from '../../service.ts'

/** Maximum of one channel in one transaction. Joins have to wait for that transaction. */
const mentionsAtOnce = 500

/**
 * Does a piece of the work for each channel. Returns how many were looked at. Any number of processes may do it at
 * once.
 */
export async function expireWaiting(service: Service): Promise<number> {
  const before = { real: oldBefore(service, false), fiction: oldBefore(service, true) }
  let seen = 0
  for (const channel of await listExpiringChannels(service.pool, before))
    seen += await expireOf(service, channel)
  return seen
}

function oldBefore(service: Service, isFiction: boolean): string {
  return addDays(journeyNow(service, isFiction), -service.config.inbound.waitingKeptDays)
}

async function expireOf(service: Service, channel: ToldChannel): Promise<number> {
  const at = journeyNow(service, channel.isFiction)
  const before = oldBefore(service, channel.isFiction)
  const { seen, expired, snapshots } = await inTransaction(service.pool, async (db) => {
    await holdExpiring(db)
    const old = await lockOldMentions(db, { channelId: channel.id, before, limit: mentionsAtOnce })
    if (old.length === 0) return { seen: 0, expired: 0, snapshots: 0 }
    const ids = old.map(({ id }) => id)
    await keepHeard(db, ids)
    const gone = new Set(await expireUnheard(db, { ids, at }))
    const left = old.filter(({ id }) => gone.has(id))
    const dropped = await dropSnapshots(db, [...new Set(left.map(({ snapshotId }) => snapshotId))])
    await dropExpiredBodies(db, [...new Set(left.map(({ messageId }) => messageId))])
    return { seen: old.length, expired: gone.size, snapshots: dropped }
  })
  if (expired > 0) service.metrics.mentionExpired({ channel: channel.name, snapshots, times: expired })
  return seen
}
