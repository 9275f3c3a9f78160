/**
 * The requests that asked hear what looks brought: in one transaction, with one ledger entry for each request. Answers
 * are read before anything is locked.
 */

import { setImmediate } from 'node:timers/promises'
import type { LookOutcome } from '../../../core/requests/tracking-request.ts'
import { channelsBoundTo } from '../../../store/channels/channel-accounts.ts'
import { type Db, inTransaction } from '../../../store/database.ts'
import { wake } from '../../../store/ground/wake.ts'
import { type MentionStanding, standingsOf } from '../../../store/inbound/inbound-messages.ts'
import type { Opening } from '../../../store/journey-state/load.ts'
import type { SaidClaims, ShipmentKey } from '../../../store/journey-state/state.ts'
import type { TrackedRequest, TrackingRequestRow } from '../../../store/journeys/tracking-requests.ts'
import { markUnconfirmed } from '../../../store/looks/subjects.ts'
import { completeTasks, type HearTask } from '../../../store/looks/tasks.ts'
import { settleInitialFields } from '../../../store/tracking/initial-custom-fields.ts'
import { type OpenedSnapshot, openWithAccess } from '../../ground/open-snapshots.ts'
import { labelOutcome } from '../../inference/label-outcome.ts'
import { asAsked, askedType, isDetecting } from '../../ledger/asked-request.ts'
import type { Fold } from '../../ledger/fold.ts'
import { foldLook, type LookFolded, sayOpened } from '../../ledger/fold-look.ts'
import { changeBy, hear, recordHeard } from '../../ledger/hear.ts'
import { findShipment, identify } from '../../ledger/open-shipment.ts'
import { type KeptReading, readKeptSnapshot } from '../../ledger/read-kept-snapshot.ts'
import { readTold } from '../../ledger/read-told.ts'
import { keepSecrets } from '../../ledger/secrets.ts'
import { standingClaims } from '../../ledger/state-rows.ts'
import { type HeldLedger, takeEntries } from '../../ledger/take-entries.ts'
import { takeIn } from '../../ledger/take-in.ts'
import { isTripOver } from '../../ledger/trip-over.ts'
import { journeyNow, type Service } from '../../service.ts'
import { type HeardTask, hearToldTask, type Told, toldKeyOf } from './hear-told.ts'
import { kindsToTry } from './other-kinds.ts'
import { planNextLooks } from './plan-next-look.ts'

/** Tasks of one account under our lease, one of each request. */
export interface TaskSet {
  readonly tasks: readonly HearTask[]
  readonly token: string
  /** How long the set waits for rows that another transaction has locked; five seconds when left out. */
  readonly lockMs?: number
}

/** What a task brought: the answer as it is read, or how the look ended without one. */
type Brought = Told | Answered
type Answered = (
  | KeptReading
  | { readonly reading: null; readonly outcome: LookOutcome; readonly reader: null }
) & {
  readonly told?: undefined
}

/** Longer than any other transaction needs for an entry. */
const lockMsMax = 5_000
/** A bill with many boxes takes long. After this time other work of the process gets its turn. */
const turnMs = 3

/**
 * `alsoHeld`: requests to lock besides those of the tasks. Throws the errors after which `takeAgain` tries once more.
 */
export async function hearTasks(
  service: Service,
  fold: Fold,
  set: TaskSet,
  alsoHeld: readonly string[],
): Promise<void> {
  const [first] = set.tasks
  if (first === undefined) return
  const { accountId, isFiction } = first
  const { token, lockMs = lockMsMax } = set
  const brought = await readTasks(service, fold, accountId, set.tasks)
  const now = journeyNow(service, isFiction)
  await inTransaction(service.pool, async (db) => {
    const ids = set.tasks.map(({ id }) => id)
    const ours = new Set(await completeTasks(db, { accountId, ids, token, lockMs }))
    const tasks = set.tasks.filter(({ id }) => ours.has(id))
    if (tasks.length === 0) return
    const requestIds = [...new Set([...tasks.map((task) => task.trackingRequestId), ...alsoHeld])]
    const taking = {
      keys: { accountId, requestIds, shipmentIds: [], locksAsking: false, isProjected: true },
      opening: openingOf(fold, new Map(tasks.map((task) => [task.trackingRequestId, brought(task)])), now),
      now,
      entriesMax: tasks.length,
      metrics: service.metrics,
    }
    const { result: heard, after } = await takeEntries(db, fold, taking, (ledger) =>
      hearInTurn(tasks, (task) => hearTask(db, service, fold, ledger, { task, brought: brought(task) })),
    )
    for (const each of heard) await followUp(db, each)
    const unconfirmed = heard.filter(({ taken }) => taken.folded.isUnconfirmed)
    await markUnconfirmed(
      db,
      unconfirmed.map(({ request }) => request.subjectId),
      true,
    )
    // Looks are planned also for tasks that no request heard: while these tasks were under way, nobody else planned the
    // looks.
    const subjectIds = tasks.flatMap(({ subjectId, payload }) =>
      payload.mention === undefined ? subjectId : [],
    )
    const next = requestIds.flatMap((id) => after.requests.get(id)?.subjectId ?? [])
    const plan = { subjectIds: [...subjectIds, ...next], isFiction, retryAfterMs: 0, held: after }
    await planNextLooks(db, service, fold.rules, plan)
    if (next.some((id) => !subjectIds.includes(id))) await wake(db, 'looks')
  })
}

