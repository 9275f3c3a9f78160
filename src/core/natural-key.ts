/** The key of a statement whose source gives none: what stays the same when the source says the same thing anew. */

import type { EventObservation, FactObservation } from './observation.ts'

export type KeyedEvent = Pick<
  EventObservation,
  'kind' | 'classifier' | 'code' | 'load' | 'mode' | 'place' | 'voyage' | 'callId' | 'original' | 'equipment'
>
export type KeyedFact = Pick<FactObservation, 'kind' | 'fact' | 'equipment'>

/**
 * Of an event everything but its time, vessel and the details of its place, so that a later statement replaces the
 * earlier one; a source that tells two visits of one port apart only by their time has to give keys. A fact has one
 * value for each box.
 */
export function naturalKeyOf(said: KeyedEvent | KeyedFact): string {
  const box = said.equipment ?? '-'
  if (said.kind === 'fact') return `${said.fact}|${box}`
  const { classifier, code, load, mode, place, voyage, callId, original } = said
  const what = code ?? original ?? '-'
  const where = place.unlocode ?? place.facilityCode ?? place.name ?? '-'
  return [classifier, what, load ?? '-', mode ?? '-', where, voyage ?? '-', callId ?? '-', box].join('|')
}
