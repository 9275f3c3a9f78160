/** Notifies every process, when a numbering commits, up to which number each account's events are numbered now. */

import type { Db, Pool } from '../../db/database.ts'
import { type Listener, listen } from '../../db/listen.ts'

const channel = 'landfall_numbered'
/** PostgreSQL allows less than 8,000 bytes in one notification; an account with its number needs at most 54. */
const accountsInOne = 140

/** Newest numbers by account. */
export type SequencesByAccount = ReadonlyMap<string, number>

export async function notifySequences(db: Db, numbered: SequencesByAccount): Promise<void> {
  const entries = [...numbered].map(([accountId, last]) => `${accountId} ${last}`)
  const payloads = Array.from({ length: Math.ceil(entries.length / accountsInOne) }, (_, index) =>
    entries.slice(index * accountsInOne, (index + 1) * accountsInOne).join(','),
  )
  await db.query({
    name: 'tell_numbered',
    text: `select pg_notify($1, payload) from unnest($2::text[]) payload`,
    values: [channel, payloads],
  })
}

/**
 * Listens until the signal is aborted. Notifications from before it is connected are missed: read the database for
 * them.
 */
export function listenForSequences(
  pool: Pool,
  listener: Omit<Listener, 'onMessage'> & { readonly onSequences: (numbered: SequencesByAccount) => void },
): Promise<void> {
  return listen(pool, [channel], {
    ...listener,
    onMessage: (payload) => listener.onSequences(readNumbered(payload)),
  })
}

function readNumbered(payload: string): SequencesByAccount {
  return new Map(payload.split(',').map((each) => [each.slice(0, each.indexOf(' ')), Number(each.slice(37))] as const))
}
