/** What a process knows of the sets of tasks that it is at, so that they do not stand in each other's way. */

import { keptBeside } from '../../ground/kept-beside.ts'
import type { Service } from '../../service.ts'

interface Turns {
  /** The account whose turn was last. */
  after: string | null
  /** Sets that this process is at. */
  readonly underWay: Set<Promise<void>>
  /** By shipment: the end of the last transaction of this process that is at it or waits for it. */
  readonly atShipment: Map<string, Promise<void>>
  /** One of them may end the process: nothing else is begun beside it. */
  isAlone: boolean
}

/** By pool. */
export const turnsOf = keptBeside<Service['pool'], Turns>(() => ({
  after: null,
  underWay: new Set(),
  atShipment: new Map(),
  isAlone: false,
}))

/**
 * One transaction of this process at a shipment at a time: who waits for a row in the database holds a connection
 * meanwhile, and gives up after some seconds.
 */
export async function inTurn(
  { atShipment }: Pick<Turns, 'atShipment'>,
  shipmentIds: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  const before = shipmentIds.flatMap((id) => atShipment.get(id) ?? [])
  const { promise, resolve } = Promise.withResolvers<void>()
  for (const id of shipmentIds) atShipment.set(id, promise)
  try {
    await Promise.all(before)
    await work()
  } finally {
    resolve()
    for (const id of shipmentIds) if (atShipment.get(id) === promise) atShipment.delete(id)
  }
}
