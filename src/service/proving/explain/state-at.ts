/**
 * What was known at a moment, folded anew from the ledger: by the same functions that fold it live, in memory, and then
 * put into tables of a session's own, which the same verbs read. Nothing of it is stored.
 */

import { setImmediate } from 'node:timers/promises'
import { bringBeside } from '../../../store/beside-fold.ts'
import type { Past } from '../../../store/beside-fold-then.ts'
import { openAlone } from '../../../store/database.ts'
import { saveStates } from '../../../store/journey-state/save.ts'
import type { JourneyState, Yield } from '../../../store/journey-state/state.ts'
import type { LedgerEntry } from '../../../store/ledger.ts'
import {
  analyzeStateAt,
  dropContainers,
  enterStateAt,
  entriesOfShipment,
  leaveStateAt,
} from '../../../store/state-at.ts'
import { type Context, requireScope } from '../../context.ts'
import { ServiceError } from '../../errors.ts'
import { foldBy } from '../../ledger/fold.ts'
import { keptSnapshots } from '../../ledger/kept-snapshots.ts'
import { openReplay, type Replay } from '../../ledger/replay.ts'
import { readRules } from '../../ledger/rules.ts'
import { emptyState } from '../../ledger/state-rows.ts'
import type { Service } from '../../service.ts'
import { inTurn } from './in-turn.ts'

export interface Moment {
  readonly shipmentId: string
  /** ISO instant on the journey clock. */
  readonly asOf: string
}

/** A year of four looks a day that all bring news is 1,500. */
export const entriesMax = 5_000

/**
 * Calls `work` with a service whose reads see the shipment as it was. What the ledger does not yield is as the table in
 * `store/beside-fold.ts` says.
 */
export async function withStateAt<T>(
  service: Service,
  context: Context,
  moment: Moment,
  work: (then: Service) => Promise<T>,
): Promise<T> {
  return inPast(service, context, moment, async (then, past) => {
    const replay = replayOf(then, past)
    for (const entry of past.entries) {
      await replay.fold(entry)
      // Most entries wait for nothing: the present has its turn after each.
      await setImmediate()
    }
    const before = { state: emptyState(past.accountId), locked: new Set<string>() }
    await saveStates(then.pool, { before, after: replay.state(), yields: replay.takeYields() })
    await bringBeside(then.pool, 'after', past)
    return work(then)
  })
}

/**
 * After each entry. Of one by which newer merge rules took the shipment over it is called before as well (`isStood`),
 * with what stood then: older rules had made that, and nobody can make it again.
 */
export type AfterEntry = (then: Service, entry: LedgerEntry, isStood: boolean) => Promise<void>

/** Calls `afterEntry` with the shipment, its boxes, requests and events as each entry left them; with nothing else. */
export async function withEachState(
  service: Service,
  context: Context,
  moment: Moment,
  afterEntry: AfterEntry,
): Promise<void> {
  await inPast(service, context, moment, async (then, past) => {
    const replay = replayOf(then, past)
    const write = writeShown(then, past.accountId)
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

/** Writes what became different since the last time. */
function writeShown({ pool }: Service, accountId: string): (replay: Replay) => Promise<void> {
  let written = emptyState(accountId)
  return async (replay) => {
    const after = shownOf(replay.state())
    const state = await withoutGone(pool, written, after)
    const yields = replay
      .takeYields()
      .map(({ at, events }): Yield => ({ at, events, announced: [], ended: [] }))
    await saveStates(pool, { before: { state, locked: new Set(state.requests.keys()) }, after, yields })
    written = after
  }
}

const nothingSaid = new Map<string, never>()

/** Without what the attributes of a shipment and its boxes do not show. */
function shownOf(state: JourneyState): JourneyState {
  const shipments = [...state.shipments].map(([id, { row, containers }]) => {
    return [id, { row, containers, standing: [], claims: nothingSaid }] as const
  })
  return { ...state, shipments: new Map(shipments), subjects: nothingSaid, issues: nothingSaid }
}

/** Boxes that older rules had told of and that do not stand any more are no longer there. */
async function withoutGone(
  pool: Service['pool'],
  before: JourneyState,
  after: JourneyState,
): Promise<JourneyState> {
  const standing = new Set(
    [...after.shipments.values()].flatMap(({ containers }) => containers.map(({ id }) => id)),
  )
  const boxes = [...before.shipments.values()].flatMap(({ containers }) => containers.map(({ id }) => id))
  const ids = boxes.filter((id) => !standing.has(id))
  if (ids.length === 0) return before
  await dropContainers(pool, { accountId: before.accountId, ids })
  const shipments = [...before.shipments].map(([id, shipment]) => {
    const containers = shipment.containers.filter((box) => standing.has(box.id))
    return [id, { ...shipment, containers }] as const
  })
  return { ...before, shipments: new Map(shipments) }
}

/** In a session with tables of its own, in which nothing is folded yet. */
async function inPast<T>(
  service: Service,
  context: Context,
  moment: Moment,
  work: (then: Service, past: Past) => Promise<T>,
): Promise<T> {
  requireScope(context, 'read')
  return inTurn(service, context, async () => {
    const pool = openAlone(service.pool, { statementMs: service.config.data.requestStatementMs })
    try {
      await enterStateAt(pool)
      const then: Service = { ...service, pool }
      const past = await readPast(then, context, moment)
      await bringBeside(pool, 'before', past)
      const found = await work(then, past)
      await leaveStateAt(pool)
      return found
    } finally {
      // The session ends with its tables, whatever went wrong in it.
      await pool.end()
    }
  })
}

async function readPast({ pool }: Service, context: Context, { shipmentId, asOf }: Moment): Promise<Past> {
  const key = { accountId: context.account.id, shipmentId }
  const all = await entriesOfShipment(pool, { ...key, until: 'infinity', limit: entriesMax + 1 })
  const entries = all.filter(({ recordedAt }) => recordedAt <= asOf)
  if (entries.length > entriesMax) {
    throw new ServiceError('unavailable', `More than ${entriesMax} entries would have to be folded for this.`)
  }
  return { ...key, until: asOf, entries, later: all.filter(({ recordedAt }) => recordedAt > asOf) }
}

function replayOf({ pool, vault, config }: Service, { accountId, entries }: Past): Replay {
  const snapshotIds = entries.flatMap(({ snapshotId }) => snapshotId ?? [])
  const kept = keptSnapshots(pool, vault, snapshotIds)
  return openReplay(pool, foldBy(readRules(config)), { accountId, kept })
}
