/** Whether the booking is cancelled, according to the events about its documents. */

import type { FactObservation } from '../../domain/statements/observation.ts'
import { instantOf } from '../../domain/values/time.ts'
import type { PollRequest } from '../source.ts'
import type { StatedEvent } from './event.ts'

/** CANC since 2.3, VOID before: both end the booking or the request for it. A later CONF revives it. */
const endings: ReadonlySet<string> = new Set(['CANC', 'VOID'])
const revivals: ReadonlySet<string> = new Set(['CONF'])

/**
 * True when every booking is cancelled, false when one was confirmed (again); null when no event decides. Bookings have
 * priority over booking requests, and the booking that was polled has priority over all others. A retracted
 * cancellation counts only if no other event decides: then it withdraws the earlier statement.
 */
export function findBookingCancelled(events: readonly StatedEvent[], request: PollRequest): FactObservation | null {
  const deciding = events.flatMap((event) => {
    const { code, document } = event
    if (document === null || event.classifier !== 'ACT' || code === null) return []
    if (!['BKG', 'CBR'].includes(document.type) || !(endings.has(code) || revivals.has(code))) return []
    const order = `${event.time === null ? '' : instantOf(event.time, null).at} ${event.statedAt ?? ''} ${code}`
    return [{ event, order, document: `${document.type} ${document.number ?? ''}`, isCancelled: endings.has(code) }]
  })
  const live = deciding.filter(({ event }) => !event.isRetracted)
  const requested =
    request.kind === 'booking' ? live.filter(({ document }) => document === `BKG ${request.number}`) : []
  const bookings = live.filter(({ document }) => document.startsWith('BKG'))
  const considered = [requested, bookings, live].find((some) => some.length > 0)
  const latest = new Map<string, (typeof deciding)[number]>()
  for (const each of considered ?? []) {
    const known = latest.get(each.document)
    if (known === undefined || known.order < each.order) latest.set(each.document, each)
  }
  const decisions = [...latest.values()].sort((a, b) => (a.order < b.order ? 1 : -1))
  const withdrawn = deciding.find(({ event, isCancelled }) => event.isRetracted && isCancelled)
  const newest = decisions[0] ?? withdrawn
  if (newest === undefined) return null
  return {
    kind: 'fact',
    fact: 'booking_cancelled',
    key: 'booking_cancelled|-',
    equipment: null,
    statedAt: newest.event.statedAt,
    isRetracted: decisions.length === 0,
    // If a retracted cancellation alone decides, the value is true: the statement that is withdrawn.
    value: decisions.every(({ isCancelled }) => isCancelled),
  }
}
