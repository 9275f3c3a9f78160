/**
 * The key of a statement that came unasked and has none of its sender's own: what stays the same when the same thing is
 * said anew, and differs when the same box does the same again on another trip.
 *
 * A reader of messages gives each observation a key: the sender's own id of the event where there is one (`keyOf` of
 * `source.ts`); else this one, of event, place, box and the document under which it is said (bill, else booking). The
 * number of a message is none: what corrects it bears another. Where a message names no document, what has happened is
 * told apart by its own day, as a gate passed in March from one passed in September; what is expected is not, since it
 * slips from day to day. What sets a hold or a fee and what lifts it bear one key: its name.
 */

import { type KeyedEvent, type KeyedFact, naturalKeyOf } from '../core/natural-key.ts'
import type { EventObservation } from '../core/observation.ts'
import { type EventTime, localDateIn } from '../core/time.ts'

export type KeyedSaid = (KeyedEvent & Pick<EventObservation, 'time'>) | KeyedFact

/** `document`: bill or booking number as the sender writes it, tidied; null where the message names none. */
export function naturalKey(said: KeyedSaid, document: string | null): string {
  const key = naturalKeyOf(said)
  if (document !== null) return `${key}|${document}`
  if (said.kind === 'fact' || said.classifier !== 'ACT') return key
  return `${key}|${dayOf(said.time, said.place.timeZone)}`
}

/** At the place where its zone is known, else as it was written. */
function dayOf(time: EventTime, timeZone: string | null): string {
  if (time.kind === 'day') return time.on
  return time.kind === 'local' ? time.local.slice(0, 10) : localDateIn(time.at, timeZone)
}
