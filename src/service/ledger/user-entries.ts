/** Turns what a user does into ledger entries: what the user states is `heard`, the rest is a `user_action`. */

import type { EventTime } from '../../core/values/time.ts'
import type { JourneyState } from '../../store/journey-state/state.ts'
import type { PersonHeard, UserAction, Words } from '../../store/ledger/ledger-payload.ts'
import { keyOfWord } from './persons-words.ts'
import type { Draft } from './take-entries.ts'

interface Acted {
  readonly trackingRequestId: string | null
  readonly shipmentId: string | null
  readonly action: UserAction
  readonly actor: PersonHeard['actor']
  /** Makes the id of a claim that the action leads to. */
  readonly newId: () => string
}

/** One entry, or two that belong to one change. */
export function userEntries(state: JourneyState, acted: Acted): readonly Draft<'user_action' | 'heard'>[] {
  const { trackingRequestId, shipmentId, action, actor } = acted
  if (action.action === 'state') {
    const { action: _, ...words } = action
    return [heardOf(acted, words)]
  }
  const done = (payload: UserAction) =>
    ({ kind: 'user_action', trackingRequestId, shipmentId, payload: { ...payload, actor } }) as const
  if (action.action !== 'update_container' || action.delivered === undefined) return [done(action)]
  const { delivered, ...update } = action
  const words = wordsOf(state, acted, { containerId: action.containerId, delivered })
  if (update.refNumbers === undefined) return [heardOf(acted, words)]
  return [done(update), heardOf(acted, words, { isSameChange: true })]
}

function heardOf(
  { shipmentId, actor }: Acted,
  words: Words,
  more: Pick<PersonHeard, 'isSameChange'> = {},
): Draft<'heard'> {
  const source = { kind: 'user', code: actor.id ?? 'api' } as const
  return { kind: 'heard', shipmentId, payload: { via: 'human', source, ...words, actor, ...more } }
}

/** Null takes an earlier delivery back. */
function wordsOf(
  { shipments }: JourneyState,
  { shipmentId, newId }: Acted,
  { containerId, delivered }: { readonly containerId: string; readonly delivered: EventTime | null },
): Words {
  const box = shipments.get(shipmentId ?? '')?.containers.find(({ id }) => id === containerId)
  if (box === undefined) throw new Error(`container ${containerId} is gone`)
  const key = keyOfWord('delivered', box)
  if (delivered === null) return { containerId, withdraw: [key] }
  return { containerId, add: [{ id: newId(), key, fact: 'delivered', value: delivered }] }
}
