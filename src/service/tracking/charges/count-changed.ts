/** Of how many boxes of the account the charges would be others, if other terms and calendars were on record. */

import { readCharges } from '../../../core/charges/charges.ts'
import { openTermsBook } from '../../../core/charges/terms-book.ts'
import { isSameJson } from '../../../core/values/json-value.ts'
import { addDays, localDateIn } from '../../../core/values/time.ts'
import { chargedRows } from '../../../store/read/charged-boxes.ts'
import type { Service } from '../../service.ts'
import type { Recorded } from './charge-book.ts'
import { chargedBoxes } from './charged-box.ts'

export interface BoxesChanged {
  readonly checked: number
  readonly changed: number
  /** False: the account has more boxes than were checked. */
  readonly isComplete: boolean
}

/** A preview answers within seconds: some 0.1 ms for each box and book. */
const boxesMax = 20_000
const atOnce = 500
/** The bill until then is compared as well, because most boxes are still within free time. */
const daysAhead = 60

export async function countChanged(
  { pool }: Pick<Service, 'pool'>,
  of: {
    readonly accountId: string
    readonly now: string
    readonly before: Recorded
    readonly after: Recorded
  },
): Promise<BoxesChanged> {
  const { accountId, now, before, after } = of
  const books = [before, after].map(({ terms, calendars }) => openTermsBook(terms, calendars))
  const asked = { now, until: addDays(localDateIn(now, null), daysAhead) }
  let [checked, changed] = [0, 0]
  let last: string | null = null
  while (checked < boxesMax) {
    const rows = await chargedRows(pool, { accountId, after: last, limit: atOnce })
    for (const box of await chargedBoxes(pool, { accountId, rows })) {
      const [was, is] = books.map((book) => readCharges(box, book, asked).charges.map(shown))
      checked += 1
      if (!isSameJson(was, is)) changed += 1
    }
    last = rows.at(-1)?.id ?? null
    if (rows.length < atOnce) return { checked, changed, isComplete: true }
  }
  return { checked, changed, isComplete: false }
}

/** A new version that gives the same days at the same rates changes nothing for a box. */
function shown({
  terms,
  missing,
  days,
  lastFreeDay,
}: ReturnType<typeof readCharges>['charges'][number]): unknown {
  const told = days.map(({ on, outcome, reason, amount }) => ({ on, outcome, reason, amount }))
  return { code: terms.code, missing, told, lastFreeDay }
}
