/** What this process knows of the sets of tasks that it is working on, so that they do not block each other. */

import { keptBeside } from '../../ground/kept-beside.ts'
import type { Service } from '../../service.ts'

interface Turns {
  /** The account whose turn was last. */
  after: string | null
  /** Sets that this process is working on. */
  readonly underWay: Set<Promise<void>>
  /** By shipment: ends with the last transaction of this process that works on the shipment or waits for it. */
  readonly atShipment: Map<string, Promise<void>>
  /** True while a set is worked on that may end the process. No other set is begun meanwhile. */
  isAlone: boolean
}

/** One for each pool of database connections. */
export const turnsOf = keptBeside<Service['pool'], Turns>(() => ({
  after: null,
  underWay: new Set(),
  atShipment: new Map(),
  isAlone: false,
}))

/**
 * Lets one transaction of this process at a time work on a shipment. A transaction that waits for a row in the database
 * would hold a connection meanwhile, and give up after some seconds.
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
