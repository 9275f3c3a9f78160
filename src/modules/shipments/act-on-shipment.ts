/** Carries out a user's action: one transaction that writes the ledger entry, folds it and plans what follows. */

import { type Db, inTransaction } from '../../db/database.ts'
import { sendTrace } from '../../db/trace-notices.ts'
import { wakeWorkers } from '../../db/wake-workers.ts'
import { commitEntries } from '../../pipeline/ledger/commit-entries.ts'
import { foldBy } from '../../pipeline/ledger/fold.ts'
import type { UserAction } from '../../pipeline/ledger/ledger-payload-sql.ts'
import { findActiveStatements } from '../../pipeline/ledger/person-statements.ts'
import { retryOnConflict } from '../../pipeline/ledger/retry-on-conflict.ts'
import { readRules } from '../../pipeline/ledger/rules.ts'
import { buildUserEntries } from '../../pipeline/ledger/user-entries.ts'
import { markUnconfirmed, pollNoLaterThan, retireIdlePollTargets } from '../../pipeline/polling/poll-targets-sql.ts'
import type { JourneyState } from '../../pipeline/projection/journey-state-sql.ts'
import { noteNumbers } from '../../pipeline/projection/known-numbers-sql.ts'
import type { StateKeys } from '../../pipeline/projection/load-states-sql.ts'
import { uuidV7 } from '../../platform/ids.ts'
import { type Context, requireScope } from '../access/context.ts'
import { hasAuditEvent, readEditableFields } from '../audit/audit-events-sql.ts'
import { diffOf, recordTrackingChange } from '../audit/record-change.ts'
import { notFound } from '../errors.ts'
import { journeyNow, realNow, type Service } from '../service.ts'

/** Acts on a shipment; refuses when the account has none of that id. */
export async function actOnShipment(service: Service, context: Context, of: ActionOnShipment): Promise<void> {
  requireScope(context, 'write')
  const { shipmentId, action } = of
  const isProjected = typeof action === 'function' || 'delivered' in action || action.action === 'state'
  await retryOnConflict((alsoHeld) =>
    inTransaction(service.pool, async (db) => {
      const keys = { requestIds: alsoHeld, shipmentIds: [shipmentId], locksAllRequests: true, isProjected }
      const done = await recordAction(db, service, context, keys, async (state) => {
        if (!state.shipments.has(shipmentId)) throw notFound('shipment')
        const key = { accountId: context.account.id, id: of.onceAs ?? '' }
        if (of.onceAs !== undefined && (await hasAuditEvent(db, key))) return null
        await of.check?.(db)
        const resolved = typeof action === 'function' ? await action(db) : action
        return { trackingRequestId: null, shipmentId, action: resolved, changeId: of.onceAs }
      })
      if (done === null) return
      const pollTargetIds = [...done.after.requests.values()]
        .filter((request) => request.shipmentId === shipmentId)
        .flatMap(({ subjectId: pollTargetId }) => pollTargetId ?? [])
      await adjustPolling(db, service, context.account.id, done.action, pollTargetIds)
      if (done.action.action === 'resume_tracking') await rematchMessages(db, service, context, shipmentId)
      wakeWorkers(db, 'events')
    }),
  )
}

export interface ActionOnShipment {
  readonly shipmentId: string
  /**
   * A function when the action depends on the present state: it is called when nothing else can change the shipment any
   * more.
   */
  readonly action: UserAction | ((db: Db) => Promise<UserAction>)
  /** Throws when the action is not wanted any more. Called when nothing else can change the shipment any more. */
  readonly check?: (db: Db) => Promise<void>
  /**
   * The id of its row in the audit log. When that row exists, the action was carried out before and is not repeated.
   */
  readonly onceAs?: string | undefined
}

async function adjustPolling(
  db: Db,
  service: Service,
  accountId: string,
  { action }: UserAction,
  pollTargetIds: readonly string[],
): Promise<void> {
  if (action === 'stop_tracking') await retireIdlePollTargets(db, pollTargetIds)
  if (action !== 'resume_tracking') return
  const now = { at: realNow(service), accountId }
  for (const pollTargetId of pollTargetIds.toSorted()) await pollNoLaterThan(db, pollTargetId, now)
  // Statements that came while tracking was stopped were not ingested. So the next answer is ingested, even if its
  // bytes are the same as the last ones.
  await markUnconfirmed(db, pollTargetIds, true)
  await sendTrace(db, pollTargetIds)
  wakeWorkers(db, 'looks')
}

