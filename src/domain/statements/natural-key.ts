/**
 * The key of a statement whose source gives none: made of what stays the same when the source repeats the statement.
 */

import type {
  EventObservation,
  FactObservation,
  Fee,
  FeeStatement,
  Hold,
  HoldStatement,
  Observation,
} from './observation.ts'

export type NaturalKeyEvent = Pick<
  EventObservation,
  'kind' | 'classifier' | 'code' | 'load' | 'mode' | 'place' | 'voyage' | 'callId' | 'original' | 'equipment'
>
export type NaturalKeyFact = FactObservation extends infer Each
  ? Each extends FactObservation
    ? Pick<Each, 'kind' | 'fact' | 'value' | 'equipment'>
    : never
  : never

/**
 * The key of an event has everything but its time, its vessel and the details of its place, so that a later statement
 * replaces the earlier one. A source that distinguishes two visits of one port only by their time has to give keys. A
 * fact has one value for each container; a hold or fee that is reported one at a time has one for each name.
 */
export function naturalKeyOf(keyed: NaturalKeyEvent | NaturalKeyFact): string {
  const equipment = keyed.equipment ?? '-'
  if (keyed.kind === 'fact') {
    if (keyed.fact === 'hold') return `hold|${nameOfHold(keyed.value)}|${equipment}`
    if (keyed.fact === 'fee') return `fee|${nameOfFee(keyed.value)}|${equipment}`
    return `${keyed.fact}|${equipment}`
  }
  const { classifier, code, load, mode, place, voyage, callId, original } = keyed
  const what = code ?? original ?? '-'
  const where = place.unlocode ?? place.facilityCode ?? place.name ?? '-'
  return [classifier, what, load ?? '-', mode ?? '-', where, voyage ?? '-', callId ?? '-', equipment].join('|')
}

/**
 * The statements that set and release a hold have the same name. A hold that is not in the list of names is known by
 * its text.
 */
export function nameOfHold({ name, description }: Pick<Hold | HoldStatement, 'name' | 'description'>): string {
  return name === 'other' && description !== null ? `other:${normalizeText(description)}` : name
}

/**
 * Fees of one type are distinguished by their text, because a terminal may have several for one exam. Fees of a list
 * have no text.
 */
export function nameOfFee(fee: Pick<FeeStatement, 'type' | 'description'> | Fee): string {
  const description = 'description' in fee ? fee.description : null
  return description === null ? fee.type : `${fee.type}:${normalizeText(description)}`
}

function normalizeText(text: string): string {
  return text.trim().toUpperCase().replace(/\s+/g, ' ')
}

/**
 * The bill or booking number that the key of a statement in a message ends with (`connectors/natural-key.ts`). Null where
 * the message names none, or where the key is an id of the sender's own.
 */
export function documentInKey(observation: Observation): string | null {
  const start = `${naturalKeyOf(observation)}|`
  const suffix = observation.key.startsWith(start) ? observation.key.slice(start.length) : ''
  return suffix === '' || /^\d{4}-\d{2}-\d{2}$/.test(suffix) ? null : suffix
}
