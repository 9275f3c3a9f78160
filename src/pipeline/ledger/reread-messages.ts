/**
 * Repairs what a corrected reader reads differently from messages, as is done for answers. The stored messages of a
 * shipment are read again in the order in which they were used, and subscribers get the difference as corrections. If a
 * message withdraws something that its sender stated in answers, the next answer decides.
 */

import type { Db } from '../../db/database.ts'
import { channelsBoundTo } from '../../modules/channels/channel-accounts-sql.ts'
import type { ClaimsById } from '../projection/journey-state-sql.ts'
import { lockRequestsOfShipment } from '../projection/tracking-requests-sql.ts'
import type { SnapshotOpener } from '../response-archive/open-snapshots.ts'
import { applyStatements } from './apply-statements.ts'
import { type CommitInput, commitEntries, type LockedLedger } from './commit-entries.ts'
import type { Fold } from './fold.ts'
import { foldMessage } from './fold-message.ts'
import type { FoldedPoll } from './fold-poll.ts'
import { compareMessageReading, type IngestResult, issuesOf, recordIngestedClaims } from './ingest-answer-reading.ts'
import { type IngestedMessage, messagesOfShipment } from './ledger-sql.ts'
import { parseMessagePart } from './parse-message-part.ts'
import { isRereadAllowed } from './protect-secrets.ts'
import { diffClaims, isLastReader, type RereadCounts, sumRereads } from './reread-difference.ts'
import { createSnapshotLoader, type SnapshotLoader } from './snapshot-loader.ts'
import { findActiveClaims, getShipment } from './state-rows.ts'

interface RereadMessagesInput extends Pick<CommitInput, 'now' | 'metrics'> {
  readonly accountId: string
  readonly shipmentId: string
}

/**
 * Runs in the caller's transaction. Null when this reader was the last to read all of it. Throws the errors after which
 * `retryOnConflict` tries once more.
 */
export async function rereadMessages(
  db: Db,
  opener: SnapshotOpener,
  fold: Fold,
  { accountId, shipmentId, now, metrics }: RereadMessagesInput,
  alsoHeld: readonly string[] = [],
): Promise<RereadCounts | null> {
  const key = { accountId, shipmentId }
  await lockRequestsOfShipment(db, key)
  const storedMessages = await messagesOfShipment(db, key)
  const byTarget = [...Map.groupBy(storedMessages, ({ subjectId }) => subjectId).values()]
  const inOrder = byTarget.flat().map(({ snapshotId }) => snapshotId)
  const loader = createSnapshotLoader(db, opener, inOrder)
  const bound = await channelsBoundTo(db, accountId)
  const anew: RereadResult[] = []
  for (const messages of byTarget) {
    const read = await rereadTargetMessages(fold, loader, { ...key, bound }, messages)
    if (read !== null) anew.push(read)
  }
  if (anew.length === 0) return null
  const keys = {
    accountId,
    requestIds: alsoHeld,
    shipmentIds: [shipmentId],
    locksAllRequests: true,
    isProjected: true,
  }
  const taking = { keys, now, entriesMax: anew.length, metrics }
  const { result } = await commitEntries(db, fold, taking, (ledger) =>
    anew.map((each) => commitDifference(fold, ledger, shipmentId, each)),
  )
  return sumRereads(result)
}

interface RereadResult {
  /** The account receives everything that the channel states, also what only bound accounts may receive. */
  readonly isAllVisible: boolean
  readonly last: IngestedMessage
  readonly reader: string
  /** As if this reader had read each message when it was ingested. */
  readonly statedClaims: ClaimsById
  readonly issues: IngestResult['issues']
  readonly snapshots: number
}

/** Reads again what was ingested under one poll target. Null when this reader was the last to read it. */
async function rereadTargetMessages(
  fold: Fold,
  loader: SnapshotLoader,
  { bound, ...key }: { readonly accountId: string; readonly shipmentId: string; readonly bound: ReadonlySet<string> },
  messages: readonly IngestedMessage[],
): Promise<RereadResult | null> {
  let statedClaims: ClaimsById = new Map()
  let read: Omit<RereadResult, 'statedClaims' | 'issues' | 'snapshots'> | null = null
  let snapshots = 0
  const issues: IngestResult['issues'][number][] = []
  for (const message of messages) {
    if (message.isReread) continue
    const { subjectId, snapshotId, recordedAt, of } = message
    const access = await loader.getAccess(subjectId)
    const about = { speaker: of.source.kind, messageSubject: access }
    const partReading = parseMessagePart(fold, await loader.getSnapshot(snapshotId), about, access)
    const { reader } = partReading
    if (read === null && isLastReader(reader, messages)) return null
    const by = { ...key, ...of, subjectId, snapshotId, recordedAt }
    const isAllVisible = !access.isOfAll || bound.has(access.channelId)
    const observations = partReading.reading.observations.filter((observation) =>
      isRereadAllowed({ observation }, { isAllVisible }),
    )
    const readable = { ...partReading, reading: { ...partReading.reading, observations } }
    const change = compareMessageReading(findActiveClaims(statedClaims), readable, by)
    statedClaims = applyStatements(statedClaims, change, { at: recordedAt, snapshotId, reader })
    read = { last: message, reader, isAllVisible }
    issues.push(...issuesOf(partReading.reading, by))
    snapshots += 1
  }
  return read === null ? null : { ...read, statedClaims, issues, snapshots }
}

function commitDifference(fold: Fold, ledger: LockedLedger, shipmentId: string, anew: RereadResult): RereadCounts {
  const { last, reader, statedClaims, issues, snapshots, isAllVisible } = anew
  const { subjectId, snapshotId, trackingRequestId } = last
  const live = findActiveClaims(getShipment(ledger.state(), shipmentId).claims)
  const { add, retire } = diffClaims(
    live.filter((claim) => claim.subjectId === subjectId && isRereadAllowed(claim, { isAllVisible })),
    statedClaims,
  )
  if (add.length + retire.length > 0) {
    const readAt = ledger.momentOf({ trackingRequestId, shipmentId })
    const change = {
      add: add.map((claim) => ({ ...claim, readAt })),
      retire,
      seen: [],
      missing: [],
      left: [],
    }
    const ingested = { change, issues }
    const payload = {
      via: 'push' as const,
      ...last.of,
      outcome: null,
      isReread: true,
      ...(!fold.rules.publishesRepairs && { isQuiet: true }),
      ...recordIngestedClaims(ingested),
    }
    const about = { trackingRequestId, shipmentId, subjectId, snapshotId, reader }
    ledger.take<'heard', FoldedPoll>({ kind: 'heard', ...about, payload }, (before, entry) => ({
      folded: foldMessage(fold, before, { ...entry, payload }, { ingested, key: null }),
    }))
  }
  return { snapshots, added: add.length, retired: retire.length }
}
