/**
 * What was known at a moment, folded anew from the ledger: by the same functions that fold it live, in memory, and then
 * put into tables of a session's own, which the same verbs read. Nothing of it is stored.
 */

import { setImmediate } from 'node:timers/promises'
import { markContainer, markShipment } from '../../store/audit.ts'
import { openAlone } from '../../store/database.ts'
import { holdTables } from '../../store/held-tables.ts'
import type { EntryOf, LedgerEntry } from '../../store/ledger.ts'
import {
  analyzeStateAt,
  enterStateAt,
  entriesOfShipment,
  findChange,
  frontOwnEta,
  frontSubjects,
  leaveStateAt,
} from '../../store/state-at.ts'
import { type Context, requireScope } from '../context.ts'
import { ServiceError } from '../errors.ts'
import { foldBy } from '../ledger/fold.ts'
import { readRules } from '../ledger/rules.ts'
import type { Service } from '../service.ts'
import { applyEntry, putBackStood } from '../tracking/apply-entry.ts'
import { inTurn } from './in-turn.ts'

export interface Moment {
  readonly shipmentId: string
  /** ISO instant on the journey clock. */
  readonly asOf: string
}

/** A year of four looks a day that all bring news is 1,500; these take some 2 ms each (bench/explain.ts). */
export const entriesMax = 5_000

/**
 * After each entry, when somebody asks to hear of it. Of one by which newer merge rules took the shipment over it is
 * called before as well (`isStood`), with what stood then: older rules had made that, and nobody can make it again.
 */
export type AfterEntry = (then: Service, entry: LedgerEntry, isStood: boolean) => Promise<void>

/**
 * Calls `work` with a service whose reads see the shipment as it was. What the ledger does not yield is as it is now:
 * names of parties, custom fields, reference data.
 */
export async function withStateAt<T>(
  service: Service,
  context: Context,
  moment: Moment,
  work: (then: Service) => Promise<T>,
  afterEntry?: AfterEntry,
): Promise<T> {
  requireScope(context, 'read')
  return inTurn(service, context, async () => {
    const pool = openAlone(service.pool, { statementMs: service.config.data.requestStatementMs })
    try {
      await enterStateAt(pool)
      const then: Service = { ...service, pool }
      await foldUntil(then, context, moment, afterEntry)
      const found = await work(then)
      await leaveStateAt(pool)
      return found
    } finally {
      // The session ends with its tables, whatever went wrong in it.
      await pool.end()
    }
  })
}

async function foldUntil(
  then: Service,
  context: Context,
  moment: Moment,
  afterEntry: AfterEntry | undefined,
): Promise<void> {
  const { pool } = then
  const { shipmentId, asOf } = moment
  const key = { accountId: context.account.id, shipmentId }
  const all = await entriesOfShipment(pool, { ...key, until: 'infinity', limit: entriesMax + 1 })
  const entries = all.filter(({ recordedAt }) => recordedAt <= asOf)
  if (entries.length > entriesMax) {
    throw new ServiceError('unavailable', `More than ${entriesMax} entries would have to be folded for this.`)
  }
  const subjectIds = new Set(entries.flatMap(({ subjectId }) => subjectId ?? []))
  await frontSubjects(pool, { ids: [...subjectIds], until: asOf })
  const fold = foldBy(readRules(then.config))
  const snapshotIds = entries.flatMap(({ snapshotId }) => snapshotId ?? [])
  const { tables, write, writeShown } = holdTables(pool, { accountId: key.accountId, snapshotIds })
  let analyzeAt = 25
  for (const [done, entry] of entries.entries()) {
    if (afterEntry !== undefined && entry.kind === 'reprojected') {
      await putBackStood(tables, entry)
      await writeShown()
      await afterEntry(then, entry, true)
    }
    await applyEntry(tables, fold, entry)
    // Most entries wait for nothing: the present has its turn after each.
    await setImmediate()
    if (afterEntry === undefined) continue
    await writeShown()
    await afterEntry(then, entry, false)
    if (done !== analyzeAt) continue
    await analyzeStateAt(pool)
    analyzeAt *= 4
  }
  await write()
  await frontOwnEta(pool, { ...key, until: asOf })
  await markChanges(then, key, { all, entries })
}

/** Who last changed what stands beside the fold; the ledger says how often it was changed since. */
async function markChanges(
  { pool }: Service,
  { accountId, shipmentId }: { readonly accountId: string; readonly shipmentId: string },
  told: { readonly all: readonly LedgerEntry[]; readonly entries: readonly LedgerEntry[] },
): Promise<void> {
  const changed = (entries: readonly LedgerEntry[]) => Map.groupBy(entries.filter(isChange), targetOf)
  const [before, ever] = [changed(told.entries), changed(told.all)]
  for (const [id, entries] of before) {
    const later = (ever.get(id)?.length ?? 0) - entries.length
    const by = await findChange(pool, { accountId, targetId: id, later })
    if (by === null) continue
    const mark = id === shipmentId ? markShipment : markContainer
    await mark(pool, { accountId, id, by })
  }
}

function isChange(entry: LedgerEntry): entry is EntryOf<'user_action'> {
  return entry.kind === 'user_action' && entry.payload.action !== 'update_request'
}

function targetOf({ shipmentId, payload }: EntryOf<'user_action'>): string {
  return payload.action === 'update_container' ? payload.containerId : (shipmentId ?? '')
}
