/** Counts an event as understood, partly understood, or set aside. */

import type { EventTally } from '../event-tally.ts'

export function countEvent(
  tally: EventTally,
  is: {
    readonly isKnown: boolean
    readonly isRaw: boolean
    readonly isPlaced: boolean
    readonly isNamed: boolean
  },
): void {
  if (is.isRaw) tally.ignored()
  else if (!is.isKnown) tally.partly('unmapped_code')
  else if (!is.isPlaced) tally.partly(is.isNamed ? 'unknown_place' : 'no_place')
  else tally.understood()
}
