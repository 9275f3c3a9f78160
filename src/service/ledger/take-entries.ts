/**
 * The one way into the ledger. Everything that an entry may read is locked and read, entries are folded in memory one
 * after the other, and what became different is written: a fixed number of statements, however many entries there are.
 */

import { rulesVersion } from '../../core/shown/projection-rules.ts'
import { laterOf } from '../../core/values/time.ts'
import { span } from '../../platform/traces.ts'
import { afterCommit, type Db } from '../../store/database.ts'
import { handOnTrace } from '../../store/ground/trace-notices.ts'
import {
  KeysGrew,
  type LoadedState,
  loadStates,
  type Opening,
  type StateKeys,
} from '../../store/journey-state/load.ts'
import { saveStates } from '../../store/journey-state/save.ts'
import type { JourneyState } from '../../store/journey-state/state.ts'
import {
  appendEntries,
  type EntryKind,
  type EntryOf,
  type LedgerEntry,
  reservePositions,
  type WrittenKind,
} from '../../store/ledger/ledger.ts'
import { readStood } from '../../store/ledger/stood.ts'
import type { Service } from '../service.ts'
import { asAsked, isDetecting } from './asked-request.ts'
import type { Fold } from './fold.ts'
import { foldEntry } from './fold-entry.ts'
import type { Folded } from './folded.ts'
import { noteNewNumbers } from './known-numbers.ts'
import { newlyContradicted } from './newly-contradicted.ts'
import { findLive, floorOf, getRequest, getShipment, withShipment } from './state-rows.ts'
import { tellFolded } from './tell-folded.ts'

/** An entry before it has its place: its position and the moment at which it is recorded. */
export type Draft<Kind extends EntryKind = EntryKind> = Pick<EntryOf<Kind>, 'kind' | 'payload'> &
  Partial<Pick<EntryOf<Kind>, 'trackingRequestId' | 'shipmentId' | 'subjectId' | 'snapshotId' | 'reader'>> & {
    /** The shipment that the entry turns out to be about. None of its rows may be recorded later than the entry. */
    readonly joins?: string | null
  }

export interface Taken<Result extends Folded = Folded> {
  readonly entry: LedgerEntry
  readonly before: JourneyState
  readonly folded: Result
}

/** The ledger while its rows are locked: what stands, and how an entry is added. */
export interface HeldLedger {
  readonly state: () => JourneyState
  /** The earliest moment at which an entry about these may be recorded. */
  readonly momentOf: (of: About) => string
  /** Adds an entry. `how` folds it, or `foldEntry` when `how` is left out. */
  readonly take: <Kind extends WrittenKind, Result extends Folded = Folded>(
    draft: Draft<Kind>,
    how?: How<Kind, Result>,
  ) => Taken<Result>
}

/** `says`: what the fold adds to the payload of the entry. */
type How<Kind extends EntryKind, Result extends Folded> = (
  state: JourneyState,
  entry: EntryOf<Kind>,
) => { readonly folded: Result; readonly says?: Partial<EntryOf<Kind>['payload']> }

interface About {
  readonly trackingRequestId?: string | null
  readonly shipmentId?: string | null
  readonly joins?: string | null
}

export interface Taking {
  readonly keys: StateKeys
  readonly opening?: Opening
  /** ISO instant on the journey clock. */
  readonly now: string
  /** How many entries there will be at most. */
  readonly entriesMax: number
  /** Gets the counts after the commit. Null when nobody counts. */
  readonly metrics: Service['metrics'] | null
}

export interface TakenEntries<Result> {
  readonly result: Result
  readonly taken: readonly Taken[]
  readonly before: JourneyState
  readonly after: JourneyState
}

type Work<Result> = (ledger: HeldLedger) => Result | Promise<Result>

/** Runs in the caller's transaction. Throws `KeysGrew` when more requests must be locked than were asked for. */
export function takeEntries<Result>(
  db: Db,
  fold: Fold,
  taking: Taking,
  work: Work<Result>,
): Promise<TakenEntries<Result>> {
  const start = () => ({ attributes: { 'landfall.account_id': taking.keys.accountId } })
  return span('fold', start, async (told) => {
    const all = await takeWithin(db, fold, taking, work)
    told.set({ 'landfall.entries': all.taken.length })
    await handOnTrace(
      db,
      all.taken.flatMap(({ folded }) => folded.events.map(({ id }) => id)),
    )
    return all
  })
}

async function takeWithin<Result>(
  db: Db,
  fold: Fold,
  { keys, opening, now, entriesMax, metrics }: Taking,
  work: Work<Result>,
): Promise<TakenEntries<Result>> {
  const loaded = await loadWhole(db, keys, opening)
  holdRivals(loaded)
  const behind = [...loaded.state.shipments.values()].filter(({ row }) => row.rules !== rulesVersion)
  const ledger = await openLedger(db, fold, {
    state: loaded.state,
    now,
    entriesMax: entriesMax + behind.length,
  })
  for (const { row } of behind) await takeOver(db, fold, ledger, row.id)
  const result = await work(ledger)
  const { taken } = ledger
  await appendEntries(
    db,
    taken.map(({ entry }) => entry),
  )
  const after = ledger.state()
  const contradicted = metrics === null ? [] : await newlyContradicted(db, loaded.state, after)
  await saveStates(db, { before: loaded, after, yields: taken.map(({ folded }) => folded) })
  await noteNewNumbers(db, loaded.state, after, now)
  const told = { before: loaded.state, after, contradicted, ...toldOf(taken) }
  if (metrics !== null && taken.length > 0)
    afterCommit(db, () => tellFolded({ metrics }, { accountId: keys.accountId, ...told }))
  return { result, taken, before: loaded.state, after }
}

