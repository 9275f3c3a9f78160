/** The phase of a container's life; it has fewer values than the status. */

import { isOneOf } from '../values/codes.ts'
import { type ContainerStatus, containerStatuses } from './projection.ts'

const phases = {
  new: 'before_departure',
  loaded: 'before_departure',
  on_ship: 'at_sea',
  grounded: 'at_terminal',
  available: 'at_terminal',
  not_available: 'at_terminal',
  awaiting_inland_transfer: 'inland',
  on_rail: 'inland',
  off_dock: 'inland',
  picked_up: 'picked_up',
  dropped: 'picked_up',
  delivered: 'picked_up',
  empty_returned: 'completed',
} as const satisfies Readonly<Record<ContainerStatus, string>>

export type Phase = (typeof phases)[ContainerStatus] | 'delivered' | 'unknown'

/** `delivered` only where somebody stated it. */
export function phaseOf(status: string, deliveredAt: unknown): Phase {
  if (deliveredAt !== null) return 'delivered'
  return isOneOf(containerStatuses, status) ? phases[status] : 'unknown'
}

/** Whether nobody waits for it at a terminal any more. */
export function isFetched(phase: Phase): boolean {
  return phase === 'picked_up' || phase === 'completed' || phase === 'delivered'
}
