/** The next moment at which clocks in a zone show a full hour: for what is sent once a day. */

import { addDays, compareInstants, instantOf, localDateIn } from './time.ts'

/**
 * The first such moment after `after`, once for each calendar day. When clocks are set forward over the hour it is as
 * much later; when they show it twice, it is the first time.
 */
export function nextDailyHour({
  after,
  hour,
  timeZone,
}: {
  readonly after: string
  readonly hour: number
  readonly timeZone: string
}): string {
  const today = localDateIn(after, timeZone)
  const at = (day: string) =>
    instantOf({ kind: 'local', local: `${day}T${String(hour).padStart(2, '0')}:00:00` }, timeZone).at
  const first = at(today)
  return compareInstants(first, after) > 0 ? first : at(addDays(today, 1))
}
