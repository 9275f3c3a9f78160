/** Carries out a user's action: one transaction that writes the ledger entry, folds it and plans what follows. */

import { uuidV7 } from '../../../platform/ids.ts'
import { type Db, inTransaction } from '../../../store/database.ts'
import { handOnTrace } from '../../../store/ground/trace-notices.ts'
import { wake } from '../../../store/ground/wake.ts'
import { noteNumbers } from '../../../store/inbound/known-numbers.ts'
import type { StateKeys } from '../../../store/journey-state/load.ts'
import type { JourneyState } from '../../../store/journey-state/state.ts'
import type { UserAction } from '../../../store/ledger/ledger-payload.ts'
import { lookNoLaterThan, markUnconfirmed, retireIdleSubjects } from '../../../store/looks/subjects.ts'
import { hasAuditEvent, readEditable } from '../../../store/people/audit.ts'
import { type Context, requireScope } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { foldBy } from '../../ledger/fold.ts'
import { standingWords } from '../../ledger/persons-words.ts'
import { readRules } from '../../ledger/rules.ts'
import { takeAgain } from '../../ledger/take-again.ts'
import { takeEntries } from '../../ledger/take-entries.ts'
import { userEntries } from '../../ledger/user-entries.ts'
import { diffOf, recordTrackingChange } from '../../people/audit/record-change.ts'
import { journeyNow, realNow, type Service } from '../../service.ts'

/** Acts on a shipment; refuses when the account has none of that id. */
export async function actOnShipment(service: Service, context: Context, of: ActionOnShipment): Promise<void> {
  requireScope(context, 'write')
  const { shipmentId, action } = of
  const isProjected = typeof action === 'function' || 'delivered' in action || action.action === 'state'
  await takeAgain((alsoHeld) =>
    inTransaction(service.pool, async (db) => {
      const keys = { requestIds: alsoHeld, shipmentIds: [shipmentId], locksAsking: true, isProjected }
      const done = await record(db, service, context, keys, async (state) => {
        if (!state.shipments.has(shipmentId)) throw notFound('shipment')
        const key = { accountId: context.account.id, id: of.onceAs ?? '' }
        if (of.onceAs !== undefined && (await hasAuditEvent(db, key))) return null
        await of.check?.(db)
        const meant = typeof action === 'function' ? await action(db) : action
        return { trackingRequestId: null, shipmentId, action: meant, changeId: of.onceAs }
      })
      if (done === null) return
      const subjectIds = [...done.after.requests.values()]
        .filter((request) => request.shipmentId === shipmentId)
        .flatMap(({ subjectId }) => subjectId ?? [])
      await lookAsWanted(db, service, context.account.id, done.action, subjectIds)
      if (done.action.action === 'resume_tracking') await hearWhatCame(db, service, context, shipmentId)
      await wake(db, 'events')
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

async function lookAsWanted(
  db: Db,
  service: Service,
  accountId: string,
  { action }: UserAction,
  subjectIds: readonly string[],
): Promise<void> {
  if (action === 'stop_tracking') await retireIdleSubjects(db, subjectIds)
  if (action !== 'resume_tracking') return
  const now = { at: realNow(service), accountId }
  for (const subjectId of subjectIds.toSorted()) await lookNoLaterThan(db, subjectId, now)
  // What sources said while tracking was stopped was not taken in. So the next answer is taken in, even if its bytes
  // are the same as the last ones.
  await markUnconfirmed(db, subjectIds, true)
  await handOnTrace(db, subjectIds)
  await wake(db, 'looks')
}

/** No request heard what was sent while tracking was stopped. The messages still wait, and are matched once more. */
async function hearWhatCame(
  db: Db,
  service: Service,
  { account: { id: accountId, isFiction } }: Context,
  shipmentId: string,
): Promise<void> {
  const at = journeyNow(service, isFiction)
  await noteNumbers(db, { accountId, documents: [], shipmentIds: [shipmentId], requestIds: [], at })
  await wake(db, 'mentions')
}

interface Recorded {
  readonly trackingRequestId: string | null
  readonly shipmentId: string | null
  readonly action: UserAction
  readonly changeId?: string | undefined
}

/** `decide`: returns what is done. It is called when nothing else can change the state any more. Null for nothing. */
export async function record(
  db: Db,
  service: Service,
  context: Context,
  held: Omit<StateKeys, 'accountId'>,
  decide: (state: JourneyState) => Promise<Recorded | null>,
): Promise<{ readonly action: UserAction; readonly after: JourneyState } | null> {
  const accountId = context.account.id
  const now = journeyNow(service, context.account.isFiction)
  const fold = foldBy(readRules(service.config))
  const taking = { keys: { ...held, accountId }, now, entriesMax: 2, metrics: service.metrics }
  const { result, after } = await takeEntries(db, fold, taking, async (ledger) => {
    const done = await decide(ledger.state())
    if (done === null) return null
    const { trackingRequestId, shipmentId, action } = done
    const key = { accountId, ...targetOf(done) }
    const before = await readEditable(db, key)
    const words = wordsTouched(ledger.state(), done)
    const newId = () => uuidV7(service.clock.now())
    const acted = { trackingRequestId, shipmentId, action, actor: context.actor, newId }
    for (const entry of userEntries(ledger.state(), acted)) ledger.take(entry)
    return { ...done, key, before, words }
  })
  if (result === null) return null
  const { action, changeId, key, before, words } = result
  const diff =
    action.action === 'state'
      ? diffOf(words, wordsTouched(after, result), Object.keys(words))
      : diffOf(before, await readEditable(db, key), ['refNumbers', 'tags', 'deliveredAt'])
  const target = { type: key.type, id: key.id }
  const done = `${target.type}.${verbs[action.action]}`
  await recordTrackingChange(db, service, context, { action: done, target, diff, id: changeId })
  return { action, after }
}

/**
 * For an action that states or withdraws something: the standing value under each key. The pick-up number is a secret
 * and is never shown.
 */
function wordsTouched(
  state: JourneyState,
  { shipmentId, action }: Recorded,
): Readonly<Record<string, unknown>> {
  const shipment = state.shipments.get(shipmentId ?? '')
  if (action.action !== 'state' || shipment === undefined) return {}
  const keys = [...(action.add ?? []).map(({ key }) => key), ...(action.withdraw ?? [])]
  const told = (key: string): unknown => {
    const observation = standingWords(shipment, key)[0]?.observation
    if (observation?.kind !== 'fact') return null
    return observation.fact === 'pickup_number' ? concealed : observation.value
  }
  return Object.fromEntries(keys.map((key) => [key, told(key)]))
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
