/**
 * Reads events together with a context that may read what they are about, for notifications that are sent to accounts.
 */

import type { Context } from '../access/context.ts'
import type { Service } from '../service.ts'
import { type DomainEventReading, readEventsOfAccounts } from './read-domain-events-sql.ts'

export interface EventKey {
  readonly accountId: string
  readonly id: string
}

export interface EventToDeliver {
  readonly event: DomainEventReading
  /** Acts for the event's account as the system, and may only read. */
  readonly context: Context
}

/** One for each key, in order; null where the account has no such event. */
export async function readEvents(
  service: Service,
  keys: readonly (EventKey & { readonly requestId: string })[],
): Promise<readonly (EventToDeliver | null)[]> {
  const wanted = new Map(keys.map((key) => [textOf(key), key]))
  const rows = await readEventsOfAccounts(service.pool, [...wanted.values()])
  const found = new Map(rows.map((row) => [textOf(row.event), row]))
  return keys.map((key) => {
    const row = found.get(textOf(key))
    if (row === undefined) return null
    const { event, companyName, isSandbox } = row
    return {
      event,
      context: {
        account: { id: key.accountId, companyName, isSandbox },
        actor: { kind: 'system' },
        scopes: ['read'],
        requestId: key.requestId,
      },
    }
  })
}

function textOf({ accountId, id }: EventKey): string {
  return `${accountId} ${id}`
}
