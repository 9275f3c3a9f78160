/**
 * What was known at a moment, folded again from the ledger. The functions are those of the live fold. They work in
 * memory, and the result is put into temporary tables of one session, which the same verbs read. Nothing of it is
 * stored.
 */

import { setImmediate } from 'node:timers/promises'
import { openSingleConnection } from '../../db/database.ts'
import { restoreNonLedgerData } from '../../pipeline/ledger/beside-fold-sql.ts'
import { foldBy } from '../../pipeline/ledger/fold.ts'
import type { LedgerEntry } from '../../pipeline/ledger/ledger-sql.ts'
import { openReplay, type Replay } from '../../pipeline/ledger/replay.ts'
import type { PastMoment } from '../../pipeline/ledger/restore-past-sql.ts'
import { readRules } from '../../pipeline/ledger/rules.ts'
import { createSnapshotLoader } from '../../pipeline/ledger/snapshot-loader.ts'
import {
  analyzeStateAt,
  closePastTables,
  copyJoinedTables,
  deletePastContainers,
  entriesOfShipment,
  openPastTables,
} from '../../pipeline/ledger/state-at-sql.ts'
import { emptyState } from '../../pipeline/ledger/state-rows.ts'
import type { EntryYield, JourneyState } from '../../pipeline/projection/journey-state-sql.ts'
import { saveStates } from '../../pipeline/projection/save-states-sql.ts'
import { refuseWhenUnavailable } from '../../pipeline/response-archive/file-store.ts'
import { type Context, requireScope } from '../access/context.ts'
import { ServiceError } from '../errors.ts'
import type { Service } from '../service.ts'
import { withFairShare } from './fair-share.ts'

export interface ShipmentMoment {
  readonly shipmentId: string
  /** ISO instant on the journey clock. */
  readonly asOf: string
}

/** A year with four polls a day that all find news makes 1,500 entries. */
export const entriesMax = 5_000

/**
 * Calls `work` with a service whose reads see the shipment as it was. For data that the ledger does not yield, the
 * table in `pipeline/ledger/beside-fold-sql.ts` lists what is read.
 */
export async function withStateAt<T>(
  service: Service,
  context: Context,
  moment: ShipmentMoment,
  work: (then: Service) => Promise<T>,
): Promise<T> {
  return runInPastSession(service, context, moment, async (then, past) => {
    const replay = openReplayOfPast(then, past)
    for (const entry of past.entries) {
      await replay.fold(entry)
      // Most entries wait for no I/O, so other work of this process runs after each.
      await setImmediate()
    }
    const before = { state: emptyState(past.accountId), locked: new Set<string>() }
    await saveStates(then.pool, { before, after: replay.state(), yields: replay.takeYields() })
    await restoreNonLedgerData(then.pool, 'after', past)
    return work(then).catch((error: unknown) => {
      const isMissing = error instanceof ServiceError && error.code === 'not_found'
      const [next] = past.later
      if (!isMissing || next === undefined) throw error
      const begins = past.entries.length === 0 ? ` Its record begins at ${next.recordedAt}.` : ''
      throw new ServiceError('not_found', `It was not tracked yet at ${moment.asOf}.${begins}`)
    })
  })
}

/**
 * Called after each entry. At an entry with which newer merge rules re-projected the shipment, it is also called before
 * the fold (`isBeforeFold`), with the state at that time: older rules had made it, and the present code cannot make it
 * again.
 */
export type AfterEntry = (then: Service, entry: LedgerEntry, isBeforeFold: boolean) => Promise<void>

/**
 * Calls `afterEntry` with the shipment, its containers, requests and events as each entry left them. Other data is not
 * there.
 */
export async function withEachState(
  service: Service,
  context: Context,
  moment: ShipmentMoment,
  afterEntry: AfterEntry,
): Promise<void> {
  await runInPastSession(service, context, moment, async (then, past) => {
    const replay = openReplayOfPast(then, past)
    const write = createStateWriter(then, past.accountId)
    let analyzeAt = 25
    for (const [done, entry] of past.entries.entries()) {
      if (entry.kind === 'reprojected') {
        await replay.putBack(entry)
        await write(replay)
        await afterEntry(then, entry, true)
      }
      await replay.fold(entry)
      await write(replay)
      await afterEntry(then, entry, false)
      if (done !== analyzeAt) continue
      await analyzeStateAt(then.pool)
      analyzeAt *= 4
    }
  })
}

