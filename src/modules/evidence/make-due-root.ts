/**
 * Once a day hashes what the ledger of an account ingested, signs the root, and sends it to the account: the holder of
 * the root can find out later whether what was on record then was changed since.
 */

import { type Db, inTransaction } from '../../db/database.ts'
import { wakeWorkers } from '../../db/wake-workers.ts'
import { insertEvents } from '../../pipeline/projection/domain-events-sql.ts'
import { canonicalJson } from '../../platform/evidence/canonical-json.ts'
import type { RootHead } from '../../platform/evidence/evidence-pack.ts'
import { leafHash, openTree } from '../../platform/evidence/merkle-tree.ts'
import { dropZeroMilliseconds } from '../../platform/evidence/whole-times.ts'
import { uuidV7 } from '../../platform/ids.ts'
import { realNow, type Service } from '../service.ts'
import { openSigner } from './evidence-keys.ts'
import {
  addRootMarks,
  findLastRoot,
  insertRoot,
  lockDueMark,
  type RootMark,
  type RootRow,
  readAddedStatements,
  readLastLedgerPosition,
  updateMark,
} from './ledger-roots-sql.ts'
import { readLeaves } from './statement-leaves.ts'

/** Longer than any transaction that writes to the ledger, so that all positions below are there or never will be. */
const commitMarginMs = 10 * 60_000
const hourMs = 3_600_000
/** More statements are for the next root, which is made at once. */
const leavesMax = 100_000

/** One account whose time has come. Returns 0 when there is nothing to do. */
export async function makeDueRoot(service: Service): Promise<number> {
  const { rootHours } = service.config.evidence
  if (rootHours === 0) return 0
  return inTransaction(service.pool, async (db) => {
    const mark = await lockDueMark(db, realNow(service))
    // New accounts are searched for when there is nothing else to do, and not once for each account.
    if (mark === null) return addRootMarks(db, realNow(service))
    const { next, dueMs } = await advanceMark(service, db, mark)
    await updateMark(db, next, new Date(dueMs).toISOString())
    return 1
  })
}

async function advanceMark(
  service: Service,
  db: Db,
  mark: RootMark,
): Promise<{ readonly next: RootMark; readonly dueMs: number }> {
  const nowMs = service.clock.now()
  const now = new Date(nowMs).toISOString()
  if (mark.seenPosition <= mark.coveredPosition) {
    const seenPosition = await readLastLedgerPosition(db, mark.accountId)
    const isNew = seenPosition > mark.coveredPosition
    return { next: { ...mark, seenPosition, seenAt: now }, dueMs: nowMs + (isNew ? commitMarginMs : hourMs) }
  }
  const completeAtMs = Date.parse(mark.seenAt ?? now) + commitMarginMs
  const nextAtMs = mark.madeAt === null ? 0 : Date.parse(mark.madeAt) + service.config.evidence.rootHours * hourMs
  const dueMs = Math.max(completeAtMs, nextAtMs)
  if (dueMs > nowMs) return { next: mark, dueMs }
  const coveredPosition = await insertNextRoot(service, db, mark)
  const isWhole = coveredPosition === mark.seenPosition
  return { next: { ...mark, coveredPosition, madeAt: isWhole ? now : mark.madeAt }, dueMs: nowMs }
}

/** Returns up to which position the roots go now. Entries that added no statement make no root. */
async function insertNextRoot(
  service: Service,
  db: Db,
  { accountId, coveredPosition: after, seenPosition }: RootMark,
): Promise<number> {
  const found = await readAddedStatements(db, { accountId, after, until: seenPosition, limit: leavesMax + 1 })
  const isCut = found.length > leavesMax
  // The last entry of a cut list may be incomplete: it is for the next root, unless it is all there is.
  const last = isCut ? (found.at(-1)?.position ?? 0) : seenPosition
  const whole = isCut ? found.filter(({ position }) => position < last) : found
  const rows = whole.length > 0 ? whole : found
  const covered = isCut && whole.length > 0 ? last - 1 : seenPosition
  const byId = new Map(rows.map((row) => [row.id, row]))
  if (byId.size === 0) return covered
  const leaves = await readLeaves(service, [...byId.values()])
  const hashes = leaves.map((leaf) => leafHash(canonicalJson(leaf)))
  const times = [...byId.values()].map(({ recordedAt }) => recordedAt).toSorted()
  const before = await findLastRoot(db, accountId)
  const id = uuidV7(service.clock.now())
  const head: RootHead = {
    account_id: accountId,
    sequence: (before?.sequence ?? 0) + 1,
    first_position: after + 1,
    last_position: covered,
    from: dropZeroMilliseconds(times[0] ?? ''),
    to: dropZeroMilliseconds(times.at(-1) ?? ''),
    leaf_count: leaves.length,
    root: openTree(hashes).root.toString('hex'),
    previous_root: before?.root ?? null,
  }
  const { kid, value } = (await openSigner(service))(head)
  const leafEntries = leaves.map(({ claim_id: claim }, at) =>
    Buffer.concat([Buffer.from(claim.replaceAll('-', ''), 'hex'), hashes[at] ?? Buffer.alloc(0)]),
  )
  const root = { ...rowOf(head, id), kid, signature: value, madeAt: realNow(service) }
  await insertRoot(db, root, Buffer.concat(leafEntries))
  await emitRootMade(service, db, root)
  return covered
}

function rowOf(head: RootHead, id: string): Omit<RootRow, 'kid' | 'signature' | 'madeAt'> {
  return {
    accountId: head.account_id,
    id,
    sequence: head.sequence,
    firstPosition: head.first_position,
    lastPosition: head.last_position,
    fromAt: head.from,
    toAt: head.to,
    leafCount: head.leaf_count,
    root: head.root,
    previousRoot: head.previous_root,
  }
}

async function emitRootMade(service: Service, db: Db, { accountId, id }: RootRow): Promise<void> {
  const event = {
    id: uuidV7(service.clock.now()),
    name: 'ledger.root_made' as const,
    referenceId: id,
    trackingRequestId: null,
    shipmentId: null,
    containerId: null,
    payload: {},
  }
  await insertEvents(db, { accountId, events: [event], at: realNow(service) })
  wakeWorkers(db, 'events')
}
