/** Events that tell of a deadline, and their time on the wire: the deadline itself. When it was heard is when they were made. */

import type { TransportEventReading } from '../store/read/transport-events.ts'

export const deadlineEventNames = [
  'container.pickup_lfd.changed',
  'container.pickup_lfd_line.changed',
  'container.pickup_lfd_terminal.changed',
  'container.pickup_lfd_rail.changed',
  'container.pickup_appointment.changed',
] as const

/** Null for a deadline that was taken back. */
export function timestampOf({
  event,
  value,
  occursAt,
}: Pick<TransportEventReading, 'event' | 'value' | 'occursAt'>): string | null {
  return deadlineEventNames.some((name) => name === event) ? value : occursAt
}
