/** What was stated as an observation, under the key that the same statement has when it is made anew. */

import type { EventObservation } from '../../core/observation.ts'
import type { ReadContext } from './context.ts'

type Said = Pick<
  EventObservation,
  'classifier' | 'code' | 'load' | 'mode' | 'time' | 'place' | 'vessel' | 'voyage' | 'original' | 'equipment'
>

/** A message is one statement in time, which its delivery knows: the observation does not repeat it. */
export function observe(said: Said, { stated }: ReadContext): EventObservation {
  const { bills, bookings } = stated.numbers
  return {
    kind: 'event',
    key: keyOf(said, bills[0] ?? bookings[0] ?? null),
    ...said,
    statedAt: null,
    isRetracted: false,
    callId: null,
    callSequence: null,
  }
}

/**
 * What stays when the same thing is said again: the document, what happened, where, and to which box; never the numbers of
 * the interchange. Boxes come back: without a document the day tells one visit from the next, of what has happened. Ships
 * come back under one document as well: what happened on another voyage is another thing.
 */
function keyOf(said: Said, document: string | null): string {
  const { classifier, code, load, mode, original, time, place, voyage, equipment } = said
  const day = (time.kind === 'day' ? time.on : time.kind === 'local' ? time.local : time.at).slice(0, 10)
  const scope = document ?? (classifier === 'ACT' ? day : '-')
  const where = place.unlocode ?? place.name?.toUpperCase().slice(0, 80).toWellFormed() ?? '-'
  const what = [scope, classifier, code ?? original ?? '-', load ?? '-', mode ?? '-', where, equipment ?? '-']
  return [...what, ...(classifier === 'ACT' && voyage !== null ? [voyage] : [])].join('|')
}
