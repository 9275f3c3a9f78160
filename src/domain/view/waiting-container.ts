/** A container that has not been picked up yet: until when it is free of charge, and which holds it has. */

import { localMidnight } from '../values/time.ts'
import { earliestLfd } from './free-time.ts'
import type { ContainerProjection, ContainerStatus } from './projection.ts'

const waiting: ReadonlySet<ContainerStatus> = new Set([
  'on_ship',
  'grounded',
  'available',
  'not_available',
  'awaiting_inland_transfer',
  'on_rail',
])

type WaitingContainer = Pick<ContainerProjection, 'status' | 'freeTime' | 'pickupTimeZone' | 'holds'>

/**
 * The midnight at which its earliest last free day begins. Null when none is known, or when the container does not
 * wait.
 */
export function freeUntilOf({ status, freeTime, pickupTimeZone }: Omit<WaitingContainer, 'holds'>): string | null {
  if (!waiting.has(status)) return null
  const lfd = earliestLfd(freeTime, { pickupTimeZone, isOnRail: status === 'on_rail' })
  return lfd === null ? null : localMidnight(lfd.day, pickupTimeZone)
}

/** Whether the container is held at the terminal or ramp where it is. Its release may come at any hour. */
export function isHeldThere({ status, holds }: Pick<WaitingContainer, 'status' | 'holds'>): boolean {
  return status !== 'on_ship' && waiting.has(status) && holds.length > 0
}
