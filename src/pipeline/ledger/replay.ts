/**
 * Folds entries of the ledger once more, in their order, over a state of their own: for a rebuild, for a moment in the
 * past, for a history. The material of an entry is read again from what is stored.
 */

import type { Db } from '../../db/database.ts'
import { rulesVersion } from '../../domain/view/projection-rules.ts'
import { claimsOnRecord } from '../projection/claims-sql.ts'
import { issuesOnRecord } from '../projection/issues-sql.ts'
import type { EntryYield, JourneyState, ShipmentKey } from '../projection/journey-state-sql.ts'
import { shipmentOnRecord } from '../projection/shipment-rules-sql.ts'
import { findPublishedTransportEvents } from '../projection/transport-events-sql.ts'
import type { Fold } from './fold.ts'
import { type EntryMaterial, foldEntry } from './fold-entry.ts'
import { restorePreviousRows } from './fold-reprojected.ts'
import {
  type ClaimsAndIssues,
  ingestAnswerReading,
  ingestMessageReading,
  recallIngestion,
} from './ingest-answer-reading.ts'
import type { RecordedIngestion } from './ledger-payload-sql.ts'
import { type EntryOf, isMessageEntry, type LedgerEntry, type MessageEntry } from './ledger-sql.ts'
import { findShipment } from './open-shipment.ts'
import { parseMessagePart } from './parse-message-part.ts'
import { toPolledRequest } from './polled-request.ts'
import { readStoredSnapshot } from './read-stored-snapshot.ts'
import type { SnapshotLoader } from './snapshot-loader.ts'
import { emptyState, getRequest } from './state-rows.ts'

export interface Replay {
  readonly state: () => JourneyState
  /** All that was yielded since the last call, including what older rules had published. */
  readonly takeYields: () => readonly EntryYield[]
  /** Throws when the entry cannot be folded as it was. */
  readonly fold: (entry: LedgerEntry) => Promise<ReplayOutcome>
  /** Restores what older rules had made before this entry. `fold` does this too. */
  readonly putBack: (entry: EntryOf<'reprojected'>) => Promise<void>
}

export interface ReplayOutcome {
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
  of: { readonly accountId: string; readonly loader: SnapshotLoader },
): Replay {
  const { loader } = of
  let state = emptyState(of.accountId)
  let yields: EntryYield[] = []
  const putBack: Replay['putBack'] = async (entry) => {
    const { standing: activeIds, ended } = entry.payload.stood.transportEvents
    const ids = [...activeIds, ...ended]
    const published = await findPublishedTransportEvents(db, { accountId: of.accountId, ids })
    state = restorePreviousRows(state, entry, published)
    const { id } = entry.payload.stood.shipment
    yields = [...withoutPublished(yields, id), ...published.flatMap((row) => buildYieldsOfRow(row, activeIds))]
  }
  return {
    state: () => state,
    takeYields: () => {
      const drained = yields
      yields = []
      return drained
    },
    putBack,
    fold: async (entry) => {
      if (entry.kind === 'reprojected') await putBack(entry)
      const { isAsRecorded, ...material } =
        entry.kind === 'look'
          ? await loadPollMaterial(db, fold, { state, entry, loader })
          : isMessageEntry(entry)
            ? await loadMessageMaterial(db, fold, { state, entry, loader })
            : nothing
      const { at, events, published, ended, ...folded } = foldEntry(fold, state, entry, material)
      state = folded.state
      // Not the whole fold, which would hold every earlier state in memory.
      if (events.length + published.length + ended.length > 0) yields.push({ at, events, published, ended })
      return { isAsRecorded }
    },
  }
}

const nothing = {
  isAsRecorded: false,
  material: { kind: 'no_answer', outcome: { kind: 'unreachable' } },
} as const

function withoutPublished(yields: readonly EntryYield[], shipmentId: string): readonly EntryYield[] {
  const removed = yields.flatMap(({ published }) => published.filter((row) => row.shipmentId === shipmentId))
  const ids = new Set(removed.map(({ id }) => id))
  return yields.map((each) => ({
    ...each,
    published: each.published.filter(({ id }) => !ids.has(id)),
    ended: each.ended.filter((id) => !ids.has(id)),
  }))
}

type PublishedRow = Awaited<ReturnType<typeof findPublishedTransportEvents>>[number]

/** Yields that the row was published and, when it is not active any more, that it ended. */
function buildYieldsOfRow(
  { createdAt, invalidatedAt, ...row }: PublishedRow,
  activeIds: readonly string[],
): readonly EntryYield[] {
  const made = { at: createdAt, events: [], published: [row], ended: [] }
  if (invalidatedAt === null || activeIds.includes(row.id)) return [made]
  return [made, { at: invalidatedAt, events: [], published: [], ended: [row.id] }]
}

/**
 * Reads the snapshot again where this program has the reader that read it; else uses the reading that the ledger
 * recorded.
 */
