/** Containers by the earliest last free day that anybody gave: line, terminal or railway. */

import type { ConditionsMaker } from '../../db/listing/conditions.ts'
import type { TimeRange } from '../../db/listing/page.ts'

const lfdOf = (by: string): string =>
  `last_free_day(jsonb_build_object('freeTime', jsonb_build_object('line', c.projection #> '{freeTime,${by}}'),
                                    'pickupTimeZone', c.projection -> 'pickupTimeZone'))`
const earliest = `least(${['line', 'terminal', 'rail'].map(lfdOf).join(', ')})`

/**
 * The column has the day that counts for the contract, which is never before the earliest one. So the column alone
 * settles most rows, and the earliest day is computed only for the others. `infinity` means that nobody has given a
 * day; such a row is in no range.
 */
export function addEarliestLfd({ addText, bind }: ConditionsMaker, { start, end }: TimeRange): void {
  if (start === null && end === null) return
  addText(`c.lfd_on < 'infinity'`)
  if (start !== null) {
    const first = bind(start)
    addText(`c.lfd_on >= ${first} and ${earliest} >= ${first}`)
  }
  if (end !== null) {
    const last = bind(end)
    addText(`(c.lfd_on <= ${last} or ${earliest} <= ${last})`)
  }
}
