/**
 * Hands the rows of imports over to batches of tracking requests, a thousand at a time, and rehearses those of dry runs. A
 * batch's id follows from the import and the place of its first row: what is cut off goes on with the same batch, so that no
 * row is handed over twice, and none is passed over.
 */

import { addMs } from '../../core/time.ts'
import { namedUuidV7 } from '../../platform/ids.ts'
import { inTransaction } from '../../store/database.ts'
import {
  keepHandedOver,
  keepRehearsed,
  type LeasedImport,
  leaseImport,
  putOff,
  readRowsToHandOver,
} from '../../store/import-queue.ts'
import type { ItemInput } from '../batches/make-item.ts'
import { batchItemsMax, trackBatch } from '../batches/track-batch.ts'
import type { Actor, Context, Scope } from '../context.ts'
import { ServiceError } from '../errors.ts'
import { realNow, type Service } from '../service.ts'

/** Longer than a batch of a thousand takes. */
const leaseMs = 300_000
/** So few that any account's limit on rehearsals lets them through. */
const rehearsedAtOnce = 10
const retryMs = 5_000

/** The next step of one import; 0 when there is nothing to do. */
export async function workImports(service: Service): Promise<number> {
  const now = realNow(service)
  const leased = await inTransaction(service.pool, (db) =>
    leaseImport(db, { now, until: addMs(now, leaseMs) }),
  )
  if (leased === null) return 0
  const { accountId, id, nextPlace, isRehearsal } = leased
  const limit = isRehearsal ? rehearsedAtOnce : batchItemsMax
  const rows = await readRowsToHandOver(service.pool, { accountId, id, from: nextPlace, limit })
  const last = rows.at(-1)
  if (last === undefined) {
    await putOff(service.pool, { accountId, id, next: null, dueAt: now })
    return 1
  }
  try {
    await (isRehearsal ? rehearse : handOver)(service, leased, rows, last.place + 1)
    return rows.length
  } catch (error) {
    const waitMs =
      error instanceof ServiceError && error.code === 'rate_limited'
        ? (error.retryAfterSeconds ?? 1) * 1_000
        : retryMs
    if (!(error instanceof ServiceError)) service.metrics.jobFailed({ job: 'import', import: id, error })
    await putOff(service.pool, { accountId, id, next: nextPlace, dueAt: addMs(realNow(service), waitMs) })
    return 0
  }
}

type Rows = readonly { readonly place: number; readonly input: unknown }[]

async function handOver(service: Service, leased: LeasedImport, rows: Rows, next: number): Promise<void> {
  const { accountId, id, nextPlace, createdAt } = leased
  // In the order of the queue, which goes by the ids of batches.
  const batchId = namedUuidV7(
    new Date(createdAt).getTime() + Math.floor(nextPlace / batchItemsMax),
    `import:${id}:${nextPlace}`,
  )
  await trackBatch(service, contextOf(leased), { items: itemsOf(rows), isRehearsal: false, id: batchId })
  const places = rows.map(({ place }) => place)
  await keepHandedOver(service.pool, { accountId, id, batchId, places, next, dueAt: realNow(service) })
}

async function rehearse(service: Service, leased: LeasedImport, rows: Rows, next: number): Promise<void> {
  const { accountId, id } = leased
  const { items } = await trackBatch(service, contextOf(leased), { items: itemsOf(rows), isRehearsal: true })
  const found = rows.map(({ place }, nth) => ({ place, errors: items[nth]?.errors ?? null }))
  await keepRehearsed(service.pool, { accountId, id, found, next, dueAt: realNow(service) })
}

/** As `readRequestRows` wrote them. */
function itemsOf(rows: Rows) {
  return rows.map(({ input }) => ({ kind: 'read' as const, input: input as ItemInput }))
}

/** On whose behalf it was sent; the scopes of then. */
function contextOf(leased: LeasedImport): Context {
  return {
    account: { id: leased.accountId, companyName: leased.companyName, isFiction: leased.isFiction },
    actor: leased.actor as Actor,
    scopes: leased.scopes as readonly Scope[],
    requestId: leased.requestId,
  }
}
