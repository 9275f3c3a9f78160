/**
 * After an upgrade, brings what is stored up to this program's readers and merge rules, in the background. One request
 * or shipment at a time, each in its own transaction, accounts in rotation. Any process can continue where another one
 * stopped.
 */

import { setTimeout as pause } from 'node:timers/promises'
import { pushedSourceNames } from '../../connectors/pushed-source-registry.ts'
import { sourceNames } from '../../connectors/source-registry.ts'
import { type Db, inTransaction } from '../../db/database.ts'
import { wakeWorkers } from '../../db/wake-workers.ts'
import { addMs } from '../../domain/values/time.ts'
import { rulesVersion } from '../../domain/view/projection-rules.ts'
import { journeyNow, realNow, type Service } from '../../modules/service.ts'
import { findNextRequestToReread } from '../../modules/tracking-requests/live-requests-sql.ts'
import { leaseToken } from '../jobs/holder.ts'
import { setShipmentRules } from '../projection/shipment-rules-sql.ts'
import { lockShipmentFloor } from '../projection/shipments-sql.ts'
import { lockRequestsOfShipment } from '../projection/tracking-requests-sql.ts'
import { commitEntries } from './commit-entries.ts'
import type { Fold } from './fold.ts'
import { isRefoldIdentical } from './is-folded-alike.ts'
import {
  beginRepairs,
  countOpenRepairs,
  countShipmentsBehind,
  endRepair,
  leaseRepair,
  listRepairs,
  nextShipmentBehind,
  type Repair,
  type RepairLease,
  type RepairOutcome,
  type RepairVersions,
  recordRepair,
} from './repairs-sql.ts'
import { rereadHistory } from './reread-history.ts'
import { retryOnConflict } from './retry-on-conflict.ts'

const leaseMs = 300_000
/** After this time it retries what failed, and what an older program has folded meanwhile. */
const againMs = 3_600_000
/**
 * Bounds of the cooldown after each piece. The cooldown is as long as the work took, so that live work has at least
 * half of the time.
 */
const cooldownMs = { min: 5, max: 5_000 }

/**
 * Does the next piece, if there is one. `cooldown` resolves when another piece may begin. Null when nothing is due;
 * that check takes two queries of small tables.
 */
export async function repairHistory(
  service: Service,
  fold: Fold,
): Promise<{ readonly cooldown: Promise<void> } | null> {
  const startedMs = performance.now()
  const versions = versionsOf(fold)
  const lease = (await acquireLease(service, versions)) ?? (await beginAndLeaseRepair(service, versions))
  if (lease === null) return null
  await repairNext(service, fold, lease)
  const tookMs = performance.now() - startedMs
  return { cooldown: pause(Math.min(Math.max(tookMs, cooldownMs.min), cooldownMs.max)) }
}

/** What an operator sees of this work: the walks of each account, those under way first. */
export async function readRepairs({ pool }: Service): Promise<{
  readonly repairs: readonly Repair[]
  readonly shipmentsBehind: number
}> {
  return {
    repairs: await listRepairs(pool),
    shipmentsBehind: await countShipmentsBehind(pool, rulesVersion),
  }
}

/** For Prometheus: how many walks have not ended. */
export function addRepairsGauge({ metrics, pool }: Service): void {
  metrics.watch({
    name: 'mendings_open',
    help: 'Repairs of the history of an account, after corrected readers or merge rules, that have not ended.',
    read: () => countOpenRepairs(pool),
  })
}

/**
 * The readers' version is the sum of those of all sources: it grows with each that is corrected, and two programs agree
 * about which of them is the newer.
 */
export function versionsOf(fold: Fold): RepairVersions {
  const readers = [...sourceNames.map(fold.findSource), ...pushedSourceNames.map(fold.findPushedSource)]
  return { readers: readers.reduce((sum, reader) => sum + (reader?.version ?? 0), 0), rules: rulesVersion }
}

function acquireLease(service: Service, versions: RepairVersions): Promise<RepairLease | null> {
  const now = realNow(service)
  const token = leaseToken(service)
  return leaseRepair(service.pool, { versions, token, now, until: addMs(now, leaseMs) })
}

