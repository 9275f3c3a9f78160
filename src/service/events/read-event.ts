/** An event with the right to read what it is about, for those who tell the account of it unasked. */

import { type DomainEventReading, readEventOfAccount } from '../../store/read/domain-events.ts'
import type { Context } from '../context.ts'
import { notFound } from '../errors.ts'
import type { Service } from '../service.ts'

/** The context acts for the account as the system, and may only read. */
export async function readEvent(
  service: Service,
  key: { readonly accountId: string; readonly id: string; readonly requestId: string },
): Promise<{ readonly event: DomainEventReading; readonly context: Context }> {
  const found = await readEventOfAccount(service.pool, key)
  if (found === null) throw notFound('event')
  const { event, companyName, isFiction } = found
  return {
    event,
    context: {
      account: { id: key.accountId, companyName, isFiction },
      actor: { kind: 'system' },
      scopes: ['read'],
      requestId: key.requestId,
    },
  }
}