/** Writes what has changed since the last call. */
function createStateWriter({ pool }: Service, accountId: string): (replay: Replay) => Promise<void> {
  let written = emptyState(accountId)
  return async (replay) => {
    const after = toDisplayedState(replay.state())
    const state = await withoutRemoved(pool, written, after)
    const yields = replay.takeYields().map(({ at, events }): EntryYield => ({ at, events, published: [], ended: [] }))
    await saveStates(pool, { before: { state, locked: new Set(state.requests.keys()) }, after, yields })
    written = after
  }
}

const noClaims = new Map<string, never>()

/** Removes what the attributes of a shipment and its containers do not show. */
function toDisplayedState(state: JourneyState): JourneyState {
  const shipments = [...state.shipments].map(([id, { row, containers }]) => {
    return [id, { row, containers, activeEvents: [], claims: noClaims }] as const
  })
  return { ...state, shipments: new Map(shipments), claimsByTarget: noClaims, issues: noClaims }
}

/** Removes containers that older rules had announced and that do not exist any more. */
async function withoutRemoved(pool: Service['pool'], before: JourneyState, after: JourneyState): Promise<JourneyState> {
  const remainingIds = new Set(
    [...after.shipments.values()].flatMap(({ containers }) => containers.map(({ id }) => id)),
  )
  const previousIds = [...before.shipments.values()].flatMap(({ containers }) => containers.map(({ id }) => id))
  const ids = previousIds.filter((id) => !remainingIds.has(id))
  if (ids.length === 0) return before
  await deletePastContainers(pool, { accountId: before.accountId, ids })
  const shipments = [...before.shipments].map(([id, shipment]) => {
    const containers = shipment.containers.filter((container) => remainingIds.has(container.id))
    return [id, { ...shipment, containers }] as const
  })
  return { ...before, shipments: new Map(shipments) }
}

/** Runs `work` in a session with temporary tables, in which nothing is folded yet. */
async function runInPastSession<T>(
  service: Service,
  context: Context,
  moment: ShipmentMoment,
  work: (then: Service, past: PastMoment) => Promise<T>,
): Promise<T> {
  requireScope(context, 'read')
  return withFairShare(service, context, async () => {
    const pool = openSingleConnection(service.pool, { statementMs: service.config.data.requestStatementMs })
    try {
      await openPastTables(pool)
      await copyJoinedTables(pool, { accountId: context.account.id, shipmentId: moment.shipmentId })
      const now = (): number => Date.parse(moment.asOf)
      const journeyClock: Service['journeyClock'] = (isSandbox) => ({ ...service.journeyClock(isSandbox), now })
      const then: Service = { ...service, pool, journeyClock }
      const past = await readEntriesUntil(then, context, moment)
      await restoreNonLedgerData(pool, 'before', past)
      const found = await refuseWhenUnavailable(service, () => work(then, past))
      await closePastTables(pool)
      return found
    } finally {
      // The temporary tables end with the session, also after an error.
      await pool.end()
    }
  })
}

async function readEntriesUntil(
  { pool }: Service,
  context: Context,
  { shipmentId, asOf }: ShipmentMoment,
): Promise<PastMoment> {
  const key = { accountId: context.account.id, shipmentId }
  const all = await entriesOfShipment(pool, { ...key, until: 'infinity', limit: entriesMax + 1 })
  const entries = all.filter(({ recordedAt }) => recordedAt <= asOf)
  if (entries.length > entriesMax) {
    throw new ServiceError(
      'unavailable',
      `This state needs more than ${entriesMax} ledger entries, too many to compute it.`,
    )
  }
  return { ...key, until: asOf, entries, later: all.filter(({ recordedAt }) => recordedAt > asOf) }
}

function openReplayOfPast(service: Service, { accountId, entries }: PastMoment): Replay {
  const { pool, config } = service
  const snapshotIds = entries.flatMap(({ snapshotId }) => snapshotId ?? [])
  const snapshots = createSnapshotLoader(pool, service, snapshotIds)
  return openReplay(pool, foldBy(readRules(config)), { accountId, loader: snapshots })
}
