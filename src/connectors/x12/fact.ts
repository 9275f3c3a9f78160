/** One fact as an observation: its key, and when it was stated. */

import type { FactName, FactObservation, FactValues } from '../../domain/statements/observation.ts'
import { instantOf } from '../../domain/values/time.ts'
import type { ReadContext } from './context.ts'
import { readMoment } from './moment.ts'
import type { StatedStatus } from './stated-message.ts'

/**
 * A fact has one value at a time, so its key consists of the fact and the container, without the document. A terminal
 * that names the bill once and omits it the next time means the same hold.
 */
export function buildFact<Name extends FactName>(
  fact: Name,
  value: FactValues[Name],
  about: { readonly container: string | null; readonly keyPart?: string; readonly statedAt?: string | null },
): FactObservation {
  const { container, keyPart, statedAt = null } = about
  const key = [fact, ...(keyPart === undefined ? [] : [keyPart]), container ?? '-'].join('|')
  return {
    kind: 'fact',
    key,
    fact,
    value,
    equipment: container,
    statedAt,
    isRetracted: false,
  } as FactObservation
}

/**
 * When a status that is a statement and not an event was stated: the time of the status, if it is a moment and not only
 * a day. Problems with this time are reported by the event of the same status.
 */
export function statedAtOf({ moment }: StatedStatus, { stated, fetchedAtMs, issues }: ReadContext): string | null {
  if (moment.date === '') return null
  const time = readMoment(moment, { issues, fetchedAtMs, lost: 'field' })
  if (time === null || time.kind === 'day') return null
  const { timeZone } = stated.activity.place
  return time.kind === 'instant' || timeZone !== null ? instantOf(time, timeZone).at : null
}
