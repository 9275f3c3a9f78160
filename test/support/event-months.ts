/** Parts of events as they are after months: each is made, opened when its month begins, and written to. */

import type { Db } from '../../src/store/database.ts'

/**
 * The first part is that of the month before `months`; `write` is called for the first day of each of them (`2026-01-01`),
 * when its part is open.
 */
export async function passEventMonths(
  db: Db,
  months: readonly string[],
  write: (month: string) => Promise<unknown> = async () => {},
): Promise<void> {
  const [first = ''] = months
  await beginEventParts(db, new Date(Date.parse(first) - 28 * 86_400_000).toISOString())
  for (const month of months) {
    // Made when the one before was opened.
    await db.query({
      text: `select make_event_part($1::timestamptz - interval '20 days')`,
      values: [`${month}T00:00:00Z`],
    })
    await db.query({ text: `select open_event_part($1)`, values: [`${month}T00:05:00Z`] })
    const { rows } = await db.query<{ isEntered: boolean }>({
      text: `select enter_event_part() as "isEntered"`,
    })
    if (rows[0]?.isEntered !== true) throw new Error(`the part of ${month} was not opened`)
    await write(month)
  }
}

/** As if the first part were of this time, and not of the time in which the test runs. */
export async function beginEventParts(db: Db, at: string): Promise<void> {
  await db.query({
    text: 'update event_parts set opened_at = $1, made_at = $1 where starts = 0',
    values: [at],
  })
}

/** The first days of so many months, the last of which is that of `now`. */
export function monthsUntil(now: string, count: number): readonly string[] {
  const [year = 0, month = 1] = now.slice(0, 7).split('-').map(Number)
  return Array.from({ length: count }, (_, place) =>
    new Date(Date.UTC(year, month - count + place)).toISOString().slice(0, 10),
  )
}
