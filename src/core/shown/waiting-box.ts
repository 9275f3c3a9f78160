/** A box that has not been picked up yet: until when it is free of charge, and what holds it. */

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

type Box = Pick<ContainerProjection, 'status' | 'freeTime' | 'pickupTimeZone' | 'holds'>

/** The midnight at which its earliest last free day begins. Null when none is known, or when the box does not wait. */
export function freeUntilOf({ status, freeTime, pickupTimeZone }: Omit<Box, 'holds'>): string | null {
  if (!waiting.has(status)) return null
  const lfd = earliestLfd(freeTime, { pickupTimeZone, isOnRail: status === 'on_rail' })
  return lfd === null ? null : localMidnight(lfd.day, pickupTimeZone)
}

/** Whether the box is held at the terminal or ramp where it is. Its release may come at any hour. */
export function isHeldThere({ status, holds }: Pick<Box, 'status' | 'holds'>): boolean {
  return status !== 'on_ship' && waiting.has(status) && holds.length > 0
}