/**
 * No request ingested the messages that came while tracking was stopped. They still wait, and are matched once more.
 */
async function rematchMessages(
  db: Db,
  service: Service,
  { account: { id: accountId, isSandbox } }: Context,
  shipmentId: string,
): Promise<void> {
  const at = journeyNow(service, isSandbox)
  await noteNumbers(db, { accountId, documents: [], shipmentIds: [shipmentId], requestIds: [], at })
  wakeWorkers(db, 'mentions')
}

interface RecordedAction {
  readonly trackingRequestId: string | null
  readonly shipmentId: string | null
  readonly action: UserAction
  readonly changeId?: string | undefined
}

/** `decide`: returns what is done. It is called when nothing else can change the state any more. Null for nothing. */
export async function recordAction(
  db: Db,
  service: Service,
  context: Context,
  held: Omit<StateKeys, 'accountId'>,
  decide: (state: JourneyState) => Promise<RecordedAction | null>,
): Promise<{ readonly action: UserAction; readonly after: JourneyState } | null> {
  const accountId = context.account.id
  const now = journeyNow(service, context.account.isSandbox)
  const fold = foldBy(readRules(service.config))
  const taking = { keys: { ...held, accountId }, now, entriesMax: 2, metrics: service.metrics }
  const { result, after } = await commitEntries(db, fold, taking, async (ledger) => {
    const done = await decide(ledger.state())
    if (done === null) return null
    const { trackingRequestId, shipmentId, action } = done
    const key = { accountId, ...targetOf(done) }
    const before = await readEditableFields(db, key)
    const activeValues = readActiveValues(ledger.state(), done)
    const newId = () => uuidV7(service.clock.now())
    const acted = { trackingRequestId, shipmentId, action, actor: context.actor, newId }
    for (const entry of buildUserEntries(ledger.state(), acted)) ledger.take(entry)
    return { ...done, key, before, words: activeValues }
  })
  if (result === null) return null
  const { action, changeId, key, before, words: activeValues } = result
  const diff =
    action.action === 'state'
      ? diffOf(activeValues, readActiveValues(after, result), Object.keys(activeValues))
      : diffOf(before, await readEditableFields(db, key), ['refNumbers', 'tags', 'deliveredAt'])
  const target = { type: key.type, id: key.id }
  const done = `${target.type}.${verbs[action.action]}`
  await recordTrackingChange(db, service, context, { action: done, target, diff, id: changeId })
  return { action, after }
}

/**
 * For an action that states or withdraws something: the active value under each key. The pick-up number is a secret and
 * is never shown.
 */
function readActiveValues(
  state: JourneyState,
  { shipmentId, action }: RecordedAction,
): Readonly<Record<string, unknown>> {
  const shipment = state.shipments.get(shipmentId ?? '')
  if (action.action !== 'state' || shipment === undefined) return {}
  const keys = [...(action.add ?? []).map(({ key }) => key), ...(action.withdraw ?? [])]
  const statedValueOf = (key: string): unknown => {
    const observation = findActiveStatements(shipment, key)[0]?.observation
    if (observation?.kind !== 'fact') return null
    return observation.fact === 'pickup_number' ? concealed : observation.value
  }
  return Object.fromEntries(keys.map((key) => [key, statedValueOf(key)]))
}

const concealed = '…'

/** What the action is about, for the audit log. */
function targetOf(of: {
  readonly trackingRequestId: string | null
  readonly shipmentId: string | null
  readonly action: UserAction
}): { readonly type: 'shipment' | 'container' | 'tracking_request'; readonly id: string } {
  if ('containerId' in of.action) return { type: 'container', id: of.action.containerId }
  if (of.trackingRequestId !== null) return { type: 'tracking_request', id: of.trackingRequestId }
  if (of.shipmentId !== null) return { type: 'shipment', id: of.shipmentId }
  throw new Error(`${of.action.action} is about nothing`)
}

const verbs: Readonly<Record<UserAction['action'], string>> = {
  stop_tracking: 'tracking_stopped',
  resume_tracking: 'tracking_resumed',
  update_shipment: 'updated',
  update_container: 'updated',
  state: 'stated',
  update_request: 'updated',
}
