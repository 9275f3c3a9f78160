/** Turns what a user does into ledger entries: what the user states is `heard`, the rest is a `user_action`. */

import type { EventTime } from '../../domain/values/time.ts'
import type { JourneyState } from '../projection/journey-state-sql.ts'
import type { EntryDraft } from './commit-entries.ts'
import type { ContainerStatements, PersonIngested, UserAction } from './ledger-payload-sql.ts'
import { buildStatementKey } from './person-statements.ts'

interface UserChange {
  readonly trackingRequestId: string | null
  readonly shipmentId: string | null
  readonly action: UserAction
  readonly actor: PersonIngested['actor']
  /** Makes the id of a claim that the action leads to. */
  readonly newId: () => string
}

/** One entry, or two that belong to one change. */
export function buildUserEntries(
  state: JourneyState,
  acted: UserChange,
): readonly EntryDraft<'user_action' | 'heard'>[] {
  const { trackingRequestId, shipmentId, action, actor } = acted
  if (action.action === 'state') {
    const { action: _, ...statement } = action
    return [toStatementEntry(acted, statement)]
  }
  const done = (payload: UserAction) =>
    ({ kind: 'user_action', trackingRequestId, shipmentId, payload: { ...payload, actor } }) as const
  if (action.action !== 'update_container' || action.delivered === undefined) return [done(action)]
  const { delivered, ...update } = action
  const statement = toDeliveryStatement(state, acted, { containerId: action.containerId, delivered })
  if (update.refNumbers === undefined) return [toStatementEntry(acted, statement)]
  return [done(update), toStatementEntry(acted, statement, { isSameChange: true })]
}

function toStatementEntry(
  { shipmentId, actor }: UserChange,
  statement: ContainerStatements,
  more: Pick<PersonIngested, 'isSameChange'> = {},
): EntryDraft<'heard'> {
  const source = { kind: 'user', code: actor.id ?? 'api' } as const
  return { kind: 'heard', shipmentId, payload: { via: 'human', source, ...statement, actor, ...more } }
}

/** Null withdraws an earlier delivery. */
function toDeliveryStatement(
  { shipments }: JourneyState,
  { shipmentId, newId }: UserChange,
  { containerId, delivered }: { readonly containerId: string; readonly delivered: EventTime | null },
): ContainerStatements {
  const container = shipments.get(shipmentId ?? '')?.containers.find(({ id }) => id === containerId)
  if (container === undefined) throw new Error(`container ${containerId} is gone`)
  const key = buildStatementKey('delivered', container)
  if (delivered === null) return { containerId, withdraw: [key] }
  return { containerId, add: [{ id: newId(), key, fact: 'delivered', value: delivered }] }
}
