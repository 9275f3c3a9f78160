/** Why something needs a person: the closed list of reasons, what each means, and how urgent it is. */

import { addDays } from '../values/time.ts'

export const attentionReasons = [
  'free_time_ended',
  'held',
  'will_cost',
  'free_time_ends_soon',
  'fees',
  'tracking_failed',
  'rolled',
  'overdue',
  'waiting_for_train',
  'eta_moved',
  'no_news',
] as const
export type AttentionReason = (typeof attentionReasons)[number]

export const severities = ['urgent', 'soon', 'info'] as const
export type Severity = (typeof severities)[number]

/** The order of `attentionReasons` follows these: the most urgent come first. */
export const severityOf: Readonly<Record<AttentionReason, Severity>> = {
  free_time_ended: 'urgent',
  held: 'urgent',
  will_cost: 'urgent',
  free_time_ends_soon: 'soon',
  fees: 'soon',
  tracking_failed: 'soon',
  rolled: 'soon',
  overdue: 'soon',
  waiting_for_train: 'soon',
  eta_moved: 'info',
  no_news: 'info',
}

export const meaningOf: Readonly<Record<AttentionReason, string>> = {
  free_time_ended: 'The last free day is over, and the container is not out yet.',
  held: 'The container has arrived and is held at its terminal or ramp.',
  will_cost: 'By the terms on record the first charged day begins within 48 hours, or has begun already.',
  free_time_ends_soon:
    'The last free day ends within 48 hours at the place of pick-up, and the container is not out yet.',
  fees: 'The container has arrived, and fees are to be paid at its terminal or ramp.',
  tracking_failed: 'A tracking request failed in the last 30 days, and its number is not tracked otherwise.',
  rolled: 'The shipment goes with another ship or voyage than first reported, or sails a day or more later.',
  overdue: 'The next event of the container is later than in 95 of 100 cases.',
  waiting_for_train: 'The container waits at the port for its train for more than 3 days.',
  eta_moved: 'The arrival at the port of discharge moved later by a day or more within the last 7 days.',
  no_news:
    'The shipment is tracked and has not ended, but its line could not be polled for 2 days, or reported nothing new for 10.',
}

/** Free time that ends within this time ends soon. */
export const soonMs = 48 * 3_600_000
/** An arrival or a sailing that moves later by this much, or more, is an exception. */
export const laterByMs = 86_400_000
/** An arrival is compared with its published value of so many days ago. */
export const etaDays = 7
export const trainDays = 3
export const unreachedDays = 2
export const quietDays = 10
/** A request that failed longer ago is history. */
export const failedDays = 30
/**
 * A free time or wait that ended longer ago than this shows a missing report rather than a problem of the container.
 */
export const overdueDaysMax = 90

/**
 * The day before which `urgency` begins anew: what was to be done earlier comes last. Null without a time. `now`: ISO
 * instant; its day in UTC counts.
 */
export function urgentFrom(now: string | undefined): string | null {
  return now === undefined ? null : addDays(now.slice(0, 10), -overdueDaysMax)
}
