/** The account's events after a number: the same for a page, for a client that waits, and for one that follows. */

import { runAtPrimary } from '../../db/account-shares.ts'
import { memoizePerOwner } from '../../platform/memoize-per-owner.ts'
import { type Context, requireScope } from '../access/context.ts'
import { ServiceError } from '../errors.ts'
import type { Service } from '../service.ts'
import { type EventFilter, type EventStretch, readEventsAfter, readLastSequences } from './list-events-sql.ts'

export interface EventQuery {
  /** The last number that the client has; 0 for none. */
  readonly after: number
  readonly limit: number
  readonly filter: EventFilter
}

/**
 * Reads on until it finds an event or nothing is left to read. Refuses a number that the account has not reached: a
 * client with such a number got it from another installation or before a restore, and would miss events without
 * knowing.
 */
export async function listEvents(service: Service, context: Context, query: EventQuery): Promise<EventStretch> {
  requireScope(context, 'read')
  const accountId = context.account.id
  for (let after = query.after; ; ) {
    const found = await readEventsAfter(service.pool, { ...query, accountId, after })
    if (query.after > found.lastSequence) throw sequenceTooHighError(found.lastSequence)
    if (found.events.length > 0 || found.examined >= found.lastSequence) return found
    after = found.examined
  }
}

/** Refuses what `listEvents` would refuse, for a client that begins to follow. */
export async function checkPosition(service: Service, context: Context, after: number): Promise<void> {
  const last = await lastSequenceOf(service, context)
  if (after > last) throw sequenceTooHighError(last)
}

/** The number of the account's newest event; 0 when it has none. */
export async function lastSequenceOf(service: Service, context: Context): Promise<number> {
  requireScope(context, 'read')
  const { id } = context.account
  return (await readLastSequences(service.pool, [id])).get(id) ?? 0
}

function sequenceTooHighError(lastSequence: number): ServiceError {
  return new ServiceError(
    'invalid',
    `This number is too high: the newest event of this account is number ${lastSequence}.`,
    {
      source: { parameter: 'after' },
      meta: { last_sequence: lastSequence },
    },
  )
}

/** Reads that are running, so that many clients that follow one account from the same number cause one read. */
const underWay = memoizePerOwner<Service, Map<string, Promise<EventStretch>>>(() => new Map())

/**
 * Like `listEvents`, but the answer may come from a read that another client started a moment ago. Only for callers
 * that read again when they learn of more events.
 */
export function listEventsTogether(service: Service, context: Context, query: EventQuery): Promise<EventStretch> {
  const reads = underWay(service)
  const key = JSON.stringify([context.account.id, context.scopes, query.after, query.limit, query.filter])
  const known = reads.get(key)
  if (known !== undefined) return known
  const read = runAtPrimary(() => listEvents(service, context, query)).finally(() => reads.delete(key))
  reads.set(key, read)
  return read
}
