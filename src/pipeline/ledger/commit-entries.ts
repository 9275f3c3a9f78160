/**
 * The only way to write to the ledger. Everything that an entry may read is locked and read, entries are folded in
 * memory one after the other, and the changes are written: a fixed number of statements, however many entries there
 * are.
 */

import { afterCommit, type Db } from '../../db/database.ts'
import { sendTrace } from '../../db/trace-notices.ts'
import { laterOf } from '../../domain/values/time.ts'
import { rulesVersion } from '../../domain/view/projection-rules.ts'
import type { Service } from '../../modules/service.ts'
import { withSpan } from '../../platform/traces.ts'
import type { JourneyState } from '../projection/journey-state-sql.ts'
import {
  type LoadedState,
  loadStates,
  MoreLocksNeeded,
  type ShipmentKeyResolver,
  type StateKeys,
} from '../projection/load-states-sql.ts'
import { saveStates } from '../projection/save-states-sql.ts'
import type { Fold } from './fold.ts'
import { foldEntry } from './fold-entry.ts'
import type { FoldResult } from './fold-result.ts'
import { noteNewNumbers } from './known-numbers.ts'
import {
  appendEntries,
  type EntryKind,
  type EntryOf,
  type LedgerEntry,
  reservePositions,
  type WrittenKind,
} from './ledger-sql.ts'
import { findContradictedSources } from './newly-contradicted.ts'
import { isDetecting, toPolledRequest } from './polled-request.ts'
import { readPreviousState } from './previous-state-sql.ts'
import { reportFoldedEntries } from './report-folded-entries.ts'
import { findLastWrittenAt, findLiveInState, getRequest, getShipment, withShipment } from './state-rows.ts'

/** An entry before its position and the moment at which it is recorded are known. */
export type EntryDraft<Kind extends EntryKind = EntryKind> = Pick<EntryOf<Kind>, 'kind' | 'payload'> &
  Partial<Pick<EntryOf<Kind>, 'trackingRequestId' | 'shipmentId' | 'subjectId' | 'snapshotId' | 'reader'>> & {
    /** The shipment that the entry turns out to be about. None of its rows may be recorded later than the entry. */
    readonly joins?: string | null
  }

export interface CommittedEntry<Result extends FoldResult = FoldResult> {
  readonly entry: LedgerEntry
  readonly before: JourneyState
  readonly folded: Result
}

/** The ledger while its rows are locked: the present state, and how an entry is added. */
export interface LockedLedger {
  readonly state: () => JourneyState
  /** The earliest moment at which an entry about these may be recorded. */
  readonly momentOf: (of: EntrySubject) => string
  /** Adds an entry. `how` folds it, or `foldEntry` when `how` is left out. */
  readonly take: <Kind extends WrittenKind, Result extends FoldResult = FoldResult>(
    draft: EntryDraft<Kind>,
    how?: FoldDraft<Kind, Result>,
  ) => CommittedEntry<Result>
}

/** `additions`: what the fold adds to the payload of the entry. */
type FoldDraft<Kind extends EntryKind, Result extends FoldResult> = (
  state: JourneyState,
  entry: EntryOf<Kind>,
) => { readonly folded: Result; readonly additions?: Partial<EntryOf<Kind>['payload']> }

interface EntrySubject {
  readonly trackingRequestId?: string | null
  readonly shipmentId?: string | null
  readonly joins?: string | null
}

export interface CommitInput {
  readonly keys: StateKeys
  readonly opening?: ShipmentKeyResolver
  /** ISO instant on the journey clock. */
  readonly now: string
  /** How many entries there will be at most. */
  readonly entriesMax: number
  /** Gets the counts after the commit. Null when nobody counts. */
  readonly metrics: Service['metrics'] | null
}

export interface CommittedEntries<Result> {
  readonly result: Result
  readonly committed: readonly CommittedEntry[]
  readonly before: JourneyState
  readonly after: JourneyState
}

