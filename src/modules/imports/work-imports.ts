/**
 * Passes the rows of imports on: requests to batches, a thousand at a time, and statements to their channel. Rows of
 * dry runs are only checked. The id of a batch and the key of a delivery are computed from the import and the place of
 * its first row. So interrupted work continues under the same id: no row is passed on twice, and none is skipped.
 */

import { inTransaction } from '../../db/database.ts'
import { addMs } from '../../domain/values/time.ts'
import { findNewParts } from '../../pipeline/ingestion/inbound-messages-sql.ts'
import { ingestDelivery } from '../../pipeline/ingestion/ingest-delivery.ts'
import { leaseToken } from '../../pipeline/jobs/holder.ts'
import { namedUuidV7 } from '../../platform/ids.ts'
import type { Actor, Context, Scope } from '../access/context.ts'
import { getChannel } from '../channels/channels.ts'
import { ServiceError } from '../errors.ts'
import { realNow, type Service } from '../service.ts'
import type { BatchItemInput } from '../tracking-requests/make-item.ts'
import { batchItemsMax, trackBatch } from '../tracking-requests/track-batch.ts'
import {
  type LeasedImport,
  leaseImport,
  postponeImport,
  readRowsToHandOver,
  recordDryRun,
  recordHandOver,
  recordIngestedRows,
} from './import-queue-sql.ts'
import type { StatementRow } from './statement-rows.ts'

/** Longer than a batch of a thousand takes. */
const leaseMs = 300_000
/** Few enough for any account's limit on rehearsals. */
const dryRunRowsPerStep = 10
/** Few enough rows that a delivery of them does not have too many message parts. */
const statementsPerDelivery = 500
const retryMs = 5_000

/** Does the next step of one import. Returns 0 when there is nothing to do, or when the step failed. */
export async function workImports(service: Service): Promise<number> {
  const now = realNow(service)
  const leased = await inTransaction(service.pool, (db) =>
    leaseImport(db, { token: leaseToken(service), now, until: addMs(now, leaseMs) }),
  )
  if (leased === null) return 0
  const { accountId, id, token, nextPlace, isDryRun, channel } = leased
  const limit = channel !== null ? statementsPerDelivery : isDryRun ? dryRunRowsPerStep : batchItemsMax
  const rows = await readRowsToHandOver(service.pool, { accountId, id, from: nextPlace, limit })
  const last = rows.at(-1)
  if (last === undefined) {
    await postponeImport(service.pool, { accountId, id, token, next: null, dueAt: now })
    return 1
  }
  try {
    const step = channel !== null ? deliverStatements : isDryRun ? dryRunRows : handOver
    await step(service, leased, rows, last.place + 1)
    return rows.length
  } catch (error) {
    const waitMs =
      error instanceof ServiceError && error.code === 'rate_limited' ? (error.retryAfterSeconds ?? 1) * 1_000 : retryMs
    if (!(error instanceof ServiceError)) service.metrics.jobFailed({ job: 'import', import: id, error })
    await postponeImport(service.pool, {
      accountId,
      id,
      token,
      next: nextPlace,
      dueAt: addMs(realNow(service), waitMs),
    })
    return 0
  }
}

type Rows = readonly { readonly place: number; readonly input: unknown }[]

async function handOver(service: Service, leased: LeasedImport, rows: Rows, next: number): Promise<void> {
  const { accountId, id, token, nextPlace, createdAt } = leased
  // The queue is in the order of the ids of batches, so a batch of later rows gets a later id.
  const batchId = namedUuidV7(
    new Date(createdAt).getTime() + Math.floor(nextPlace / batchItemsMax),
    `import:${id}:${nextPlace}`,
  )
  await trackBatch(service, contextOf(leased), { items: itemsOf(rows), isDryRun: false, id: batchId })
  const places = rows.map(({ place }) => place)
  await recordHandOver(service.pool, { accountId, id, token, batchId, places, next, dueAt: realNow(service) })
}

async function dryRunRows(service: Service, leased: LeasedImport, rows: Rows, next: number): Promise<void> {
  const { accountId, id, token } = leased
  const { items } = await trackBatch(service, contextOf(leased), { items: itemsOf(rows), isDryRun: true })
  const found = rows.map(({ place }, nth) => ({ place, errors: items[nth]?.errors ?? null }))
  await recordDryRun(service.pool, { accountId, id, token, found, next, dueAt: realNow(service) })
}

/** Sends the rows through the channel as one delivery, which is treated like any other. */
async function deliverStatements(service: Service, leased: LeasedImport, rows: Rows, next: number): Promise<void> {
  const { accountId, id, token, nextPlace } = leased
  const channel = await getChannel(service, leased.channel ?? '')
  const lines = rows.flatMap(({ place, input }) => statementsOf(input).map((statement) => ({ place, said: statement })))
  const { messageId, items } = await ingestDelivery(service, channel, {
    body: Buffer.from(lines.map(({ said: statement }) => `${JSON.stringify(statement)}\n`).join('')),
    contentType: 'application/x-ndjson',
    idempotencyKey: `import:${id}:${nextPlace}`,
  })
  // Each line was checked before, so each is a message part. A delivery that was interrupted and then continues reports
  // only its remaining parts.
  if (items.length > lines.length) throw new Error('a table has more parts than lines')
  const fresh = await findNewParts(service.pool, { accountId, messageId })
  const isNew = new Set(lines.flatMap(({ place }, nth) => (fresh.has(nth + 1) ? [place] : [])))
  const rowOutcomes = rows.map(({ place }) => {
    const outcome = isNew.has(place) ? ('taken' as const) : ('repeated' as const)
    return { place, outcome }
  })
  await recordIngestedRows(service.pool, {
    accountId,
    id,
    token,
    messageId,
    ingested: rowOutcomes,
    next,
    dueAt: realNow(service),
  })
}

/** As `readRowsOfStatements` wrote them. */
function statementsOf(input: unknown): readonly unknown[] {
  return (input as NonNullable<StatementRow['input']>).statements
}

/** As `readRequestRows` wrote them. */
function itemsOf(rows: Rows) {
  return rows.map(({ input }) => ({ kind: 'read' as const, input: input as BatchItemInput }))
}

/** The caller that sent the import, with the scopes it had then. */
function contextOf(leased: LeasedImport): Context {
  return {
    account: { id: leased.accountId, companyName: leased.companyName, isSandbox: leased.isSandbox },
    actor: leased.actor as Actor,
    scopes: leased.scopes as readonly Scope[],
    requestId: leased.requestId,
  }
}
