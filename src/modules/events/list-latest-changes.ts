/** The latest changes in words, the newest first: what people read, one line a change. */

import { type Context, requireScope } from '../access/context.ts'
import type { Service } from '../service.ts'
import { type ChangeOfEvent, readChanges } from './list-changes.ts'
import { readNewestEvents } from './list-events-sql.ts'
import { wordChanges } from './word-changes.ts'

export interface ChangeLine extends Pick<ChangeOfEvent, 'sequence' | 'at' | 'shipmentId'> {
  readonly text: string
  /** Of the container, or of the shipment when it is about all of it or about several containers. */
  readonly number: string | null
  /** Null when it is about no container, or about several. */
  readonly containerNumber: string | null
}

export interface LatestChanges {
  readonly lines: readonly ChangeLine[]
  /** The next ones come before this number; null when there are none. */
  readonly before: number | null
}

export async function listLatestChanges(
  service: Service,
  context: Context,
  query: { readonly shipmentId: string | null; readonly before: number; readonly limit: number },
): Promise<LatestChanges> {
  requireScope(context, 'read')
  const events = await readNewestEvents(service.pool, { accountId: context.account.id, ...query })
  const changes = await readChanges(service, context, events)
  const lines = new Map<string, ChangeLine>()
  for (const change of await wordChanges(service, context, changes)) {
    const { sequence, at, shipmentId, text, containerNumber } = change
    if (text === null) continue
    const bill = change.billOfLadingNumber ?? change.requestNumber
    const line = { sequence, at, shipmentId, text, containerNumber, number: containerNumber ?? bill }
    // An arrival that moved is an event of the shipment and of each container. It is one line.
    const key = shipmentId === null ? String(sequence) : `${shipmentId} ${at} ${text}`
    const known = lines.get(key)
    if (known === undefined) lines.set(key, line)
    else if (known.containerNumber !== containerNumber)
      lines.set(key, { ...known, number: bill, containerNumber: null })
  }
  const last = events.at(-1)
  return { lines: [...lines.values()], before: events.length < query.limit ? null : (last?.sequence ?? null) }
}
