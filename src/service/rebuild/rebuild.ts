/**
 * Folds the whole ledger anew beside the live tables and compares them row by row: what is served must be what the
 * ledger yields, ids included. One transaction on one snapshot of the database, so a running service does not disturb it.
 */

import type { Db } from '../../store/database.ts'
import {
  compareTable,
  type Difference,
  findBrokenSnapshots,
  makeScratch,
  type RebuiltTable,
  rebuiltTables,
  replaceFromScratch,
} from '../../store/rebuild.ts'
import { listAccounts } from '../../store/accounts.ts'
import { readLedger } from '../../store/ledger.ts'
import { applyEntry } from '../tracking/apply-entry.ts'
import type { Fold } from '../tracking/fold.ts'

export interface RebuildReport {
  readonly entries: number
  readonly looks: number
  readonly rows: number
  readonly differences: readonly Difference[]
}

const pageSize = 500

/**
 * `db` is in a transaction of its own whose search path begins with the scratch schema. Differences are at most
 * `differencesMax`; with `repair` the tables are made what the ledger yields, save events, which are never made again.
 */
export async function rebuild(
  db: Db,
  fold: Fold,
  options: {
    readonly repair: boolean
    readonly differencesMax: number
    readonly progress: (done: { readonly entries: number; readonly account: string }) => void
  },
): Promise<RebuildReport> {
  await makeScratch(db)
  const differences: Difference[] = [...(await findBrokenSnapshots(db, options.differencesMax))]
  let entries = 0
  let looks = 0
  for (const account of await listAccounts(db)) {
    let after = 0
    for (;;) {
      const page = await readLedger(db, { accountId: account.id, after, limit: pageSize })
      for (const entry of page) {
        try {
          await applyEntry(db, fold, entry)
        } catch (error) {
          const why = error instanceof Error ? error.message : String(error)
          throw new Error(`Ledger entry ${entry.position} (${entry.kind}) cannot be folded: ${why}`, { cause: error })
        }
        if (entry.snapshotId !== null) looks += 1
      }
      entries += page.length
      options.progress({ entries, account: account.companyName })
      const last = page.at(-1)
      if (last === undefined || page.length < pageSize) break
      after = last.position
    }
  }
  let rows = 0
  for (const table of rebuiltTables) {
    const compared = await compareTable(db, table, options.differencesMax)
    rows += compared.rows
    differences.push(...compared.differences)
    if (options.repair && compared.differences.length > 0 && isMadeAnew(table)) await replaceFromScratch(db, table)
  }
  return { entries, looks, rows, differences }
}

/** Events were heard: they are part of the ledger and stand as they are. */
function isMadeAnew(table: RebuiltTable): boolean {
  return table.name !== 'events'
}
