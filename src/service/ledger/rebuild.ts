/**
 * Folds the whole ledger again beside the live tables and compares them row by row: the served rows must be those that
 * the ledger gives, ids included. One transaction on one snapshot of the database, so a running service does not
 * disturb it.
 */

import { rulesVersion } from '../../core/shown/projection-rules.ts'
import type { Db } from '../../store/database.ts'
import { noteTies } from '../../store/ledger/ledger-groups.ts'
import { countShipmentsBehind } from '../../store/ledger/mendings.ts'
import {
  analyzeScratch,
  compareTable,
  type Difference,
  dropScratch,
  enterScratch,
  findBrokenSnapshots,
  findMisnumbered,
  findOutOfOrder,
  rebuiltTables,
  replaceFromScratch,
} from '../../store/ledger/rebuild.ts'
import { nextSealedSnapshots } from '../../store/looks/snapshots.ts'
import { listAccounts } from '../../store/people/accounts.ts'
import { checkPacks } from '../ground/check-packs.ts'
import { openSnapshots, type SnapshotOpener } from '../ground/open-snapshots.ts'
import type { Service } from '../service.ts'
import type { Fold } from './fold.ts'
import { type FoldedAnew, foldAccount } from './fold-groups.ts'

export interface RebuildReport extends FoldedAnew {
  /** Shipments that older rules folded last. Where they differ, they will be mended in the background. */
  readonly waiting: number
  /** Rows of the tables that were compared. */
  readonly rows: number
  readonly differences: readonly Difference[]
  readonly isRepaired: boolean
}

export interface RebuildOptions {
  /**
   * Changes the tables to what the ledger yields, except events: subscribers have heard them, and they are never made
   * again.
   */
  readonly repair: boolean
  readonly differencesMax: number
  readonly progress: (done: { readonly entries: number; readonly account: string }) => void
}

/** The database with the ledger, and what opens snapshots that are sealed or packed. */
type Kept = SnapshotOpener & Pick<Service, 'pool'>

/** Throws when an entry cannot be folded at all; the message says which one and why. Nothing is changed then. */
export async function rebuild(kept: Kept, fold: Fold, options: RebuildOptions): Promise<RebuildReport> {
  const client = await kept.pool.connect()
  try {
    await enterScratch(client, { lockTables: options.repair })
    const report = await foldAndCompare(client, kept, fold, options)
    await dropScratch(client)
    // Read replicas are asked for what is flushed, so nobody may see a repair before it is.
    await client.query(report.isRepaired ? 'set local synchronous_commit to default; commit' : 'rollback')
    return report
  } finally {
    // The session's settings and prepared statements refer to the scratch schema, so nobody else may use this
    // connection.
    client.release(true)
  }
}

async function foldAndCompare(
  db: Db,
  opener: SnapshotOpener,
  fold: Fold,
  options: RebuildOptions,
): Promise<RebuildReport> {
  const { differencesMax: limit } = options
  const broken = [
    ...(await findBrokenSnapshots(db, limit)),
    ...(await findUnopened(db, opener, limit)),
    ...(await findBrokenPacked(db, opener, limit)),
  ]
  const folded = await foldAll(db, fold, { ...options, opener })
  const differences: Difference[] = [...broken]
  let rows = 0
  const different = []
  for (const table of rebuiltTables) {
    const compared = await compareTable(db, table, limit)
    rows += compared.rows
    differences.push(...compared.differences)
    if (compared.differences.length > 0) different.push(table)
  }
  differences.push(...(await findOutOfOrder(db, limit)), ...(await findMisnumbered(db, limit)))
  // What broken bytes seem to say must not be written over what was read of them when they were whole.
  const isRepaired = options.repair && broken.length === 0
  const mendable = different.filter(({ isAnnounced }) => !isAnnounced)
  if (isRepaired) for (const table of mendable) await replaceFromScratch(db, table)
  const waiting = await countShipmentsBehind(db, rulesVersion)
  return { ...folded, waiting, rows, differences, isRepaired }
}

/** Few, because each may be as large as the largest body that may be sent. */
const openedAtOnce = 20

/** Sealed snapshots that are not what was sealed. A snapshot that can be opened is whole. */
async function findUnopened(db: Db, opener: SnapshotOpener, limit: number): Promise<readonly Difference[]> {
  const broken: Difference[] = []
  for (let afterId: string | null = null; broken.length < limit; ) {
    const some = await nextSealedSnapshots(db, { afterId, limit: openedAtOnce })
    for (const snapshot of some) {
      try {
        await openSnapshots(opener, db, [snapshot])
      } catch {
        broken.push({ table: 'snapshots', id: snapshot.id, kind: 'different', columns: ['body'] })
      }
    }
    afterId = some.at(-1)?.id ?? null
    if (afterId === null) break
  }
  return broken
}

async function findBrokenPacked(
  db: Db,
  opener: SnapshotOpener,
  limit: number,
): Promise<readonly Difference[]> {
  const broken: Difference[] = []
  for await (const found of checkPacks(opener, db)) {
    // A pack whose bytes are others, and whose snapshots can all be read, is not broken for those who read it.
    const ids = found.flatMap(({ snapshotId }) => snapshotId ?? [])
    broken.push(
      ...ids.map((id) => ({ table: 'snapshots', id, kind: 'different', columns: ['body'] }) as const),
    )
    if (broken.length >= limit) break
  }
  return broken.slice(0, limit)
}

async function foldAll(
  db: Db,
  fold: Fold,
  { progress, opener }: Pick<RebuildOptions, 'progress'> & { readonly opener: SnapshotOpener },
): Promise<FoldedAnew> {
  await noteTies(db)
  let sum: FoldedAnew = { entries: 0, snapshotsRead: 0, asRecorded: 0, takenOver: 0, heardByOlderRules: 0 }
  let analyzeAt = 25
  for (const { id: accountId, companyName: account } of await listAccounts(db)) {
    const before = sum
    const folded = await foldAccount(db, fold, {
      accountId,
      opener,
      progress: (entries) => progress({ entries: before.entries + entries, account }),
      written: async (entries) => {
        if (before.entries + entries < analyzeAt) return
        await analyzeScratch(db)
        analyzeAt = (before.entries + entries) * 3
      },
    })
    sum = {
      entries: before.entries + folded.entries,
      snapshotsRead: before.snapshotsRead + folded.snapshotsRead,
      asRecorded: before.asRecorded + folded.asRecorded,
      takenOver: before.takenOver + folded.takenOver,
      heardByOlderRules: before.heardByOlderRules + folded.heardByOlderRules,
    }
  }
  return sum
}