type LedgerWork<Result> = (ledger: LockedLedger) => Result | Promise<Result>

/** Runs in the caller's transaction. Throws `MoreLocksNeeded` when more requests must be locked than the keys named. */
export function commitEntries<Result>(
  db: Db,
  fold: Fold,
  taking: CommitInput,
  work: LedgerWork<Result>,
): Promise<CommittedEntries<Result>> {
  const start = () => ({ attributes: { 'landfall.account_id': taking.keys.accountId } })
  return withSpan('fold', start, async (liveSpan) => {
    const all = await commitInSpan(db, fold, taking, work)
    liveSpan.set({ 'landfall.entries': all.committed.length })
    await sendTrace(
      db,
      all.committed.flatMap(({ folded }) => folded.events.map(({ id }) => id)),
    )
    return all
  })
}

async function commitInSpan<Result>(
  db: Db,
  fold: Fold,
  { keys, opening, now, entriesMax, metrics }: CommitInput,
  work: LedgerWork<Result>,
): Promise<CommittedEntries<Result>> {
  const loaded = await loadWhole(db, keys, opening)
  requireDuplicatesLocked(loaded)
  const behind = [...loaded.state.shipments.values()].filter(({ row }) => row.rules !== rulesVersion)
  const ledger = await openLedger(db, fold, {
    state: loaded.state,
    now,
    entriesMax: entriesMax + behind.length,
  })
  for (const { row } of behind) await reprojectShipment(db, fold, ledger, row.id)
  const result = await work(ledger)
  const { committed } = ledger
  await appendEntries(
    db,
    committed.map(({ entry }) => entry),
  )
  const after = ledger.state()
  const contradicted = metrics === null ? [] : await findContradictedSources(db, loaded.state, after)
  await saveStates(db, { before: loaded, after, yields: committed.map(({ folded }) => folded) })
  await noteNewNumbers(db, loaded.state, after, now)
  const outcome = { before: loaded.state, after, contradicted, ...summarizeCommitted(committed) }
  if (metrics !== null && committed.length > 0)
    afterCommit(db, () => reportFoldedEntries({ metrics }, { accountId: keys.accountId, ...outcome }))
  return { result, committed, before: loaded.state, after }
}

function summarizeCommitted(committed: readonly CommittedEntry[]) {
  const polls = committed.filter(({ entry }) => entry.kind === 'look' && entry.snapshotId !== null)
  return {
    events: committed.flatMap(({ folded }) => folded.events),
    absorbed: polls.flatMap(({ before, entry }) => scacOf(before, entry) ?? []),
  }
}

function scacOf(state: JourneyState, { trackingRequestId }: LedgerEntry): string | null {
  const request = trackingRequestId === null ? null : toPolledRequest(getRequest(state, trackingRequestId))
  return request?.scac ?? null
}

/**
 * Loads what a projection needs also when a shipment was last folded by older rules: it is then projected again first,
 * whatever the entry is.
 */
async function loadWhole(db: Db, keys: StateKeys, opening: ShipmentKeyResolver | undefined): Promise<LoadedState> {
  const loaded = await loadStates(db, keys, opening)
  const isBehind = [...loaded.state.shipments.values()].some(({ row }) => row.rules !== rulesVersion)
  return isBehind && !keys.isProjected ? loadStates(db, { ...keys, isProjected: true }, opening) : loaded
}

/**
 * A request whose line is being detected may become the duplicate of another request, and a stopped request may resume
 * only when no other one is live. Both depend on that other request, so it must be locked as well.
 */
function requireDuplicatesLocked({ state, locked }: LoadedState): void {
  const duplicates = [...locked].flatMap((id) => {
    const request = getRequest(state, id)
    const polledRequest =
      isDetecting(request) || request.status === 'tracking_stopped' ? toPolledRequest(request) : null
    const duplicate = polledRequest === null ? null : findLiveInState(state, polledRequest)
    return duplicate === null || locked.has(duplicate.id) ? [] : [duplicate.id]
  })
  if (duplicates.length > 0) throw new MoreLocksNeeded(duplicates)
}

