/**
 * Deletes what alerts and the inbox leave: messages that ended a month ago, snoozes whose time is over, and notes about
 * shipments that have arrived.
 */

import { forgetAlertMessages } from '../../../store/telling/alert-messages.ts'
import { forgetSnoozes } from '../../../store/tracking/attention-snoozes.ts'
import { forgetToldMoves } from '../../../store/tracking/told-moves.ts'
import { realNow, type Service } from '../../service.ts'

const keptDays = 30
const limit = 5_000

/** Handles one batch; returns how many rows went. Any number of processes may do it at once. */
export async function tidyAlerts(service: Service): Promise<number> {
  const before = new Date(service.clock.now() - keptDays * 86_400_000).toISOString()
  const messages = await forgetAlertMessages(service.pool, { before, limit })
  const snoozes = await forgetSnoozes(service.pool, { now: realNow(service), limit })
  return messages + snoozes + (await forgetToldMoves(service.pool, limit))
}
