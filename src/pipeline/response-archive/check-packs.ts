/** Reads every pack of snapshots and compares each body with the hash that its row has. */

import { hash } from 'node:crypto'
import type { Db } from '../../db/database.ts'
import { FileStoreError } from '../../platform/files/file-store.ts'
import { fileStoreOf } from './file-store.ts'
import { openBodies, type SnapshotOpener } from './open-snapshots.ts'
import { nextPacks } from './snapshot-packs-sql.ts'
import { getSnapshots } from './snapshots-sql.ts'

export interface PackDamage {
  readonly packId: string
  /** Null when the bytes of the pack itself differ. */
  readonly snapshotId: string | null
  readonly why: string
}

const firstId = '00000000-0000-0000-0000-000000000000'

/**
 * Pack after pack, what is wrong in it; an empty list for an intact one. Throws FileStoreError when the file store
 * cannot return a pack now, because then nothing is known of it.
 */
export async function* checkPacks(opener: SnapshotOpener, db: Db): AsyncGenerator<readonly PackDamage[]> {
  for (let after = firstId; ; ) {
    const [pack] = await nextPacks(db, { after, limit: 1 })
    if (pack === undefined) return
    after = pack.id
    const body = pack.body ?? (await fileStoreOf(opener).get(pack.id))
    const isSame = body !== null && hash('sha256', body, 'buffer').equals(pack.sha256)
    const ofPack = isSame ? [] : [{ packId: pack.id, snapshotId: null, why: describePackDamage(body) }]
    yield [...ofPack, ...(await findPackDamage(opener, db, pack))]
  }
}

function describePackDamage(body: Buffer | null): string {
  return body === null ? 'It is not in the file store.' : 'Its bytes are not those that were stored.'
}

async function findPackDamage(
  opener: SnapshotOpener,
  db: Db,
  pack: { readonly id: string; readonly snapshotIds: readonly string[] },
): Promise<readonly PackDamage[]> {
  const storedSnapshots = await getSnapshots(db, pack.snapshotIds)
  try {
    await openBodies(opener, db, storedSnapshots)
    return []
  } catch (error) {
    if (error instanceof FileStoreError) throw error
  }
  const broken: PackDamage[] = []
  for (const each of storedSnapshots) {
    try {
      await openBodies(opener, db, [each])
    } catch (error) {
      if (error instanceof FileStoreError) throw error
      const why = error instanceof Error ? error.message : String(error)
      broken.push({ packId: pack.id, snapshotId: each.id, why })
    }
  }
  return broken
}
