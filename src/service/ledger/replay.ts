/**
 * Folds entries of the ledger once more, in their order, over a state of their own: for a rebuild, for a moment in the
 * past, for a history. What an entry was folded with is read again from what is kept.
 */

import { rulesVersion } from '../../core/shown/projection-rules.ts'
import type { Db } from '../../store/database.ts'
import type { JourneyState, ShipmentKey, Yield } from '../../store/journey-state/state.ts'
import { claimsOnRecord } from '../../store/journeys/claims.ts'
import { issuesOnRecord } from '../../store/journeys/issues.ts'
import { shipmentOnRecord } from '../../store/journeys/shipment-rules.ts'
import { announcedTransportEvents } from '../../store/journeys/transport-events.ts'
import { type EntryOf, isOfMessage, type LedgerEntry, type MessageEntry } from '../../store/ledger/ledger.ts'
import type { RecordedHearing } from '../../store/ledger/ledger-payload.ts'
import { asAsked } from './asked-request.ts'
import type { Fold } from './fold.ts'
import { foldEntry, type Material } from './fold-entry.ts'
import { putBackStood } from './fold-reprojected.ts'
import { hear, hearTold, type OnRecord, recallHeard } from './hear.ts'
import type { KeptSnapshots } from './kept-snapshots.ts'
import { findShipment } from './open-shipment.ts'
import { readKeptSnapshot } from './read-kept-snapshot.ts'
import { readTold } from './read-told.ts'
import { emptyState, getRequest } from './state-rows.ts'

export interface Replay {
  readonly state: () => JourneyState
  /** All that was yielded since the last call, including what older rules had announced. */
  readonly takeYields: () => readonly Yield[]
  /** Throws when the entry cannot be folded as it was. */
  readonly fold: (entry: LedgerEntry) => Promise<Replayed>
  /** Restores what older rules had made before this entry. `fold` does this too. */
  readonly putBack: (entry: EntryOf<'reprojected'>) => Promise<void>
}

export interface Replayed {
  /**
   * The snapshot was not read again, because another reader had read it. The result of that reader was taken from the
   * ledger.
   */
  readonly isAsRecorded: boolean
}

/** Not for live work: its state does not contain what anyone else folds for the same account meanwhile. */
export function openReplay(
  db: Db,
  fold: Fold,
  of: { readonly accountId: string; readonly kept: KeptSnapshots },
): Replay {
  const { kept } = of
  let state = emptyState(of.accountId)
  let yields: Yield[] = []
  const putBack: Replay['putBack'] = async (entry) => {
    const { standing, ended } = entry.payload.stood.transportEvents
    const ids = [...standing, ...ended]
    const announced = await announcedTransportEvents(db, { accountId: of.accountId, ids })
    state = putBackStood(state, entry, announced)
    const { id } = entry.payload.stood.shipment
    yields = [...withoutAnnounced(yields, id), ...announced.flatMap((row) => yieldsOf(row, standing))]
  }
  return {
    state: () => state,
    takeYields: () => {
      const taken = yields
      yields = []
      return taken
    },
    putBack,
    fold: async (entry) => {
      if (entry.kind === 'reprojected') await putBack(entry)
      const { isAsRecorded, ...material } =
        entry.kind === 'look'
          ? await materialOf(db, fold, { state, entry, kept })
          : isOfMessage(entry)
            ? await toldMaterialOf(db, fold, { state, entry, kept })
            : nothing
      const { at, events, announced, ended, ...folded } = foldEntry(fold, state, entry, material)
      state = folded.state
      // Not the whole fold, which would keep every earlier state in memory.
      if (events.length + announced.length + ended.length > 0) yields.push({ at, events, announced, ended })
      return { isAsRecorded }
    },
  }
}

const nothing = {
  isAsRecorded: false,
  material: { kind: 'no_answer', outcome: { kind: 'unreachable' } },
} as const

function withoutAnnounced(yields: readonly Yield[], shipmentId: string): readonly Yield[] {
  const gone = yields.flatMap(({ announced }) => announced.filter((row) => row.shipmentId === shipmentId))
  const ids = new Set(gone.map(({ id }) => id))
  return yields.map((each) => ({
    ...each,
    announced: each.announced.filter(({ id }) => !ids.has(id)),
    ended: each.ended.filter((id) => !ids.has(id)),
  }))
}

type Announced = Awaited<ReturnType<typeof announcedTransportEvents>>[number]

/** Yields that the row was announced and, when it does not stand any more, that it ended. */
function yieldsOf(
  { createdAt, invalidatedAt, ...row }: Announced,
  standing: readonly string[],
): readonly Yield[] {
  const made = { at: createdAt, events: [], announced: [row], ended: [] }
  if (invalidatedAt === null || standing.includes(row.id)) return [made]
  return [made, { at: invalidatedAt, events: [], announced: [], ended: [row.id] }]
}

