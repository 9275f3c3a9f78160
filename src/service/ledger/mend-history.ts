/**
 * After an upgrade, brings what is stored up to this program's readers and merge rules, in the background. One request
 * or shipment at a time, each in its own transaction, accounts in turn. Any process can go on where another one
 * stopped.
 */

import { setTimeout as pause } from 'node:timers/promises'
import { rulesVersion } from '../../core/shown/projection-rules.ts'
import { addMs } from '../../core/values/time.ts'
import { sourceNames } from '../../sources/registry.ts'
import { toldSourceNames } from '../../sources/told-registry.ts'
import { type Db, inTransaction } from '../../store/database.ts'
import { wakeAfterwards } from '../../store/ground/wake.ts'
import { setRules } from '../../store/journeys/shipment-rules.ts'
import { lockShipmentFloor } from '../../store/journeys/shipments.ts'
import { lockRequestsOfShipment } from '../../store/journeys/tracking-requests.ts'
import {
  beginMendings,
  countMendings,
  countShipmentsBehind,
  endMending,
  leaseMending,
  listMendings,
  type Mending,
  type MendingLease,
  type MendingOutcome,
  type MendingVersions,
  nextShipmentBehind,
  noteMended,
} from '../../store/ledger/mendings.ts'
import { nextRequestToRead } from '../../store/tracking/live-requests.ts'
import { leaseToken } from '../ground/holder.ts'
import { journeyNow, realNow, type Service } from '../service.ts'
import type { Fold } from './fold.ts'
import { isFoldedAlike } from './folded-alike.ts'
import { rereadHistory } from './reread.ts'
import { takeAgain } from './take-again.ts'
import { takeEntries } from './take-entries.ts'

const leaseMs = 300_000
/** After this time it tries once more what failed, and what an older program has folded meanwhile. */
const againMs = 3_600_000
/**
 * Bounds of the rest after each piece. The rest is as long as the work took, so that live work has at least half of the
 * time.
 */
const restMs = { min: 5, max: 5_000 }

/**
 * Does the next piece, if there is one. `rest` resolves when another piece may begin. Null when nothing is due; to find
 * that out takes two queries of small tables.
 */
export async function mendHistory(
  service: Service,
  fold: Fold,
): Promise<{ readonly rest: Promise<void> } | null> {
  const startedMs = performance.now()
  const versions = versionsOf(fold)
  const lease = (await takeLease(service, versions)) ?? (await beginAndTake(service, versions))
  if (lease === null) return null
  await mendNext(service, fold, lease)
  const tookMs = performance.now() - startedMs
  return { rest: pause(Math.min(Math.max(tookMs, restMs.min), restMs.max)) }
}

/** What an operator sees of this work: the walks of each account, those under way first. */
export async function readMendings({ pool }: Service): Promise<{
  readonly mendings: readonly Mending[]
  readonly shipmentsBehind: number
}> {
  return {
    mendings: await listMendings(pool),
    shipmentsBehind: await countShipmentsBehind(pool, rulesVersion),
  }
}

/** For Prometheus: how many walks have not ended. */
export function watchMendings({ metrics, pool }: Service): void {
  metrics.watch({
    name: 'mendings_open',
    help: 'Walks through the history of an account, to mended readers or merge rules, that have not ended.',
    read: () => countMendings(pool),
  })
}

/**
 * The readers' version is the sum of those of all sources: it grows with each that is mended, and two programs agree
 * about which of them is the newer.
 */
export function versionsOf(fold: Fold): MendingVersions {
  const readers = [...sourceNames.map(fold.findSource), ...toldSourceNames.map(fold.findToldSource)]
  return { readers: readers.reduce((sum, reader) => sum + (reader?.version ?? 0), 0), rules: rulesVersion }
}

function takeLease(service: Service, versions: MendingVersions): Promise<MendingLease | null> {
  const now = realNow(service)
  const token = leaseToken(service)
  return leaseMending(service.pool, { versions, token, now, until: addMs(now, leaseMs) })
}

