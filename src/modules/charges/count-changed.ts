/** For how many containers of the account the charges would differ, if other terms and calendars were on record. */

import { calculateCharges } from '../../domain/charges/read-charges.ts'
import { openTermsBook } from '../../domain/charges/terms-book.ts'
import { isSameJson } from '../../domain/values/json-value.ts'
import { addDays, localDateIn } from '../../domain/values/time.ts'
import type { Service } from '../service.ts'
import type { RecordedVersions } from './charge-book.ts'
import { readChargedContainers } from './charged-containers.ts'
import { readChargedRowsAfter } from './charged-containers-sql.ts'

export interface ChangedContainersCount {
  readonly checked: number
  readonly changed: number
  /** False: the account has more containers than were checked. */
  readonly isComplete: boolean
}

/** A preview answers within seconds: some 0.1 ms for each container and book. */
const containersMax = 20_000
const atOnce = 500
/** The bill until then is compared as well, because most containers are still within free time. */
const daysAhead = 60

export async function countChangedContainers(
  { pool }: Pick<Service, 'pool'>,
  of: {
    readonly accountId: string
    readonly now: string
    readonly before: RecordedVersions
    readonly after: RecordedVersions
  },
): Promise<ChangedContainersCount> {
  const { accountId, now, before, after } = of
  const books = [before, after].map(({ terms, calendars }) => openTermsBook(terms, calendars))
  const period = { now, until: addDays(localDateIn(now, null), daysAhead) }
  let [checked, changed] = [0, 0]
  let last: string | null = null
  while (checked < containersMax) {
    const rows = await readChargedRowsAfter(pool, { accountId, after: last, limit: atOnce })
    for (const chargedContainer of await readChargedContainers(pool, { accountId, rows })) {
      const [was, is] = books.map((book) => calculateCharges(chargedContainer, book, period).charges.map(toComparable))
      checked += 1
      if (!isSameJson(was, is)) changed += 1
    }
    last = rows.at(-1)?.id ?? null
    if (rows.length < atOnce) return { checked, changed, isComplete: true }
  }
  return { checked, changed, isComplete: false }
}

/** A new version that gives the same days at the same rates changes nothing for a container. */
function toComparable({
  terms,
  missing,
  days,
  lastFreeDay,
}: ReturnType<typeof calculateCharges>['charges'][number]): unknown {
  const comparedDays = days.map(({ on, outcome, reason, amount }) => ({ on, outcome, reason, amount }))
  return { code: terms.code, missing, told: comparedDays, lastFreeDay }
}
