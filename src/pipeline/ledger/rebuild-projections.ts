/**
 * Folds the whole ledger again beside the live tables and compares them row by row: the served rows must be those that
 * the ledger yields, ids included. One transaction on one snapshot of the database, so a running service does not
 * disturb it.
 */

import type { Db } from '../../db/database.ts'
import { rulesVersion } from '../../domain/view/projection-rules.ts'
import { listAccounts } from '../../modules/accounts/accounts-sql.ts'
import type { Service } from '../../modules/service.ts'
import { checkPacks } from '../response-archive/check-packs.ts'
import { openSnapshots, type SnapshotOpener } from '../response-archive/open-snapshots.ts'
import { nextEncryptedSnapshots } from '../response-archive/snapshots-sql.ts'
import type { Fold } from './fold.ts'
import { foldAccount, type RefoldCounts } from './fold-account.ts'
import { createRequestLinksTable } from './ledger-groups-sql.ts'
import { compareEtaOutcomes, repairEtaOutcomes, scoreScratch } from './rebuild-eta-outcomes.ts'
import {
  analyzeScratch,
  compareTable,
  dropScratch,
  enterScratch,
  findBrokenSnapshots,
  findMisnumbered,
  findOutOfOrder,
  type RebuildDifference,
  rebuiltTables,
  replaceFromScratch,
} from './rebuild-sql.ts'
import { countShipmentsBehind } from './repairs-sql.ts'

export interface RebuildReport extends RefoldCounts {
  /** Shipments that older rules folded last. Where they differ, they will be repaired in the background. */
  readonly waiting: number
  /** Rows of the tables that were compared. */
  readonly rows: number
  readonly differences: readonly RebuildDifference[]
  readonly isRepaired: boolean
}

export interface RebuildOptions {
  /**
   * Changes the tables to what the ledger yields, except events: subscribers have received them, and they are never
   * made again.
   */
  readonly repair: boolean
  readonly differencesMax: number
  readonly progress: (done: { readonly entries: number; readonly account: string }) => void
}

/** The database with the ledger, and what opens snapshots that are encrypted or packed. */
type SnapshotArchive = SnapshotOpener & Pick<Service, 'pool'>

/**
 * Throws when an entry cannot be folded at all; the message names the entry and the reason. Nothing is changed then.
 */
export async function rebuildProjections(
  archive: SnapshotArchive,
  fold: Fold,
  options: RebuildOptions,
): Promise<RebuildReport> {
  const client = await archive.pool.connect()
  try {
    await enterScratch(client, { lockTables: options.repair })
    const report = await foldAndCompare(client, archive, fold, options)
    await dropScratch(client)
    // Read replicas return what is flushed, so nobody may see a repair before it is flushed.
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
  const differences: RebuildDifference[] = [...broken]
  let rows = 0
  const different = []
  for (const table of rebuiltTables) {
    const compared = await compareTable(db, table, limit)
    rows += compared.rows
    differences.push(...compared.differences)
    if (compared.differences.length > 0) different.push(table)
  }
  await scoreScratch(db)
  differences.push(...(await compareEtaOutcomes(db, limit)))
  differences.push(...(await findOutOfOrder(db, limit)), ...(await findMisnumbered(db, limit)))
  // The content of broken bytes must not replace what was read of them when they were intact.
  const isRepaired = options.repair && broken.length === 0
  const mendable = different.filter(({ isPublished }) => !isPublished)
  if (isRepaired) for (const table of mendable) await replaceFromScratch(db, table)
  if (isRepaired) await repairEtaOutcomes(db)
  const waiting = await countShipmentsBehind(db, rulesVersion)
  return { ...folded, waiting, rows, differences, isRepaired }
}

/** Few, because each may be as large as the largest body that may be sent. */
const openedAtOnce = 20

/** Encrypted snapshots that differ from what was encrypted. A snapshot that can be opened is intact. */
async function findUnopened(db: Db, opener: SnapshotOpener, limit: number): Promise<readonly RebuildDifference[]> {
  const broken: RebuildDifference[] = []
  for (let afterId: string | null = null; broken.length < limit; ) {
    const some = await nextEncryptedSnapshots(db, { afterId, limit: openedAtOnce })
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

async function findBrokenPacked(db: Db, opener: SnapshotOpener, limit: number): Promise<readonly RebuildDifference[]> {
  const broken: RebuildDifference[] = []
  for await (const found of checkPacks(opener, db)) {
    // A pack whose bytes changed, but whose snapshots can all be read, is not broken for its readers.
    const ids = found.flatMap(({ snapshotId }) => snapshotId ?? [])
    broken.push(...ids.map((id) => ({ table: 'snapshots', id, kind: 'different', columns: ['body'] }) as const))
    if (broken.length >= limit) break
  }
  return broken.slice(0, limit)
}

async function foldAll(
  db: Db,
  fold: Fold,
  { progress, opener }: Pick<RebuildOptions, 'progress'> & { readonly opener: SnapshotOpener },
): Promise<RefoldCounts> {
  await createRequestLinksTable(db)
  let sum: RefoldCounts = {
    entries: 0,
    snapshotsRead: 0,
    asRecorded: 0,
    reprojectedShipments: 0,
    eventsOfOlderRules: 0,
  }
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
      reprojectedShipments: before.reprojectedShipments + folded.reprojectedShipments,
      eventsOfOlderRules: before.eventsOfOlderRules + folded.eventsOfOlderRules,
    }
  }
  return sum
}