function toldOf(taken: readonly Taken[]) {
  const looks = taken.filter(({ entry }) => entry.kind === 'look' && entry.snapshotId !== null)
  return {
    events: taken.flatMap(({ folded }) => folded.events),
    absorbed: looks.flatMap(({ before, entry }) => scacOf(before, entry) ?? []),
  }
}

function scacOf(state: JourneyState, { trackingRequestId }: LedgerEntry): string | null {
  const request = trackingRequestId === null ? null : asAsked(getRequest(state, trackingRequestId))
  return request?.scac ?? null
}

/**
 * Loads what a projection needs also when a shipment was last folded by older rules: it is then projected again first,
 * whatever the entry is.
 */
async function loadWhole(db: Db, keys: StateKeys, opening: Opening | undefined): Promise<LoadedState> {
  const loaded = await loadStates(db, keys, opening)
  const isBehind = [...loaded.state.shipments.values()].some(({ row }) => row.rules !== rulesVersion)
  return isBehind && !keys.isProjected ? loadStates(db, { ...keys, isProjected: true }, opening) : loaded
}

/**
 * A request whose line is being detected may become the duplicate of another request, and a stopped request may resume
 * only when no other one is live. Both depend on that other request, so it must be locked as well.
 */
function holdRivals({ state, locked }: LoadedState): void {
  const rivals = [...locked].flatMap((id) => {
    const request = getRequest(state, id)
    const asked = isDetecting(request) || request.status === 'tracking_stopped' ? asAsked(request) : null
    const rival = asked === null ? null : findLive(state, asked)
    return rival === null || locked.has(rival.id) ? [] : [rival.id]
  })
  if (rivals.length > 0) throw new KeysGrew(rivals)
}

interface OpenLedger extends HeldLedger {
  readonly taken: readonly Taken[]
  readonly put: (state: JourneyState) => void
}

async function openLedger(
  db: Db,
  fold: Fold,
  of: { readonly state: JourneyState; readonly now: string; readonly entriesMax: number },
): Promise<OpenLedger> {
  const positions = (await reservePositions(db, of.entriesMax)).values()
  const taken: Taken[] = []
  let { state } = of
  const momentOf = (about: About): string => earliestMoment(state, about, of.now)
  return {
    taken,
    state: () => state,
    put: (to) => {
      state = to
    },
    momentOf,
    take: (draft, how) => {
      const { value: position } = positions.next()
      if (position === undefined) throw new Error('more entries than there are positions for')
      const before = state
      const entry = entryOf(draft, { accountId: state.accountId, position, recordedAt: momentOf(draft) })
      const { folded, says } = how?.(before, entry) ?? {
        folded: foldEntry(fold, before, asEntry(entry), null),
      }
      state = folded.state
      const said = { ...entry, payload: { ...entry.payload, ...says } }
      const made = { entry: asEntry(said), before, folded }
      taken.push(made)
      return made as Taken<never>
    },
  }
}

/** A clock that was set back must not turn the ledger's order around. */
function earliestMoment(state: JourneyState, about: About, now: string): string {
  const { trackingRequestId = null, shipmentId = null, joins = null } = about
  const request = trackingRequestId === null ? undefined : state.requests.get(trackingRequestId)
  const floors = [shipmentId, joins]
    .filter((id) => id !== null)
    .flatMap((id) => (state.shipments.has(id) ? [floorOf(state, id)] : []))
  return [...floors, ...(request === undefined ? [] : [request.updatedAt])].reduce(laterOf, now)
}

type Place = Pick<LedgerEntry, 'accountId' | 'position' | 'recordedAt'>

function entryOf<Kind extends EntryKind>(draft: Draft<Kind>, place: Place): EntryOf<Kind> {
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
 * Adds the entry by which the rules of this program take the shipment over. A shipment that a newer program has taken
 * over already is only marked as folded by older rules, so that the newer program takes it over once more.
 */
async function takeOver(db: Db, fold: Fold, ledger: OpenLedger, shipmentId: string): Promise<void> {
  const state = ledger.state()
  const shipment = getShipment(state, shipmentId)
  const from = shipment.row.rules
  const row = { ...shipment.row, rules: rulesVersion }
  ledger.put(withShipment(state, { ...shipment, row }))
  const stood = from > rulesVersion ? null : await readStood(db, { accountId: state.accountId, shipmentId })
  if (stood === null) return
  ledger.take({
    kind: 'reprojected',
    shipmentId,
    payload: {
      from,
      to: rulesVersion,
      stood: { ...stood, shipment: row },
      ...(!fold.rules.announcesMended && { isQuiet: true }),
    },
  })
}
