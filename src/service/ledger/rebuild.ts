/**
 * Folds the whole ledger anew beside the live tables and compares them row by row: what is served must be what the
 * ledger yields, ids included. One transaction on one snapshot of the database, so a running service does not disturb it.
 */

import { rulesVersion } from '../../core/projection-rules.ts'
import { listAccounts } from '../../store/accounts.ts'
import type { Db, Pool } from '../../store/database.ts'
import { tablesOf } from '../../store/fold-tables.ts'
import { readLedger } from '../../store/ledger.ts'
import { countShipmentsBehind } from '../../store/mendings.ts'
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
} from '../../store/rebuild.ts'
import { putBackEvents } from '../../store/stood.ts'
import { applyEntry } from '../tracking/apply-entry.ts'
import type { Fold } from './fold.ts'

export interface RebuildReport {
  readonly entries: number
  /** Of these, looks whose snapshot was read again, and looks that were folded as the ledger says they were read. */
  readonly snapshotsRead: number
  readonly asRecorded: number
  /** Shipments that newer merge rules took over, and events that were heard of them before, which stand as they were. */
  readonly takenOver: number
  readonly heardByOlderRules: number
  /** Shipments that older rules folded last: what differs of them will be mended in the background. */
  readonly waiting: number
  /** Rows of the tables that were compared. */
  readonly rows: number
  readonly differences: readonly Difference[]
  readonly isRepaired: boolean
}

export interface RebuildOptions {
  /** Makes the tables what the ledger yields, save events, which were heard and are never made again. */
  readonly repair: boolean
  readonly differencesMax: number
  readonly progress: (done: { readonly entries: number; readonly account: string }) => void
}

const pageSize = 500

/** Throws when an entry cannot be folded at all; the message says which one and why. Nothing is changed then. */
export async function rebuild(pool: Pool, fold: Fold, options: RebuildOptions): Promise<RebuildReport> {
  const client = await pool.connect()
  try {
    await enterScratch(client, { lockTables: options.repair })
    const report = await foldAndCompare(client, fold, options)
    await dropScratch(client)
    await client.query(report.isRepaired ? 'commit' : 'rollback')
    return report
  } finally {
    // Its session's settings and prepared statements are of the scratch schema: nobody else may have it.
    client.release(true)
  }
}

async function foldAndCompare(db: Db, fold: Fold, options: RebuildOptions): Promise<RebuildReport> {
  const { differencesMax: limit } = options
  const broken = await findBrokenSnapshots(db, limit)
  const folded = await foldAll(db, fold, options)
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

async function foldAll(
  db: Db,
  fold: Fold,
  { progress }: Pick<RebuildOptions, 'progress'>,
): Promise<Omit<RebuildReport, 'rows' | 'differences' | 'isRepaired' | 'waiting'>> {
  const tables = tablesOf(db)
  let entries = 0
  let snapshotsRead = 0
  let asRecorded = 0
  let takenOver = 0
  let heardByOlderRules = 0
  let analyzeAt = 25
  for (const account of await listAccounts(db)) {
    let after = 0
    for (;;) {
      const page = await readLedger(db, { accountId: account.id, after, limit: pageSize })
      for (const entry of page) {
        if (entry.kind === 'reprojected' && entry.shipmentId !== null) {
          const { shipmentId, payload } = entry
          const heard = await putBackEvents(db, { accountId: account.id, shipmentId, stood: payload.stood })
          takenOver += 1
          heardByOlderRules += heard
        }
        const applied = await applyEntry(tables, fold, entry).catch((error: unknown) => {
          const why = error instanceof Error ? error.message : String(error)
          throw new Error(`Ledger entry ${entry.position} (${entry.kind}) cannot be folded: ${why}.`, {
            cause: error,
          })
        })
        if (applied.isAsRecorded) asRecorded += 1
        else if (entry.snapshotId !== null) snapshotsRead += 1
        entries += 1
        if (entries < analyzeAt) continue
        await analyzeScratch(db)
        analyzeAt *= 3
      }
      progress({ entries, account: account.companyName })
      const last = page.at(-1)
      if (last === undefined || page.length < pageSize) break
      after = last.position
    }
  }
  return { entries, snapshotsRead, asRecorded, takenOver, heardByOlderRules }
}
