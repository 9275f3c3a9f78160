/** Makes the sources of a container be asked now instead of when they are next due. */

import { inTransaction } from '../../../store/database.ts'
import { wake } from '../../../store/ground/wake.ts'
import { shipmentOfContainer } from '../../../store/journeys/shipments.ts'
import { hastenLooks } from '../../../store/looks/subjects.ts'
import { type Context, requireScope } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { realNow, type Service } from '../../service.ts'

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
    const asked = await hastenLooks(db, { accountId, shipmentId, now, gapMs })
    if (asked > 0) await wake(db, 'looks')
    return { message: messageFor(asked) }
  })
}

function messageFor(asked: number): string {
  return asked > 0
    ? 'The sources are being asked now.'
    : 'Nothing was asked: tracking has stopped, or the sources were asked a moment ago.'
}
