/** What is signed of a root of the ledger. */

import type { RootHead } from '../../platform/evidence/evidence-pack.ts'
import { dropZeroMilliseconds } from '../../platform/evidence/whole-times.ts'
import type { RootRow } from './ledger-roots-sql.ts'

export function headOf(row: RootRow): RootHead {
  return {
    account_id: row.accountId,
    sequence: row.sequence,
    first_position: row.firstPosition,
    last_position: row.lastPosition,
    from: dropZeroMilliseconds(row.fromAt),
    to: dropZeroMilliseconds(row.toAt),
    leaf_count: row.leafCount,
    root: row.root,
    previous_root: row.previousRoot,
  }
}
