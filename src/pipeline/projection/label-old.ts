/**
 * Labels the shipments, containers and requests of before an upgrade, some hundred rows at a time. The database records
 * how far it has come, so that any process can continue from there. Until an account is done, its lists are read by the
 * indexes of values, with the same answers.
 */

import { inTransaction } from '../../db/database.ts'
import {
  countUnlabelled,
  finishLabelling,
  labelRequests,
  labelShipments,
  lockUnlabelled,
  storeLabellingProgress,
} from '../../db/listing/unlabelled-accounts.ts'
import type { Service } from '../../modules/service.ts'

const rowsAtOnce = 200
/** Before all ids. */
const start = '00000000-0000-0000-0000-000000000000'

/** Does a piece of the work. Returns 0 when no account is left. */
export async function labelOldRows({ pool }: Pick<Service, 'pool'>, limit = rowsAtOnce): Promise<number> {
  return inTransaction(pool, async (db) => {
    const progress = await lockUnlabelled(db)
    if (progress === null) return 0
    const ids = await (progress.part === 'shipments' ? labelShipments : labelRequests)(db, progress, limit)
    const last = ids.at(-1)
    if (last !== undefined && ids.length === limit) await storeLabellingProgress(db, { ...progress, afterId: last })
    else if (progress.part === 'shipments')
      await storeLabellingProgress(db, { ...progress, part: 'tracking_requests', afterId: start })
    else await finishLabelling(db, progress.accountId)
    return ids.length + 1
  })
}

/** For Prometheus. */
export function addUnlabelledGauge({ metrics, pool }: Service): void {
  metrics.watch({
    name: 'accounts_unlabelled',
    help: 'Accounts whose lists still use the value indexes, until their older rows are labelled in the background.',
    read: () => countUnlabelled(pool),
  })
}