async function hearInTurn(
  tasks: readonly HearTask[],
  hearOne: (task: HearTask) => Promise<HeardTask | null>,
): Promise<readonly HeardTask[]> {
  const heard: HeardTask[] = []
  let turnAt = performance.now()
  for (const task of tasks) {
    const one = await hearOne(task)
    if (one !== null) heard.push(one)
    if (performance.now() - turnAt < turnMs) continue
    await setImmediate()
    turnAt = performance.now()
  }
  return heard
}

async function readTasks(
  service: Service,
  fold: Fold,
  accountId: string,
  tasks: readonly HearTask[],
): Promise<(task: HearTask) => Brought> {
  const ids = tasks.flatMap(({ snapshotId }) => snapshotId ?? [])
  const { pool, vault } = service
  const snapshots = await openWithAccess(service, pool, ids)
  const standings = await standingsOf(
    pool,
    tasks.flatMap(({ payload }) => payload.mention ?? []),
  )
  const isShared = [...snapshots.values()].some(({ access }) => access.isOfAll)
  const bound = standings.size > 0 && isShared ? await channelsBoundTo(pool, accountId) : new Set<string>()
  const kept = { snapshots, standings, bound, vault }
  const brought = new Map(tasks.map((task) => [task.id, readTask(fold, task, kept)]))
  return (task) => {
    const found = brought.get(task.id)
    if (found === undefined) throw new Error(`task ${task.id} was not read`)
    return found
  }
}

interface Kept {
  readonly snapshots: ReadonlyMap<string, OpenedSnapshot>
  /** Since when each delivery stands, and its key, by the id of its mention. */
  readonly standings: ReadonlyMap<string, MentionStanding>
  /** Channels of the whole installation that give this account everything, also what only bound accounts may hear. */
  readonly bound: ReadonlySet<string>
  readonly vault: Service['vault']
}

function readTask(
  fold: Fold,
  { snapshotId, payload }: HearTask,
  { snapshots, standings, bound, vault }: Kept,
): Brought {
  if (snapshotId === null)
    return { reading: null, outcome: { kind: payload.outcome ?? 'unreachable' }, reader: null }
  const kept = snapshots.get(snapshotId)
  if (kept === undefined) throw new Error(`snapshot ${snapshotId} is gone`)
  const { access, snapshot } = kept
  const { mention } = payload
  if (mention === undefined) return readKeptSnapshot(fold, snapshot, access, access)
  const standing = standings.get(mention)
  if (standing === undefined) throw new Error(`mention ${mention} is gone`)
  const { standsAt, deliveryKey } = standing
  const source = { kind: access.speakerKind, code: access.scac }
  const hand = access.isFirstHand ? 'first' : 'relayed'
  const read = readTold(fold, snapshot, { speaker: source.kind, subject: access }, access)
  const isAllTold = !access.isOfAll || bound.has(access.channelId)
  const { reading, isSealed } = keepSecrets(vault, read.reading, { isAllTold })
  const told = { mention, source, hand, standsAt, deliveryKey, ...(isSealed && { isSealed }) } as const
  return { ...read, reading, told }
}

/** The shipments that requests without a shipment will ask for. Follows from what is on record and what is read now. */
function openingOf(fold: Fold, brought: ReadonlyMap<string, Brought>, now: string): Opening {
  return (requests, subjects) =>
    requests.flatMap((row) => {
      const request = asAsked(row)
      const reading = brought.get(row.id)
      if (request === null || reading === undefined) return []
      return keyOf(fold, request, { said: subjects.get(request.subjectId), brought: reading, now }) ?? []
    })
}

