/** Makes the sources of a container due for a poll now instead of at their next time. */

import { inTransaction } from '../../db/database.ts'
import { wakeWorkers } from '../../db/wake-workers.ts'
import { hastenPolls } from '../../pipeline/polling/poll-targets-sql.ts'
import { shipmentOfContainer } from '../../pipeline/projection/shipments-sql.ts'
import { type Context, requireScope } from '../access/context.ts'
import { notFound } from '../errors.ts'
import { realNow, type Service } from '../service.ts'

const minuteMs = 60_000

export async function refreshContainer(
  service: Service,
  context: Context,
  input: { readonly id: string },
): Promise<{ readonly message: string }> {
  requireScope(context, 'write')
  const accountId = context.account.id
  return inTransaction(service.pool, async (db) => {
    const shipmentId = await shipmentOfContainer(db, { accountId, containerId: input.id })
    if (shipmentId === null) throw notFound('container')
    const now = realNow(service)
    const gapMs = service.config.tracking.refreshGapMinutes * minuteMs
    const pollCount = await hastenPolls(db, { accountId, shipmentId, now, gapMs })
    if (pollCount > 0) wakeWorkers(db, 'looks')
    return { message: messageFor(pollCount) }
  })
}

function messageFor(pollCount: number): string {
  return pollCount > 0
    ? 'The sources are being polled now.'
    : 'No source was polled: tracking has stopped, or the sources were polled a moment ago.'
}
