/**
 * Deletes what alerts and the inbox leave: messages that ended a month ago, snoozes whose time is over, what was done or
 * assigned a year ago, and notes about shipments that have arrived.
 */

import { deleteFinishedMoves } from '../../modules/attention/attention-shipments-sql.ts'
import { forgetSnoozes } from '../../modules/attention/attention-snoozes-sql.ts'
import { realNow, type Service } from '../../modules/service.ts'
import { forgetAlertMessages } from './alert-messages-sql.ts'

const retentionDays = 30
const doneDays = 366
const limit = 5_000

/** Handles one batch; returns how many rows went. Any number of processes may do it at once. */
export async function pruneAlerts(service: Service): Promise<number> {
  const daysAgo = (days: number) => new Date(service.clock.now() - days * 86_400_000).toISOString()
  const before = daysAgo(retentionDays)
  const messages = await forgetAlertMessages(service.pool, { before, limit })
  const snoozes = await forgetSnoozes(service.pool, { now: realNow(service), before: daysAgo(doneDays), limit })
  return messages + snoozes + (await deleteFinishedMoves(service.pool, limit))
}