async function beginAndLeaseRepair(service: Service, versions: RepairVersions): Promise<RepairLease | null> {
  const begun = await beginRepairs(service.pool, { versions, now: realNow(service) })
  return begun === 0 ? null : acquireLease(service, versions)
}

async function repairNext(service: Service, fold: Fold, lease: RepairLease): Promise<void> {
  const { accountId, kind, afterId, isSandbox } = lease
  const of = { accountId, afterId, rules: rulesVersion }
  const id =
    kind === 'readers' ? await findNextRequestToReread(service.pool, of) : await nextShipmentBehind(service.pool, of)
  if (id === null) return endWalk(service, lease)
  const about = { accountId, id, now: journeyNow(service, isSandbox) }
  const outcome = await (kind === 'readers' ? rereadRequestHistory : upgradeShipment)(service, fold, about).catch(
    (error: unknown): RepairOutcome => {
      service.metrics.jobFailed({ job: 'mending', kind, account: accountId, of: id, error })
      return 'failed'
    },
  )
  service.metrics.historyMended({ kind, outcome, account: accountId, of: id })
  await recordRepair(service.pool, lease, { id, outcome, now: realNow(service) })
  if (outcome === 'changed') wakeWorkers(service.pool, 'events')
}

async function endWalk(service: Service, lease: RepairLease): Promise<void> {
  const { accountId, kind, failed, lookedAt, changed } = lease
  const now = realNow(service)
  const of = { accountId, afterId: null, rules: rulesVersion }
  const isLeft = failed > 0 || (kind === 'rules' && (await nextShipmentBehind(service.pool, of)) !== null)
  await endRepair(service.pool, lease, { now, againAt: isLeft ? addMs(now, againMs) : null })
  if (lookedAt > 0) service.log.info('history.walked', { kind, account: accountId, lookedAt, changed, failed, isLeft })
}

interface RepairItem {
  readonly accountId: string
  readonly id: string
  /** ISO instant on the journey clock. */
  readonly now: string
}

async function rereadRequestHistory(service: Service, fold: Fold, about: RepairItem): Promise<RepairOutcome> {
  const done = await rereadHistory(service, fold, { ...about, metrics: service.metrics })
  return done !== null && done.added + done.retired > 0 ? 'changed' : 'same'
}

/**
 * When the present rules yield, entry by entry, the served rows of a shipment, the shipment is only marked: a rebuild
 * would find no difference. Any other shipment is moved to the present rules. The comparison runs before anything is
 * locked.
 */
async function upgradeShipment(
  service: Service,
  fold: Fold,
  { accountId, id, now }: RepairItem,
): Promise<RepairOutcome> {
  const { pool } = service
  const key = { accountId, shipmentId: id }
  const before = await lockShipmentUpdatedAt(pool, key)
  if (before === null) return 'same'
  const isAlike = await isRefoldIdentical(service, fold, key)
  const work = async (db: Db, also: readonly string[]): Promise<RepairOutcome> => {
    await lockRequestsOfShipment(db, key)
    const floor = await lockShipmentFloor(db, { accountId, id })
    // Live work has taken the shipment over meanwhile, or an older program has written to it; in that case it comes
    // again.
    if (floor === null || floor.rules >= rulesVersion || floor.updatedAt !== before) return 'same'
    if (isAlike) {
      await setShipmentRules(db, { ...key, rules: rulesVersion })
      return 'same'
    }
    const keys = { accountId, requestIds: also, shipmentIds: [id], locksAllRequests: true, isProjected: true }
    // No entry is added here. `commitEntries` first takes over what it locks, and that is all that is needed.
    const { committed } = await commitEntries(
      db,
      fold,
      { keys, now, entriesMax: 0, metrics: service.metrics },
      () => {},
    )
    return committed.some(({ folded }) => 'isChanged' in folded && folded.isChanged) ? 'changed' : 'same'
  }
  return retryOnConflict((also) => inTransaction(pool, (db) => work(db, also)))
}

async function lockShipmentUpdatedAt(
  pool: Db,
  key: { readonly accountId: string; readonly shipmentId: string },
): Promise<string | null> {
  const floor = await lockShipmentFloor(pool, { accountId: key.accountId, id: key.shipmentId })
  return floor?.updatedAt ?? null
}
