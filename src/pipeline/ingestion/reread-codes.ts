/**
 * After a mapping has changed, the message parts with the code are read again: a few at a time, for each shipment that
 * ingested one of them. The difference is published as corrections, as after a corrected reader.
 */

import { inTransaction } from '../../db/database.ts'
import { wakeWorkers } from '../../db/wake-workers.ts'
import { addMs } from '../../domain/values/time.ts'
import { findAccount } from '../../modules/accounts/accounts-sql.ts'
import {
  type CodeReread,
  endReread,
  findPartsWithCode,
  findRecipients,
  leaseReread,
  lockPartsWithoutCodes,
  markUnmapped,
  type ReceivingShipment,
  saveRereadProgress,
} from '../../modules/code-mappings/stated-codes-sql.ts'
import { journeyNow, realNow, type Service } from '../../modules/service.ts'
import { leaseToken } from '../jobs/holder.ts'
import type { Fold } from '../ledger/fold.ts'
import { rereadMessages } from '../ledger/reread-messages.ts'
import { retryOnConflict } from '../ledger/retry-on-conflict.ts'
import { readCodes } from './read-codes.ts'

const partsPerBatch = 50
const leaseMs = 300_000
/** Whoever read a message part by the earlier mapping has ended by then. */
const secondPassMs = 60_000

/** Does the next piece. Returns 0 when nothing is due. */
export async function rereadCodes(service: Service, fold: Fold): Promise<number> {
  const now = realNow(service)
  const leasedReread = await leaseReread(service.pool, {
    token: leaseToken(service),
    now,
    until: addMs(now, leaseMs),
  })
  if (leasedReread === null) return 0
  const messageParts = await findPartsWithCode(service.pool, { ...leasedReread, limit: partsPerBatch })
  const last = messageParts.at(-1)
  if (last === undefined) await endPass(service, leasedReread)
  else {
    const ids = messageParts.map(({ mentionId }) => mentionId)
    const { channelId, passesLeft, id, token } = leasedReread
    await inTransaction(service.pool, async (db) => {
      const partsOfChannel = messageParts.map((messagePart) => ({ ...messagePart, channelId }))
      await markUnmapped(db, { ids, unmapped: await readCodes(db, service, fold, partsOfChannel) })
    })
    for (const hearer of await findRecipients(service.pool, ids)) await rereadFor(service, fold, hearer)
    const next = { id, token, afterMention: last.mentionId, passesLeft, dueAt: now }
    await saveRereadProgress(service.pool, next)
  }
  return 1
}

async function endPass(service: Service, { id, token, passesLeft }: CodeReread): Promise<void> {
  if (passesLeft <= 1) return endReread(service.pool, { id, token })
  const dueAt = addMs(realNow(service), secondPassMs)
  await saveRereadProgress(service.pool, { id, token, afterMention: null, passesLeft: passesLeft - 1, dueAt })
}

/** A shipment that cannot be read again is counted, and delays no other. */
async function rereadFor(service: Service, fold: Fold, { accountId, shipmentId }: ReceivingShipment): Promise<void> {
  const { pool, metrics } = service
  // An operator has decided this, so subscribers get it whatever the setting for corrected readers is.
  const publishingFold = { ...fold, rules: { ...fold.rules, publishesRepairs: true } }
  try {
    const account = await findAccount(pool, accountId)
    const isSandbox = account?.isSandbox ?? false
    const now = journeyNow(service, isSandbox)
    const of = { accountId, shipmentId, now, metrics }
    const done = await retryOnConflict((also) =>
      inTransaction(pool, (db) => rereadMessages(db, service, publishingFold, of, also)),
    )
    if (done !== null && done.added + done.retired > 0) wakeWorkers(pool, 'events')
  } catch (error) {
    metrics.jobFailed({ job: 'codes', account: accountId, of: shipmentId, error })
  }
}

const oldPartsPerBatch = 200

/** Notes the codes of message parts that came before codes were noted. Returns how many it read. */
export async function noteOldCodes(service: Service, fold: Fold): Promise<number> {
  return inTransaction(service.pool, async (db) => {
    const messageParts = await lockPartsWithoutCodes(db, oldPartsPerBatch)
    if (messageParts.length > 0) await readCodes(db, service, fold, messageParts)
    return messageParts.length
  })
}
