/** A container that has not been picked up yet: until when it is free of charge, and which holds it has. */

import { localMidnight } from '../values/time.ts'
import { freeDaysOf } from './free-time.ts'
import type { ContainerProjection, ContainerStatus } from './projection.ts'

const waiting: ReadonlySet<ContainerStatus> = new Set([
  'on_ship',
  'grounded',
  'available',
  'not_available',
  'awaiting_inland_transfer',
  'on_rail',
])

type WaitingContainer = Pick<ContainerProjection, 'status' | 'freeTime' | 'pickupTimeZone' | 'saidBy' | 'holds'>

export function isWaiting(status: ContainerStatus): boolean {
  return waiting.has(status)
}

/**
 * The midnight at which the earliest last free day that was stated begins. Null when none is known, or when the container does not
 * wait.
 */
export function firstFreeMidnight(container: Omit<WaitingContainer, 'holds'>): string | null {
  const { status, pickupTimeZone } = container
  if (!waiting.has(status)) return null
  const [first] = freeDaysOf(container, { hasLeftByRail: status === 'on_rail', calculatedFreeDays: [] })
  return first === undefined ? null : localMidnight(first.on, pickupTimeZone)
}

/** Whether the container is held at the terminal or ramp where it is. Its release may come at any hour. */
export function isHeldThere({ status, holds }: Pick<WaitingContainer, 'status' | 'holds'>): boolean {
  return status !== 'on_ship' && waiting.has(status) && holds.length > 0
}
