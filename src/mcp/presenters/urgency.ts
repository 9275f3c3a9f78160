/** How urgent it is to fetch a container, in words for agents. */

import type { Doubt, PollStatus, Urgency, urgencies } from '../../domain/view/urgency.ts'
import type { ContainerReading } from '../../modules/containers/list-containers-sql.ts'
import { urgencyOfContainer } from '../../modules/containers/urgency.ts'

export interface UrgencyView {
  readonly urgency: (typeof urgencies)[number] | null
  readonly urgency_suppressed: boolean
  readonly urgency_reason: string
  readonly days_until_lfd: number | null
}

export function writeUrgency(container: ContainerReading, toolContext: PollStatus, now: string): UrgencyView {
  const urgency = urgencyOfContainer(container, toolContext, now)
  const reason = reasonOf(urgency, container.projection.pickupTimeZone)
  return {
    urgency: urgency.kind === 'doubtful' ? null : urgency.kind,
    urgency_suppressed: urgency.kind === 'doubtful',
    urgency_reason: reason,
    days_until_lfd: 'days' in urgency ? urgency.days : null,
  }
}

const givers = { line: 'line', terminal: 'terminal', rail: 'railway' } as const

function reasonOf(urgency: Urgency, zone: string | null): string {
  if (urgency.kind === 'none')
    return urgency.why === 'picked_up'
      ? 'Picked up: free time at the terminal no longer runs.'
      : 'No source has given a last free day.'
  if (urgency.kind === 'doubtful') return describeDoubt(urgency.doubt)
  const { kind, days, day } = urgency
  const whose = `last free day by the ${givers[urgency.by]}`
  const where = zone === null ? 'in UTC, because the zone of the place is unknown' : `in ${zone}`
  if (kind === 'overdue') return `The ${whose}, ${day}, is over (${where}).`
  if (kind === 'today') return `Today is the ${whose} (${where}); the whole day is free.`
  return `${days} ${days === 1 ? 'day' : 'days'} until the ${whose}, ${day} (${where}).`
}

function describeDoubt(doubt: Doubt): string {
  if (doubt.kind === 'stopped') return 'Tracking has stopped: what is known may be out of date.'
  if (doubt.kind === 'never_answered') return 'No source has answered yet.'
  return `The sources last answered ${doubt.days} days ago: what they said may be out of date.`
}
