/** The account's events after a number: the same for a page, for a client that waits, and for one that follows. */

import {
  type EventFilter,
  type EventStretch,
  readEventsAfter,
  readFeedEnds,
  readLastSequences,
} from '../../../store/read/events.ts'
import { type Context, requireScope } from '../../context.ts'
import { ServiceError } from '../../errors.ts'
import { keptBeside } from '../../ground/kept-beside.ts'
import type { Service } from '../../service.ts'

export interface EventsAsked {
  /** The last number that the client has; 0 for none. */
  readonly after: number
  readonly limit: number
  readonly filter: EventFilter
}

/**
 * Reads on until it finds an event or nothing is left to read. Refuses a number that the account has not reached: a
 * client with such a number got it from another installation or before a restore, and would miss events without
 * knowing. Refuses as well a number after which events are no longer kept; who has read none begins with the first that
 * is kept.
 */
export async function listEvents(
  service: Service,
  context: Context,
  asked: EventsAsked,
): Promise<EventStretch> {
  requireScope(context, 'read')
  const accountId = context.account.id
  for (let after = asked.after; ; ) {
    const found = await readEventsAfter(service.pool, { ...asked, accountId, after })
    requireWithin(asked.after, found)
    if (found.events.length > 0 || found.examined >= found.lastSequence) return found
    after = found.examined
  }
}

/** Refuses what `listEvents` would refuse, for a client that begins to follow. */
export async function checkPosition(service: Service, context: Context, after: number): Promise<void> {
  requireScope(context, 'read')
  requireWithin(after, await readFeedEnds(service.pool, context.account.id))
}

/** The number of the account's newest event; 0 when it has none. */
export async function lastSequenceOf(service: Service, context: Context): Promise<number> {
  requireScope(context, 'read')
  const { id } = context.account
  return (await readLastSequences(service.pool, [id])).get(id) ?? 0
}

function requireWithin(
  after: number,
  { lastSequence, goneSequence }: Pick<EventStretch, 'lastSequence' | 'goneSequence'>,
): void {
  const source = { parameter: 'after' }
  const meta = { last_sequence: lastSequence }
  if (after > lastSequence)
    throw new ServiceError('invalid', `The newest event of this account is number ${lastSequence}.`, {
      source,
      meta,
    })
  if (after > 0 && after < goneSequence)
    throw new ServiceError(
      'invalid',
      `Events of this account up to number ${goneSequence} are no longer kept. Continue after it.`,
      { source, meta: { ...meta, gone_sequence: goneSequence } },
    )
}

/** Reads that are running, so that many clients that follow one account from the same number cause one read. */
const underWay = keptBeside<Service, Map<string, Promise<EventStretch>>>(() => new Map())

/**
 * Like `listEvents`, but the answer may come from a read that another client started a moment ago. Only for callers
 * that read again when they learn of more events.
 */
export function listEventsTogether(
  service: Service,
  context: Context,
  asked: EventsAsked,
): Promise<EventStretch> {
  const reads = underWay(service)
  const key = JSON.stringify([context.account.id, context.scopes, asked.after, asked.limit, asked.filter])
  const known = reads.get(key)
  if (known !== undefined) return known
  const read = listEvents(service, context, asked).finally(() => reads.delete(key))
  reads.set(key, read)
  return read
}
