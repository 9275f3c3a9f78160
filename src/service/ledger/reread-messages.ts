/**
 * Repairs what a corrected reader reads differently from messages, as is done for answers. The stored messages of a
 * shipment are read again in the order in which they were used, and subscribers get the difference as corrections. If a
 * message takes something back that its sender said in answers, the next answer decides.
 */

import { channelsBoundTo } from '../../store/channels/channel-accounts.ts'
import type { Db } from '../../store/database.ts'
import type { SaidClaims } from '../../store/journey-state/state.ts'
import { lockRequestsOfShipment } from '../../store/journeys/tracking-requests.ts'
import { type MessageRead, messagesOfShipment } from '../../store/ledger/ledger.ts'
import type { SnapshotOpener } from '../ground/open-snapshots.ts'
import type { Fold } from './fold.ts'
import type { LookFolded } from './fold-look.ts'
import { foldMessage } from './fold-message.ts'
import { changeByMessage, type Heard, issuesOf, recordHeard } from './hear.ts'
import { type KeptSnapshots, keptSnapshots } from './kept-snapshots.ts'
import { differenceOf, isReadBy, type Reread, sumOf } from './read-anew.ts'
import { readTold } from './read-told.ts'
import { isReadAgain } from './secrets.ts'
import { getShipment, standingClaims } from './state-rows.ts'
import { type HeldLedger, type Taking, takeEntries } from './take-entries.ts'
import { takeIn } from './take-in.ts'

interface About extends Pick<Taking, 'now' | 'metrics'> {
  readonly accountId: string
  readonly shipmentId: string
}

/**
 * Runs in the caller's transaction. Null when this reader was the last to read all of it. Throws the errors after which
 * `takeAgain` tries once more.
 */
export async function rereadMessages(
  db: Db,
  opener: SnapshotOpener,
  fold: Fold,
  { accountId, shipmentId, now, metrics }: About,
  alsoHeld: readonly string[] = [],
): Promise<Reread | null> {
  const key = { accountId, shipmentId }
  await lockRequestsOfShipment(db, key)
  const heard = await messagesOfShipment(db, key)
  const bySubject = [...Map.groupBy(heard, ({ subjectId }) => subjectId).values()]
  const inTurn = bySubject.flat().map(({ snapshotId }) => snapshotId)
  const kept = keptSnapshots(db, opener, inTurn)
  const bound = await channelsBoundTo(db, accountId)
  const anew: ReadAnew[] = []
  for (const messages of bySubject) {
    const read = await readAnew(fold, kept, { ...key, bound }, messages)
    if (read !== null) anew.push(read)
  }
  if (anew.length === 0) return null
  const keys = {
    accountId,
    requestIds: alsoHeld,
    shipmentIds: [shipmentId],
    locksAsking: true,
    isProjected: true,
  }
  const taking = { keys, now, entriesMax: anew.length, metrics }
  const { result } = await takeEntries(db, fold, taking, (ledger) =>
    anew.map((each) => takeDifference(fold, ledger, shipmentId, each)),
  )
  return sumOf(result)
}

interface ReadAnew {
  /** The account hears everything that the channel says, also what only bound accounts may hear. */
  readonly isAllTold: boolean
  readonly last: MessageRead
  readonly reader: string
  /** As if this reader had read each message when it was heard. */
  readonly said: SaidClaims
  readonly issues: Heard['issues']
  readonly snapshots: number
}

/** Reads again what was heard under one subject. Null when this reader was the last to read it. */
async function readAnew(
  fold: Fold,
  kept: KeptSnapshots,
  {
    bound,
    ...key
  }: { readonly accountId: string; readonly shipmentId: string; readonly bound: ReadonlySet<string> },
  messages: readonly MessageRead[],
): Promise<ReadAnew | null> {
  let said: SaidClaims = new Map()
  let read: Omit<ReadAnew, 'said' | 'issues' | 'snapshots'> | null = null
  let snapshots = 0
  const issues: Heard['issues'][number][] = []
  for (const message of messages) {
    if (message.isReread) continue
    const { subjectId, snapshotId, recordedAt, of } = message
    const access = await kept.getAccess(subjectId)
    const about = { speaker: of.source.kind, subject: access }
    const told = readTold(fold, await kept.getSnapshot(snapshotId), about, access)
    const { reader } = told
    if (read === null && isReadBy(reader, messages)) return null
    const by = { ...key, ...of, subjectId, snapshotId, recordedAt }
    const isAllTold = !access.isOfAll || bound.has(access.channelId)
    const observations = told.reading.observations.filter((observation) =>
      isReadAgain({ observation }, { isAllTold }),
    )
    const readable = { ...told, reading: { ...told.reading, observations } }
    const change = changeByMessage(standingClaims(said), readable, by)
    said = takeIn(said, change, { at: recordedAt, snapshotId, reader })
    read = { last: message, reader, isAllTold }
    issues.push(...issuesOf(told.reading, by))
    snapshots += 1
  }
  return read === null ? null : { ...read, said, issues, snapshots }
}

function takeDifference(fold: Fold, ledger: HeldLedger, shipmentId: string, anew: ReadAnew): Reread {
  const { last, reader, said, issues, snapshots, isAllTold } = anew
  const { subjectId, snapshotId, trackingRequestId } = last
  const live = standingClaims(getShipment(ledger.state(), shipmentId).claims)
  const { add, retire } = differenceOf(
    live.filter((claim) => claim.subjectId === subjectId && isReadAgain(claim, { isAllTold })),
    said,
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
    const heard = { change, issues }
    const payload = {
      via: 'push' as const,
      ...last.of,
      outcome: null,
      isReread: true,
      ...(!fold.rules.announcesMended && { isQuiet: true }),
      ...recordHeard(heard),
    }
    const about = { trackingRequestId, shipmentId, subjectId, snapshotId, reader }
    ledger.take<'heard', LookFolded>({ kind: 'heard', ...about, payload }, (before, entry) => ({
      folded: foldMessage(fold, before, { ...entry, payload }, { heard, key: null }),
    }))
  }
  return { snapshots, added: add.length, retired: retire.length }
}
