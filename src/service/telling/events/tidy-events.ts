/**
 * Keeps the parts of events: makes one ahead, opens it when a month begins, and drops those that are too old. Any number of
 * processes may run it at once.
 */

import { addDays } from '../../../core/values/time.ts'
import { isPartAwaited } from '../../../store/telling/event-parts.ts'
import { dropParts, makeEventParts } from '../../ground/keep-parts.ts'
import { realNow, type Service } from '../../service.ts'

/** Returns how many steps were done and parts dropped. A part with an event that is still to be delivered stays. */
export async function tidyEvents(service: Service): Promise<number> {
  const now = realNow(service)
  const steps = await makeEventParts(service, now)
  const { eventsKeptDays: days } = service.config.network
  if (days === 0) return steps
  const dropped = await dropParts(service, {
    table: 'events',
    before: addDays(now, -days),
    mayDrop: async (db, { name }) => !(await isPartAwaited(db, name)),
  })
  for (const { name } of dropped) service.log.info('part.dropped', { table: 'events', part: name })
  return steps + dropped.length
}
