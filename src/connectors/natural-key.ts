/**
 * The key of a statement in a message that has no id from its sender. The key stays the same when the same statement is
 * repeated, and differs when the same event happens to the same container on another trip.
 *
 * A reader of messages gives each observation a key: the sender's own id of the event where there is one (`keyOf` of
 * `source.ts`), otherwise this key of event, place, container and document (bill, else booking). The number of the
 * message is not used, because a correction has another number. Where a message names no document, the key of a past
 * event includes its day, so that a gate passed in March differs from the same gate passed in September. The key of an
 * expected event has no day, because the expected day changes. A hold or fee and its release have the same key: the
 * name.
 */

import { type NaturalKeyEvent, type NaturalKeyFact, naturalKeyOf } from '../domain/statements/natural-key.ts'
import type { EventObservation } from '../domain/statements/observation.ts'
import { type EventTime, localDateIn } from '../domain/values/time.ts'

export type UnkeyedStatement = (NaturalKeyEvent & Pick<EventObservation, 'time'>) | NaturalKeyFact

/** `document`: bill or booking number as the sender writes it, normalized; null where the message names none. */
export function naturalKey(statement: UnkeyedStatement, document: string | null): string {
  const key = naturalKeyOf(statement)
  if (document !== null) return `${key}|${document}`
  if (statement.kind === 'fact' || statement.classifier !== 'ACT') return key
  return `${key}|${dayOf(statement.time, statement.place.timeZone)}`
}

/** The local day at the place if its time zone is known, otherwise the day as written. */
function dayOf(time: EventTime, timeZone: string | null): string {
  if (time.kind === 'day') return time.on
  return time.kind === 'local' ? time.local.slice(0, 10) : localDateIn(time.at, timeZone)
}
