/** The key of a statement whose source gives none: made of what stays the same when the source says the same again. */

import type { EventObservation, FactObservation, Fee, FeeWord, Hold, HoldWord } from './observation.ts'

export type KeyedEvent = Pick<
  EventObservation,
  'kind' | 'classifier' | 'code' | 'load' | 'mode' | 'place' | 'voyage' | 'callId' | 'original' | 'equipment'
>
export type KeyedFact = FactObservation extends infer Each
  ? Each extends FactObservation
    ? Pick<Each, 'kind' | 'fact' | 'value' | 'equipment'>
    : never
  : never

/**
 * The key of an event has everything but its time, its vessel and the details of its place, so that a later statement
 * replaces the earlier one. A source that distinguishes two visits of one port only by their time has to give keys. A
 * fact has one value for each box; a hold or fee that is reported one at a time has one for each name.
 */
export function naturalKeyOf(said: KeyedEvent | KeyedFact): string {
  const box = said.equipment ?? '-'
  if (said.kind === 'fact') {
    if (said.fact === 'hold') return `hold|${nameOfHold(said.value)}|${box}`
    if (said.fact === 'fee') return `fee|${nameOfFee(said.value)}|${box}`
    return `${said.fact}|${box}`
  }
  const { classifier, code, load, mode, place, voyage, callId, original } = said
  const what = code ?? original ?? '-'
  const where = place.unlocode ?? place.facilityCode ?? place.name ?? '-'
  return [classifier, what, load ?? '-', mode ?? '-', where, voyage ?? '-', callId ?? '-', box].join('|')
}

/**
 * The statements that set and release a hold have the same name. A hold that is not in the list of names is known by
 * its text.
 */
export function nameOfHold({ name, description }: Pick<Hold | HoldWord, 'name' | 'description'>): string {
  return name === 'other' && description !== null ? `other:${tidied(description)}` : name
}

/**
 * Fees of one type are distinguished by their text, because a terminal may have several for one exam. Fees of a list
 * have no text.
 */
export function nameOfFee(fee: Pick<FeeWord, 'type' | 'description'> | Fee): string {
  const description = 'description' in fee ? fee.description : null
  return description === null ? fee.type : `${fee.type}:${tidied(description)}`
}

function tidied(words: string): string {
  return words.trim().toUpperCase().replace(/\s+/g, ' ')
}
