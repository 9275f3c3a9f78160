/** Makes an observation of a stated event. The same statement made again has the same key. */

import type { EventObservation } from '../../domain/statements/observation.ts'
import type { ReadContext } from './context.ts'

type StatedEvent = Pick<
  EventObservation,
  'classifier' | 'code' | 'load' | 'mode' | 'time' | 'place' | 'vessel' | 'voyage' | 'original' | 'equipment'
>

/**
 * `statedAt` is null: the delivery has the time at which the message was written, so the observation does not repeat
 * it.
 */
export function observeEvent(event: StatedEvent, { stated }: ReadContext): EventObservation {
  const { bills, bookings } = stated.numbers
  return {
    kind: 'event',
    key: keyOf(event, bills[0] ?? bookings[0] ?? null),
    ...event,
    statedAt: null,
    isRetracted: false,
    callId: null,
    callSequence: null,
  }
}

/**
 * Consists of what stays the same when an event is repeated: the document, the event, the place and the container, but
 * never the numbers of the interchange. Containers come back: without a document, the day of a past event separates one
 * visit from the next. Ships come back too, even under one document: a past event of another voyage is another event.
 */
function keyOf(event: StatedEvent, document: string | null): string {
  const { classifier, code, load, mode, original, time, place, voyage, equipment } = event
  const day = (time.kind === 'day' ? time.on : time.kind === 'local' ? time.local : time.at).slice(0, 10)
  const scope = document ?? (classifier === 'ACT' ? day : '-')
  const where = place.unlocode ?? place.name?.toUpperCase().slice(0, 80).toWellFormed() ?? '-'
  const what = [scope, classifier, code ?? original ?? '-', load ?? '-', mode ?? '-', where, equipment ?? '-']
  return [...what, ...(classifier === 'ACT' && voyage !== null ? [voyage] : [])].join('|')
}
