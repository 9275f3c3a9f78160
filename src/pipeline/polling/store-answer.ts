/** Stores the answer of a carrier as it came, unless it is the same as the one before, and reads it. */

import { createHash } from 'node:crypto'
import type { FetchResult } from '../../connectors/source.ts'
import { findSource } from '../../connectors/source-registry.ts'
import type { Db } from '../../db/database.ts'
import type { Service } from '../../modules/service.ts'
import { uuidV7 } from '../../platform/ids.ts'
import { readStoredSnapshot, type StoredReading } from '../ledger/read-stored-snapshot.ts'
import { getSnapshotHash, insertSnapshot } from '../response-archive/snapshots-sql.ts'
import type { DuePollTarget } from './due-poll-targets-sql.ts'

export interface StoredAnswer {
  readonly id: string
  /** Of the answer, when the row with it is new. The reading of an older row has an older time. */
  readonly newBytes?: number
  readonly isUnchanged: boolean
  /** Null when the answer is unchanged: the same bytes state the same. */
  readonly read: StoredReading | null
}

export async function storeAnswer(
  service: Service,
  db: Db,
  pollTarget: DuePollTarget,
  result: Extract<FetchResult, { kind: 'answered' }>,
  recordedAt: string,
): Promise<StoredAnswer> {
  const { snapshot } = result
  if (result.isUnchanged === true && pollTarget.lastSnapshotId !== null)
    return { id: pollTarget.lastSnapshotId, isUnchanged: true, read: null }
  const contentHash = createHash('sha256').update(`${snapshot.status}\n`).update(snapshot.body).digest()
  const last = pollTarget.lastSnapshotId === null ? null : await getSnapshotHash(db, pollTarget.lastSnapshotId)
  if (pollTarget.lastSnapshotId !== null && last?.equals(contentHash) === true) {
    return { id: pollTarget.lastSnapshotId, isUnchanged: true, read: null }
  }
  const snapshotRow = {
    id: uuidV7(service.clock.now()),
    subjectId: pollTarget.id,
    contentHash,
    status: snapshot.status,
    contentType: snapshot.contentType,
    body: snapshot.body,
    recordedAt,
  }
  const id = await insertSnapshot(db, snapshotRow)
  const read = readStoredSnapshot({ findSource }, snapshotRow, pollTarget, pollTarget)
  return { id, isUnchanged: false, read, ...(id === snapshotRow.id && { newBytes: snapshot.body.length }) }
}
