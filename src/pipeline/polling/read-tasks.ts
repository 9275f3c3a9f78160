/** Reads the material of tasks: the answers of lines and the messages of partners. */

import { channelsBoundTo } from '../../modules/channels/channel-accounts-sql.ts'
import type { Service } from '../../modules/service.ts'
import { type EffectiveMention, findEffectiveMentions } from '../ingestion/inbound-messages-sql.ts'
import type { IngestTask } from '../ingestion/ingest-tasks-sql.ts'
import type { Fold } from '../ledger/fold.ts'
import { parseMessagePart } from '../ledger/parse-message-part.ts'
import { protectSecrets } from '../ledger/protect-secrets.ts'
import { readerFor, readStoredSnapshot, type StoredReading } from '../ledger/read-stored-snapshot.ts'
import { openSnapshots } from '../response-archive/open-snapshots.ts'
import {
  getSnapshotAccesses,
  getSnapshots,
  type Snapshot,
  type SnapshotAccess,
} from '../response-archive/snapshots-sql.ts'
import { useFreshReading } from './fresh-readings.ts'
import type { TaskReading } from './ingest-reading.ts'

export type ReadingOf = (task: IngestTask) => TaskReading

/** For tasks of one account. An answer that this process read when it stored the bytes is not read again. */
export async function readTasks(service: Service, fold: Fold, tasks: readonly IngestTask[]): Promise<ReadingOf> {
  const { pool, encryption } = service
  const accesses = await getSnapshotAccesses(
    pool,
    tasks.flatMap(({ snapshotId }) => snapshotId ?? []),
  )
  const fresh = useFreshReadings(service, fold, tasks, accesses)
  const unread = tasks.flatMap(({ id, snapshotId }) => (fresh.has(id) ? [] : (snapshotId ?? [])))
  const snapshots = await openSnapshots(service, pool, await getSnapshots(pool, unread))
  const standings = await findEffectiveMentions(
    pool,
    tasks.flatMap(({ payload }) => payload.mention ?? []),
  )
  const isShared = [...accesses.values()].some(({ isOfAll }) => isOfAll)
  const bound =
    tasks[0] !== undefined && standings.size > 0 && isShared
      ? await channelsBoundTo(pool, tasks[0].accountId)
      : new Set<string>()
  const opened = new Map(snapshots.map((snapshot) => [snapshot.id, snapshot]))
  const stored = { accesses, opened, fresh, standings, bound, encryption }
  const readings = new Map(tasks.map((task) => [task.id, readTask(fold, task, stored)]))
  return (task) => {
    const found = readings.get(task.id)
    if (found === undefined) throw new Error(`task ${task.id} was not read`)
    return found
  }
}

interface StoredMaterial {
  readonly accesses: ReadonlyMap<string, SnapshotAccess>
  readonly opened: ReadonlyMap<string, Snapshot>
  readonly fresh: ReadonlyMap<number, StoredReading>
  /** Since when each delivery is effective, and its key, by the id of its mention. */
  readonly standings: ReadonlyMap<string, EffectiveMention>
  /**
   * Channels of the whole installation that give this account everything, also what only bound accounts may receive.
   */
  readonly bound: ReadonlySet<string>
  readonly encryption: Service['encryption']
}

/** Of the answers that this process has read, those that the present reader and profile would read in the same way. */
function useFreshReadings(
  service: Service,
  fold: Fold,
  tasks: readonly IngestTask[],
  accesses: StoredMaterial['accesses'],
): StoredMaterial['fresh'] {
  const found = tasks.flatMap(({ id, snapshotId }) => {
    const access = accesses.get(snapshotId ?? '')
    const fresh = snapshotId === null ? null : useFreshReading(service, snapshotId)
    if (access === undefined || fresh === null) return []
    return fresh.reader === readerFor(fold, access.scac, access).reader ? [[id, fresh] as const] : []
  })
  return new Map(found)
}

function readTask(fold: Fold, { id, snapshotId, payload }: IngestTask, stored: StoredMaterial): TaskReading {
  if (snapshotId === null) return { reading: null, outcome: { kind: payload.outcome ?? 'unreachable' }, reader: null }
  const { accesses, opened, standings, bound, encryption } = stored
  const fresh = stored.fresh.get(id)
  if (fresh !== undefined) return fresh
  const [access, snapshot] = [accesses.get(snapshotId), opened.get(snapshotId)]
  if (access === undefined || snapshot === undefined) throw new Error(`snapshot ${snapshotId} is gone`)
  const { mention } = payload
  if (mention === undefined) return readStoredSnapshot(fold, snapshot, access, access)
  const mentionDelivery = standings.get(mention)
  if (mentionDelivery === undefined) throw new Error(`mention ${mention} is gone`)
  const { standsAt, deliveryKey } = mentionDelivery
  const source = { kind: access.speakerKind, code: access.scac }
  const hand = access.isFirstHand ? 'first' : 'relayed'
  const read = parseMessagePart(fold, snapshot, { speaker: source.kind, messageSubject: access }, access)
  const isAllVisible = !access.isOfAll || bound.has(access.channelId)
  const { reading, isSealed } = protectSecrets(encryption, read.reading, { isAllVisible })
  const pushOrigin = { mention, source, hand, standsAt, deliveryKey, ...(isSealed && { isSealed }) } as const
  return { ...read, reading, pushOrigin }
}
