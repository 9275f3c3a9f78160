/**
 * Reads the snapshots that entries were folded with, several at once in advance, and how their poll targets were
 * polled.
 */

import type { Db } from '../../db/database.ts'
import { getPollTargetAccess, type PollTargetAccess } from '../polling/poll-targets-sql.ts'
import { openSnapshots, type SnapshotOpener } from '../response-archive/open-snapshots.ts'
import { getSnapshots, type Snapshot, type StoredSnapshot } from '../response-archive/snapshots-sql.ts'

export interface SnapshotLoader {
  /** Registers the order in which snapshots will be read. */
  readonly expect: (ids: readonly string[]) => void
  readonly getSnapshot: (id: string) => Promise<Snapshot>
  readonly getAccess: (subjectId: string) => Promise<PollTargetAccess>
}

const snapshotsAtOnce = 20
const accessesMax = 1_000

/** Reads from the database. Neither snapshots nor accesses may change there meanwhile. */
export function createSnapshotLoader(db: Db, opener: SnapshotOpener, ids: readonly string[] = []): SnapshotLoader {
  let expected = ids
  let ahead: ReadonlyMap<string, StoredSnapshot> = new Map()
  const accesses = new Map<string, PollTargetAccess>()
  return {
    expect: (next) => {
      expected = next
      if (accesses.size > accessesMax) accesses.clear()
    },
    getSnapshot: async (id) => {
      if (!ahead.has(id)) {
        const place = expected.indexOf(id)
        const next = place === -1 ? [] : expected.slice(place + 1, place + snapshotsAtOnce)
        const found = await getSnapshots(db, [id, ...next])
        ahead = new Map(found.map((snapshot) => [snapshot.id, snapshot]))
      }
      const snapshot = ahead.get(id)
      if (snapshot === undefined) throw new Error(`snapshot ${id} is gone`)
      const [opened] = await openSnapshots(opener, db, [snapshot])
      if (opened === undefined) throw new Error(`snapshot ${id} was not opened`)
      return opened
    },
    getAccess: async (id) => {
      const access = accesses.get(id) ?? (await getPollTargetAccess(db, id))
      accesses.set(id, access)
      return access
    },
  }
}
