/** The key of a statement whose source gives none: what stays the same when the source says the same thing anew. */

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
 * Of an event everything but its time, vessel and the details of its place, so that a later statement replaces the
 * earlier one; a source that tells two visits of one port apart only by their time has to give keys. A fact has one
 * value for each box; a hold and a fee that are told of one at a time have one for each name.
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

/** What sets a hold and what releases it have the same name; one that has no name of the list is known by its words. */
export function nameOfHold({ name, description }: Pick<Hold | HoldWord, 'name' | 'description'>): string {
  return name === 'other' && description !== null ? `other:${tidied(description)}` : name
}

/** Fees of one type are told apart by their words: a terminal has several for one exam. Those of a list have none. */
export function nameOfFee(fee: Pick<FeeWord, 'type' | 'description'> | Fee): string {
  const description = 'description' in fee ? fee.description : null
  return description === null ? fee.type : `${fee.type}:${tidied(description)}`
}

function tidied(words: string): string {
  return words.trim().toUpperCase().replace(/\s+/g, ' ')
}
