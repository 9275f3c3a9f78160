/** How many calendar days an arrival has moved against its first estimate. */

import { countDays } from '../../../src/domain/view/day-count.ts'
import { isoDayIn } from './time.ts'

export interface Estimates {
  readonly pod_original_eta_at?: string | null
  readonly pod_timezone?: string | null
}

export interface Slip {
  readonly days: number
  /** The day that was told first, at the place. */
  readonly first: string
  readonly tone: 'late' | 'soon' | ''
}

const lateDays = 3

/** Null when one of the two is not known, or the day is the same. */
export function slipOf(
  at: string | null | undefined,
  { pod_original_eta_at: first, pod_timezone: zone }: Estimates,
): Slip | null {
  if (!at || !first) return null
  const days = countDays(isoDayIn(first, zone), isoDayIn(at, zone))
  if (days === 0) return null
  return { days, first: isoDayIn(first, zone), tone: days >= lateDays ? 'late' : days > 0 ? 'soon' : '' }
}

/** "+3 d", "−1 d". */
export function slipWords(days: number): string {
  return `${days > 0 ? '+' : '−'}${Math.abs(days)} d`
}
