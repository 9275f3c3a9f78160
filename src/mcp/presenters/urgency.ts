/** How urgent it is to fetch a container, in words for agents. */

import { localDateIn } from '../../domain/values/time.ts'
import { describeFreeTime } from '../../domain/view/day-count.ts'
import type { Doubt, PollStatus, Urgency, urgencies } from '../../domain/view/urgency.ts'
import type { ContainerReading } from '../../modules/containers/list-containers-sql.ts'
import { urgencyOfContainer } from '../../modules/containers/urgency.ts'
import { markUnlessCode } from './fence.ts'

export interface UrgencyView {
  readonly urgency: (typeof urgencies)[number] | null
  readonly urgency_suppressed: boolean
  readonly urgency_reason: string
  readonly days_until_lfd: number | null
}

export function writeUrgency(container: ContainerReading, toolContext: PollStatus, now: string): UrgencyView {
  const urgency = urgencyOfContainer(container, toolContext, now)
  const reason = reasonOf(urgency, container.projection.pickupTimeZone, now)
  return {
    urgency: urgency.kind === 'doubtful' ? null : urgency.kind,
    urgency_suppressed: urgency.kind === 'doubtful',
    urgency_reason: reason,
    days_until_lfd: 'days' in urgency ? urgency.days : null,
  }
}

function reasonOf(urgency: Urgency, zone: string | null, now: string): string {
  if (urgency.kind === 'none')
    return urgency.why === 'picked_up'
      ? 'Picked up: free time at the terminal no longer runs.'
      : 'No source has given a last free day, and no terms of the account do.'
  if (urgency.kind === 'doubtful') return describeDoubt(urgency.doubt)
  const { on, by, termsCode } = urgency
  const giver = by === 'terms' ? `by the terms ${markUnlessCode(termsCode)}` : `says the ${by}`
  const where = zone === null ? 'days in UTC, because the zone of the place is unknown' : `days in ${zone}`
  return `${describeFreeTime(on, localDateIn(now, zone))}, ${giver} (${where}). The whole day is free.`
}

function describeDoubt(doubt: Doubt): string {
  if (doubt.kind === 'stopped') return 'Tracking has stopped: what is known may be out of date.'
  if (doubt.kind === 'never_answered') return 'No source has answered yet.'
  return `The sources last answered ${doubt.days} days ago: what they said may be out of date.`
}