async function beginAndTake(service: Service, versions: MendingVersions): Promise<MendingLease | null> {
  const begun = await beginMendings(service.pool, { versions, now: realNow(service) })
  return begun === 0 ? null : takeLease(service, versions)
}

async function mendNext(service: Service, fold: Fold, lease: MendingLease): Promise<void> {
  const { accountId, kind, afterId, isFiction } = lease
  const of = { accountId, afterId, rules: rulesVersion }
  const id =
    kind === 'readers'
      ? await nextRequestToRead(service.pool, of)
      : await nextShipmentBehind(service.pool, of)
  if (id === null) return endWalk(service, lease)
  const about = { accountId, id, now: journeyNow(service, isFiction) }
  const outcome = await (kind === 'readers' ? readAgain : bringUp)(service, fold, about).catch(
    (error: unknown): MendingOutcome => {
      service.metrics.jobFailed({ job: 'mending', kind, account: accountId, of: id, error })
      return 'failed'
    },
  )
  service.metrics.historyMended({ kind, outcome, account: accountId, of: id })
  await noteMended(service.pool, lease, { id, outcome, now: realNow(service) })
  if (outcome === 'changed') await wakeAfterwards(service.pool, 'events')
}

async function endWalk(service: Service, lease: MendingLease): Promise<void> {
  const { accountId, kind, failed, lookedAt, changed } = lease
  const now = realNow(service)
  const of = { accountId, afterId: null, rules: rulesVersion }
  const isLeft = failed > 0 || (kind === 'rules' && (await nextShipmentBehind(service.pool, of)) !== null)
  await endMending(service.pool, lease, { now, againAt: isLeft ? addMs(now, againMs) : null })
  if (lookedAt > 0)
    service.log.info('history.walked', { kind, account: accountId, lookedAt, changed, failed, isLeft })
}

interface About {
  readonly accountId: string
  readonly id: string
  /** ISO instant on the journey clock. */
  readonly now: string
}

async function readAgain(service: Service, fold: Fold, about: About): Promise<MendingOutcome> {
  const done = await rereadHistory(service, fold, { ...about, metrics: service.metrics })
  return done !== null && done.added + done.retired > 0 ? 'changed' : 'same'
}

/**
 * When the present rules give, entry by entry, the served rows of a shipment, the shipment is only marked: a rebuild
 * would find no difference. Any other shipment is moved to the present rules. The comparison runs before anything is
 * locked.
 */
async function bringUp(service: Service, fold: Fold, { accountId, id, now }: About): Promise<MendingOutcome> {
  const { pool } = service
  const key = { accountId, shipmentId: id }
  const before = await lockFloorOf(pool, key)
  if (before === null) return 'same'
  const isAlike = await isFoldedAlike(service, fold, key)
  const work = async (db: Db, also: readonly string[]): Promise<MendingOutcome> => {
    await lockRequestsOfShipment(db, key)
    const floor = await lockShipmentFloor(db, { accountId, id })
    // Live work has taken the shipment over meanwhile, or an older program has written to it; in that case it comes
    // again.
    if (floor === null || floor.rules >= rulesVersion || floor.updatedAt !== before) return 'same'
    if (isAlike) {
      await setRules(db, { ...key, rules: rulesVersion })
      return 'same'
    }
    const keys = { accountId, requestIds: also, shipmentIds: [id], locksAsking: true, isProjected: true }
    // No entry is added here. `takeEntries` first takes over what it locks, and that is all that is needed.
    const { taken } = await takeEntries(
      db,
      fold,
      { keys, now, entriesMax: 0, metrics: service.metrics },
      () => {},
    )
    return taken.some(({ folded }) => 'isChanged' in folded && folded.isChanged) ? 'changed' : 'same'
  }
  return takeAgain((also) => inTransaction(pool, (db) => work(db, also)))
}

async function lockFloorOf(
  pool: Db,
  key: { readonly accountId: string; readonly shipmentId: string },
): Promise<string | null> {
  const floor = await lockShipmentFloor(pool, { accountId: key.accountId, id: key.shipmentId })
  return floor?.updatedAt ?? null
}
