/** Reads the snapshots that entries were folded with, several at once in advance, and how their subjects were asked. */

import type { Db } from '../../store/database.ts'
import { getSnapshots, type KeptSnapshot, type Snapshot } from '../../store/looks/snapshots.ts'
import { getSubjectAccess, type SubjectAccess } from '../../store/looks/subjects.ts'
import { openSnapshots, type SnapshotOpener } from '../ground/open-snapshots.ts'

export interface KeptSnapshots {
  /** Announces the order in which snapshots will be read. */
  readonly expect: (ids: readonly string[]) => void
  readonly getSnapshot: (id: string) => Promise<Snapshot>
  readonly getAccess: (subjectId: string) => Promise<SubjectAccess>
}

const snapshotsAtOnce = 20
const accessesMax = 1_000

/** Reads from the database. Neither snapshots nor accesses may change there meanwhile. */
export function keptSnapshots(db: Db, opener: SnapshotOpener, ids: readonly string[] = []): KeptSnapshots {
  let expected = ids
  let ahead: ReadonlyMap<string, KeptSnapshot> = new Map()
  const accesses = new Map<string, SubjectAccess>()
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
      const access = accesses.get(id) ?? (await getSubjectAccess(db, id))
      accesses.set(id, access)
      return access
    },
  }
}
