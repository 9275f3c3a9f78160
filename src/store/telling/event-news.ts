/** Tells every process, when a numbering commits, how far each account's events are numbered now. */

import type { Db, Pool } from '../database.ts'
import { type Listener, listen } from '../ground/listen.ts'

const channel = 'landfall_numbered'
/** PostgreSQL takes less than 8,000 bytes; an account with its number takes 54 at most. */
const accountsInOne = 140

/** Newest numbers by account. */
export type Numbered = ReadonlyMap<string, number>

/** Heard when the transaction commits. */
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

/** Until the signal. What was told before it is connected is to be asked for. */
export function hearNumbered(
  pool: Pool,
  hear: Omit<Listener, 'heard'> & { readonly heard: (numbered: Numbered) => void },
): Promise<void> {
  return listen(pool, channel, { ...hear, heard: (payload) => hear.heard(readNumbered(payload)) })
}

function readNumbered(payload: string): Numbered {
  return new Map(
    payload.split(',').map((each) => [each.slice(0, each.indexOf(' ')), Number(each.slice(37))] as const),
  )
}
