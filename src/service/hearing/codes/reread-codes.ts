/**
 * After a mapping has changed, what was said with the code is read again: a few parts at a time, for each shipment that
 * heard one of them. The difference is announced as corrections, as after a mended reader.
 */

import { addMs } from '../../../core/values/time.ts'
import { inTransaction } from '../../../store/database.ts'
import { wakeAfterwards } from '../../../store/ground/wake.ts'
import {
  type CodeReread,
  endReread,
  type Hearer,
  hearersOf,
  leaseReread,
  lockUnnoted,
  markUnmapped,
  noteReread,
  partsWithCode,
} from '../../../store/inbound/said-codes.ts'
import { findAccount } from '../../../store/people/accounts.ts'
import { leaseToken } from '../../ground/holder.ts'
import type { Fold } from '../../ledger/fold.ts'
import { rereadMessages } from '../../ledger/reread-messages.ts'
import { takeAgain } from '../../ledger/take-again.ts'
import { journeyNow, realNow, type Service } from '../../service.ts'
import { readCodes } from '../intake/read-codes.ts'

const partsAtOnce = 50
const leaseMs = 300_000
/** Whoever read a part by the mapping of before has ended by then. */
const secondPassMs = 60_000

/** Does the next piece. Returns 0 when nothing is due. */
export async function rereadCodes(service: Service, fold: Fold): Promise<number> {
  const now = realNow(service)
  const taken = await leaseReread(service.pool, {
    token: leaseToken(service),
    now,
    until: addMs(now, leaseMs),
  })
  if (taken === null) return 0
  const parts = await partsWithCode(service.pool, { ...taken, limit: partsAtOnce })
  const last = parts.at(-1)
  if (last === undefined) await endPass(service, taken)
  else {
    const ids = parts.map(({ mentionId }) => mentionId)
    const { channelId, passesLeft, id, token } = taken
    await inTransaction(service.pool, async (db) => {
      const spoken = parts.map((part) => ({ ...part, channelId }))
      await markUnmapped(db, { ids, unmapped: await readCodes(db, service, fold, spoken) })
    })
    for (const hearer of await hearersOf(service.pool, ids)) await rereadFor(service, fold, hearer)
    const next = { id, token, afterMention: last.mentionId, passesLeft, dueAt: now }
    await noteReread(service.pool, next)
  }
  return 1
}

async function endPass(service: Service, { id, token, passesLeft }: CodeReread): Promise<void> {
  if (passesLeft <= 1) return endReread(service.pool, { id, token })
  const dueAt = addMs(realNow(service), secondPassMs)
  await noteReread(service.pool, { id, token, afterMention: null, passesLeft: passesLeft - 1, dueAt })
}

/** A shipment that cannot be read again is counted, and holds up no other. */
async function rereadFor(service: Service, fold: Fold, { accountId, shipmentId }: Hearer): Promise<void> {
  const { pool, metrics } = service
  // Somebody has decided this, so subscribers hear of it whatever the setting for mended readers says.
  const told = { ...fold, rules: { ...fold.rules, announcesMended: true } }
  try {
    const account = await findAccount(pool, accountId)
    const isFiction = account?.isFiction ?? false
    const now = journeyNow(service, isFiction)
    const of = { accountId, shipmentId, now, metrics }
    const done = await takeAgain((also) =>
      inTransaction(pool, (db) => rereadMessages(db, service, told, of, also)),
    )
    if (done !== null && done.added + done.retired > 0) await wakeAfterwards(pool, 'events')
  } catch (error) {
    metrics.jobFailed({ job: 'codes', account: accountId, of: shipmentId, error })
  }
}

const oldPartsAtOnce = 200

/** Notes the codes of parts that came before codes were noted. Returns how many parts it read. */
export async function noteOldCodes(service: Service, fold: Fold): Promise<number> {
  return inTransaction(service.pool, async (db) => {
    const parts = await lockUnnoted(db, oldPartsAtOnce)
    if (parts.length > 0) await readCodes(db, service, fold, parts)
    return parts.length
  })
}