/** Reads the snapshot again where this program has the reader that read it; else takes what the ledger says was read. */
async function materialOf(
  db: Db,
  fold: Fold,
  {
    state,
    entry,
    kept,
  }: { readonly state: JourneyState; readonly entry: EntryOf<'look'>; readonly kept: KeptSnapshots },
): Promise<Material & Replayed> {
  const { accountId, subjectId, snapshotId, recordedAt, trackingRequestId } = entry
  const { outcome: kind, isReread = false, heard: recorded } = entry.payload
  const outcome = kind === null ? null : { kind }
  const request = trackingRequestId === null ? null : asAsked(getRequest(state, trackingRequestId))
  if (request === null) throw new Error('it is a look of a request that asks nobody')
  const key = request.shipmentId === null ? await keyOnRecord(db, entry, request.scac) : null
  if (snapshotId === null || subjectId === null) {
    if (outcome === null) throw new Error('it says neither what was read nor why nothing was')
    return { material: { kind: 'no_answer', outcome }, key, isAsRecorded: false }
  }
  const { scac } = request
  const access = await kept.getAccess(subjectId)
  const question = { scac, kind: access.kind, number: access.number }
  const again = readKeptSnapshot(fold, await kept.getSnapshot(snapshotId), question, access)
  if (again.reader === entry.reader && !isReread) {
    const heard = hear(state, again.reading, { accountId, subjectId, scac, snapshotId, recordedAt })
    return { material: { kind: 'reading', heard, outcome: again.outcome }, key, isAsRecorded: false }
  }
  const onRecord = await readOnRecord(db, accountId, recorded)
  const heard = recallHeard(state, entry, { subjectId, shipmentId: null }, onRecord)
  return { material: { kind: 'reading', heard, outcome }, key, isAsRecorded: true }
}

async function readOnRecord(
  db: Db,
  accountId: string,
  recorded: RecordedHearing | undefined,
): Promise<OnRecord> {
  const added = recorded?.add?.flatMap((group) => group.ids) ?? []
  const ids = [...added, ...(recorded?.told?.overtaken ?? [])]
  const claims = await claimsOnRecord(db, { accountId, ids })
  const issues = await issuesOnRecord(db, { accountId, ids: recorded?.issues ?? [] })
  return { claims: new Map(claims.map((claim) => [claim.id, claim])), issues }
}

/** The same for messages of partners. */
async function toldMaterialOf(
  db: Db,
  fold: Fold,
  {
    state,
    entry,
    kept,
  }: { readonly state: JourneyState; readonly entry: MessageEntry; readonly kept: KeptSnapshots },
): Promise<Material & Replayed> {
  const { accountId, subjectId, snapshotId, recordedAt, trackingRequestId, payload } = entry
  const request = trackingRequestId === null ? null : asAsked(getRequest(state, trackingRequestId))
  if (request === null || snapshotId === null || subjectId === null)
    throw new Error('it names no request or nothing that was heard')
  const key = payload.opened === undefined ? null : { ...payload.opened, scac: request.scac }
  const shipmentId =
    request.shipmentId ?? (key === null ? null : (findShipment(state, key)?.row.id ?? key.id))
  if (shipmentId === null) throw new Error('it names no shipment')
  const { source, hand, standsAt, deliveryKey } = payload
  const access = await kept.getAccess(subjectId)
  const again = readTold(
    fold,
    await kept.getSnapshot(snapshotId),
    { speaker: source.kind, subject: access },
    access,
  )
  const outcome = null
  const isAsRead = payload.isSealed !== true && payload.isReread !== true
  if (again.reader === entry.reader && isAsRead) {
    const by = { source, hand, standsAt, deliveryKey }
    const about = { accountId, subjectId, shipmentId, snapshotId, recordedAt, ...by }
    const heard = hearTold(state, again, about)
    return { material: { kind: 'reading', heard, outcome }, key, isAsRecorded: false }
  }
  const onRecord = await readOnRecord(db, accountId, payload.heard)
  const heard = recallHeard(state, entry, { subjectId, shipmentId }, onRecord)
  return { material: { kind: 'reading', heard, outcome }, key, isAsRecorded: true }
}

/**
 * The shipment that the entry names. For an older entry that names none, the shipment on record, because the present
 * rules might find another bill than the rules of then.
 */
async function keyOnRecord(db: Db, entry: EntryOf<'look'>, scac: string): Promise<ShipmentKey | null> {
  const { accountId, trackingRequestId, payload, rules } = entry
  if (payload.opened !== undefined) return { ...payload.opened, scac }
  if (rules === rulesVersion || trackingRequestId === null) return null
  const known = await shipmentOnRecord(db, { accountId, trackingRequestId })
  return known === null ? null : { ...known, scac }
}