async function loadPollMaterial(
  db: Db,
  fold: Fold,
  {
    state,
    entry,
    loader,
  }: { readonly state: JourneyState; readonly entry: EntryOf<'look'>; readonly loader: SnapshotLoader },
): Promise<EntryMaterial & ReplayOutcome> {
  const { accountId, subjectId, snapshotId, recordedAt, trackingRequestId } = entry
  const { outcome: kind, isReread = false, heard: recorded } = entry.payload
  const outcome = kind === null ? null : { kind }
  const request = trackingRequestId === null ? null : toPolledRequest(getRequest(state, trackingRequestId))
  if (request === null) throw new Error('it is a poll of a request that polls no carrier')
  const key = request.shipmentId === null ? await keyOnRecord(db, entry, request.scac) : null
  if (snapshotId === null || subjectId === null) {
    if (outcome === null) throw new Error('it has neither a reading nor a reason why nothing was read')
    return { material: { kind: 'no_answer', outcome }, key, isAsRecorded: false }
  }
  const { scac } = request
  const access = await loader.getAccess(subjectId)
  const question = { scac, kind: access.kind, number: access.number }
  const again = readStoredSnapshot(fold, await loader.getSnapshot(snapshotId), question, access)
  if (again.reader === entry.reader && !isReread) {
    const ingested = ingestAnswerReading(state, again.reading, {
      accountId,
      subjectId,
      scac,
      snapshotId,
      recordedAt,
    })
    return { material: { kind: 'reading', ingested, outcome: again.outcome }, key, isAsRecorded: false }
  }
  const onRecord = await readClaimsAndIssues(db, accountId, recorded)
  const ingested = recallIngestion(state, entry, { subjectId, shipmentId: null }, onRecord)
  return { material: { kind: 'reading', ingested, outcome }, key, isAsRecorded: true }
}

async function readClaimsAndIssues(
  db: Db,
  accountId: string,
  recorded: RecordedIngestion | undefined,
): Promise<ClaimsAndIssues> {
  const added = recorded?.add?.flatMap((group) => group.ids) ?? []
  const ids = [...added, ...(recorded?.told?.overtaken ?? [])]
  const claims = await claimsOnRecord(db, { accountId, ids })
  const issues = await issuesOnRecord(db, { accountId, ids: recorded?.issues ?? [] })
  return { claims: new Map(claims.map((claim) => [claim.id, claim])), issues }
}

/** The same for messages of partners. */
async function loadMessageMaterial(
  db: Db,
  fold: Fold,
  {
    state,
    entry,
    loader,
  }: { readonly state: JourneyState; readonly entry: MessageEntry; readonly loader: SnapshotLoader },
): Promise<EntryMaterial & ReplayOutcome> {
  const { accountId, subjectId, snapshotId, recordedAt, trackingRequestId, payload } = entry
  const request = trackingRequestId === null ? null : toPolledRequest(getRequest(state, trackingRequestId))
  if (request === null || snapshotId === null || subjectId === null)
    throw new Error('it names no request, no snapshot or no poll target')
  const key = payload.opened === undefined ? null : { ...payload.opened, scac: request.scac }
  const shipmentId = request.shipmentId ?? (key === null ? null : (findShipment(state, key)?.row.id ?? key.id))
  if (shipmentId === null) throw new Error('it names no shipment')
  const { source, hand, standsAt, deliveryKey } = payload
  const access = await loader.getAccess(subjectId)
  const again = parseMessagePart(
    fold,
    await loader.getSnapshot(snapshotId),
    { speaker: source.kind, messageSubject: access },
    access,
  )
  const outcome = null
  const isAsRead = payload.isSealed !== true && payload.isReread !== true
  if (again.reader === entry.reader && isAsRead) {
    const by = { source, hand, standsAt, deliveryKey }
    const about = { accountId, subjectId, shipmentId, snapshotId, recordedAt, ...by }
    const ingested = ingestMessageReading(state, again, about)
    return { material: { kind: 'reading', ingested, outcome }, key, isAsRecorded: false }
  }
  const onRecord = await readClaimsAndIssues(db, accountId, payload.heard)
  const ingested = recallIngestion(state, entry, { subjectId, shipmentId }, onRecord)
  return { material: { kind: 'reading', ingested, outcome }, key, isAsRecorded: true }
}

/**
 * The shipment that the entry names. For an older entry that names none, the shipment on record, because the present
 * rules might find another bill than the earlier rules.
 */
async function keyOnRecord(db: Db, entry: EntryOf<'look'>, scac: string): Promise<ShipmentKey | null> {
  const { accountId, trackingRequestId, payload, rules } = entry
  if (payload.opened !== undefined) return { ...payload.opened, scac }
  if (rules === rulesVersion || trackingRequestId === null) return null
  const known = await shipmentOnRecord(db, { accountId, trackingRequestId })
  return known === null ? null : { ...known, scac }
}