interface OpenLedger extends LockedLedger {
  readonly committed: readonly CommittedEntry[]
  readonly put: (state: JourneyState) => void
}

async function openLedger(
  db: Db,
  fold: Fold,
  of: { readonly state: JourneyState; readonly now: string; readonly entriesMax: number },
): Promise<OpenLedger> {
  const positions = (await reservePositions(db, of.entriesMax)).values()
  const committed: CommittedEntry[] = []
  let { state } = of
  const momentOf = (about: EntrySubject): string => earliestMoment(state, about, of.now)
  return {
    committed,
    state: () => state,
    put: (to) => {
      state = to
    },
    momentOf,
    take: (draft, how) => {
      const { value: position } = positions.next()
      if (position === undefined) throw new Error('there are more entries than reserved positions')
      const before = state
      const entry = buildLedgerEntry(draft, { accountId: state.accountId, position, recordedAt: momentOf(draft) })
      const { folded, additions } = how?.(before, entry) ?? {
        folded: foldEntry(fold, before, asEntry(entry), null),
      }
      state = folded.state
      const completed = { ...entry, payload: { ...entry.payload, ...additions } }
      const made = { entry: asEntry(completed), before, folded }
      committed.push(made)
      return made as CommittedEntry<never>
    },
  }
}

/** A clock that was set back must not change the order of the ledger. */
function earliestMoment(state: JourneyState, about: EntrySubject, now: string): string {
  const { trackingRequestId = null, shipmentId = null, joins = null } = about
  const request = trackingRequestId === null ? undefined : state.requests.get(trackingRequestId)
  const floors = [shipmentId, joins]
    .filter((id) => id !== null)
    .flatMap((id) => (state.shipments.has(id) ? [findLastWrittenAt(state, id)] : []))
  return [...floors, ...(request === undefined ? [] : [request.updatedAt])].reduce(laterOf, now)
}

type LedgerPosition = Pick<LedgerEntry, 'accountId' | 'position' | 'recordedAt'>

function buildLedgerEntry<Kind extends EntryKind>(draft: EntryDraft<Kind>, place: LedgerPosition): EntryOf<Kind> {
  const { kind, payload, trackingRequestId = null, shipmentId = null, subjectId = null } = draft
  const { snapshotId = null, reader = null } = draft
  const about = { trackingRequestId, shipmentId, subjectId, snapshotId, reader }
  return { kind, payload, ...about, ...place, rules: rulesVersion }
}

/** An entry of one kind is a ledger entry, which the compiler cannot see while the kind is only a type parameter. */
function asEntry<Kind extends EntryKind>(entry: EntryOf<Kind>): LedgerEntry {
  return entry as LedgerEntry
}

/**
 * Adds the entry by which the rules of this program take over the shipment. A shipment that a newer program has taken
 * over already is only marked as folded by older rules, so that the newer program takes it over once more.
 */
async function reprojectShipment(db: Db, fold: Fold, ledger: OpenLedger, shipmentId: string): Promise<void> {
  const state = ledger.state()
  const shipment = getShipment(state, shipmentId)
  const from = shipment.row.rules
  const row = { ...shipment.row, rules: rulesVersion }
  ledger.put(withShipment(state, { ...shipment, row }))
  const previous = from > rulesVersion ? null : await readPreviousState(db, { accountId: state.accountId, shipmentId })
  if (previous === null) return
  ledger.take({
    kind: 'reprojected',
    shipmentId,
    payload: {
      from,
      to: rulesVersion,
      stood: { ...previous, shipment: row },
      ...(!fold.rules.publishesRepairs && { isQuiet: true }),
    },
  })
}
