/** What the process that listens has written about each feed of ships' positions. */

import type { Db } from '../../db/database.ts'
import type { FeedState } from '../../domain/vessels/feed-watch.ts'

export interface NamedFeedState extends FeedState {
  readonly name: string
}

export interface StoredFeedState extends NamedFeedState {
  readonly writtenAt: string
}

export async function listFeedStates(db: Db, isSandbox: boolean): Promise<readonly StoredFeedState[]> {
  const { rows } = await db.query<StoredFeedState>({
    name: 'position_feeds',
    text: `select name, connected_at as "connectedAt", ended_because as "endedBecause", heard_at as "heardAt", usual,
                  silent_since as "silentSince", written_at as "writtenAt"
             from position_feeds where is_fiction = $1 order by name`,
    values: [isSandbox],
  })
  return rows
}

/** Forgets the feeds that are no longer in the settings. */
export async function writeFeedStates(
  db: Db,
  of: { readonly isSandbox: boolean; readonly states: readonly NamedFeedState[]; readonly now: string },
): Promise<void> {
  await db.query({
    name: 'position_feeds_write',
    text: `with told as (
             select * from jsonb_to_recordset($2::jsonb) as f(
               name text, "connectedAt" timestamptz, "endedBecause" text, "heardAt" timestamptz, usual real,
               "silentSince" timestamptz)
           ), forgotten as (
             delete from position_feeds where is_fiction = $1 and name not in (select name from told)
           )
           insert into position_feeds
                  (is_fiction, name, connected_at, ended_because, heard_at, usual, silent_since, written_at)
           select $1, name, "connectedAt", "endedBecause", "heardAt", usual, "silentSince", $3 from told
           on conflict (is_fiction, name) do update
              set connected_at = excluded.connected_at, ended_because = excluded.ended_because,
                  heard_at = excluded.heard_at, usual = excluded.usual, silent_since = excluded.silent_since,
                  written_at = excluded.written_at`,
    values: [of.isSandbox, JSON.stringify(of.states), of.now],
  })
}

export async function deleteFeedStates(db: Db, isSandbox: readonly boolean[]): Promise<void> {
  await db.query({
    name: 'position_feeds_delete',
    text: 'delete from position_feeds where is_fiction = any($1::boolean[])',
    values: [isSandbox],
  })
}
