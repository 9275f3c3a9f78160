/** Tells every process, when a numbering commits, up to which number each account's events are numbered now. */

import type { Db, Pool } from '../database.ts'
import { type Listener, listen } from '../ground/listen.ts'

const channel = 'landfall_numbered'
/** PostgreSQL allows less than 8,000 bytes in one notification; an account with its number needs at most 54. */
const accountsInOne = 140

/** Newest numbers by account. */
export type Numbered = ReadonlyMap<string, number>

/** Other processes are notified when the transaction commits. */
export async function tellNumbered(db: Db, numbered: Numbered): Promise<void> {
  const told = [...numbered].map(([accountId, last]) => `${accountId} ${last}`)
  const payloads = Array.from({ length: Math.ceil(told.length / accountsInOne) }, (_, index) =>
    told.slice(index * accountsInOne, (index + 1) * accountsInOne).join(','),
  )
  await db.query({
    name: 'tell_numbered',
    text: `select pg_notify($1, payload) from unnest($2::text[]) payload`,
    values: [channel, payloads],
  })
}

/** Listens until the signal is aborted. What was announced before it is connected must be read from the database. */
export function hearNumbered(
  pool: Pool,
  hear: Omit<Listener, 'heard'> & { readonly heard: (numbered: Numbered) => void },
): Promise<void> {
  return listen(pool, [channel], { ...hear, heard: (payload) => hear.heard(readNumbered(payload)) })
}

function readNumbered(payload: string): Numbered {
  return new Map(
    payload.split(',').map((each) => [each.slice(0, each.indexOf(' ')), Number(each.slice(37))] as const),
  )
}