/** Null when nothing was read, because then no shipment can be found. */
function keyOf(
  fold: Fold,
  request: TrackedRequest,
  of: { readonly said: SaidClaims | undefined; readonly brought: Brought; readonly now: string },
): ShipmentKey | null {
  const { said = new Map(), brought, now } = of
  if (brought.told !== undefined) return toldKeyOf(fold, request, { said, brought, now })
  const { reading, reader } = brought
  if (reading === null) return null
  const about = { ...request, snapshotId: null, recordedAt: now }
  const change = changeBy(standingClaims(said), reading, about)
  const after = takeIn(said, change, { at: now, snapshotId: null, reader })
  return identify(fold, request, standingClaims(after), now)
}

/** Null when the request does not hear this answer any more. */
async function hearTask(
  db: Db,
  service: Service,
  fold: Fold,
  ledger: HeldLedger,
  { task, brought }: { readonly task: HearTask; readonly brought: Brought },
): Promise<HeardTask | null> {
  const state = ledger.state()
  const row = state.requests.get(task.trackingRequestId)
  const request = row === undefined ? null : listening(row)
  if (request === null) return null
  if (brought.told !== undefined) return hearToldTask(db, fold, ledger, { task, request, brought })
  // The request asks another line, or for another kind of number, by now: this late answer does not count any more.
  if (request.subjectId !== task.subjectId) return null
  const { id: trackingRequestId, shipmentId, subjectId, accountId, scac } = request
  const { snapshotId, isFiction, payload } = task
  const { reading, outcome, reader } = brought
  const now = ledger.momentOf({ trackingRequestId, shipmentId })
  const said = state.subjects.get(subjectId)
  const key = shipmentId === null ? keyOf(fold, request, { said, brought, now }) : null
  const joins = key === null ? null : (findShipment(state, key)?.row.id ?? null)
  const recordedAt = ledger.momentOf({ trackingRequestId, shipmentId, joins })
  const heard =
    reading === null ? null : hear(state, reading, { accountId, subjectId, scac, snapshotId, recordedAt })
  const material =
    heard === null
      ? ({ kind: 'no_answer', outcome } as const)
      : ({ kind: 'reading', heard, outcome } as const)
  const kinds = await kindsToTry(db, service, { request, outcome, isFiction, now: recordedAt })
  const isOver = isDetecting(request) && isTripOver(fold, said, { request, material, recordedAt })
  const taken = ledger.take<'look', LookFolded>(
    {
      kind: 'look',
      trackingRequestId,
      shipmentId,
      joins,
      subjectId,
      snapshotId,
      reader,
      payload: {
        outcome: outcome.kind,
        ...(kinds.length > 0 && { kinds }),
        ...(isOver && { isTripOver: true }),
        ...(payload.look !== undefined && { look: payload.look }),
        ...(heard !== null && recordHeard(heard)),
      },
    },
    (before, entry) => sayOpened(foldLook(fold, before, entry, { material, key })),
  )
  return { request, taken }
}

/**
 * Null for a request that gets nothing more: one that failed, or that a user stopped while the look was under way. A
 * request that ended by itself still gets the answer, and continues only when the answer contradicts the end.
 */
function listening(row: TrackingRequestRow): TrackedRequest | null {
  if (row.status === 'failed') return null
  if (row.status === 'tracking_stopped' && row.lifecycle.stoppedReason === 'cancelled_by_user') return null
  return asAsked(row)
}

/**
 * Not part of the fold, which may be repeated: the fold does not know what users set, and an outcome is learnt from
 * once.
 */
async function followUp(db: Db, { request, taken }: HeardTask): Promise<void> {
  const { entry, before, folded } = taken
  const { accountId, id: trackingRequestId } = request
  const { shipmentId, lifecycle: state, happened, projection } = folded
  if (request.hasInitialFields && shipmentId !== null)
    await settleInitialFields(db, { accountId, trackingRequestId, shipmentId })
  const known = request.shipmentId === null ? undefined : before.shipments.get(request.shipmentId)
  await labelOutcome(db, {
    entry,
    request: { ...request, requestType: askedType(request) },
    applied: { state, happened, projection },
    known: known?.containers ?? [],
  })
}
