/** Makes the input for the writers of messages: events and facts about the boxes of the world, in DCSA's codes. */
import { wholeBetween } from './chance.ts'
import type { Said, SaidEvent, SaidFact, SaidName, SaidPlace, SaidTime, SaidValues } from './edi/said.ts'
import { getPlace } from './places.ts'
import type { Shipment } from './shipment.ts'
import { changesOf, type Stay, standingAt } from './stay.ts'

/** Facts about the box itself, from its marks and its papers. */
export function factsOf(shipment: Shipment, box: number): readonly Said[] {
  const { number = '', equipmentCode = '', seal = '' } = shipment.boxes[box] ?? {}
  const weight = 10 * wholeBetween(`weight|${shipment.key}|${number}`, 400, 2_600)
  return [
    fact('size_type', equipmentCode, number),
    fact('seal_number', seal, number),
    fact('weight_kg', weight, number),
  ]
}

/** The events of a stay that a terminal reports when they happen: discharged, available, gone. */
export function eventsSaidBy(
  stay: Stay,
  shipment: Shipment,
  box: number,
): readonly { readonly at: number; readonly event: SaidEvent }[] {
  const number = shipment.boxes[box]?.number ?? ''
  const here = (event: SaidEvent): SaidEvent => ({
    ...event,
    place: { ...event.place, facilityCode: event.place.unlocode === stay.place ? stay.terminal : null },
  })
  const moves = stay.moves.map(({ at, what, place }) => ({ at, event: here(moved(what, at, place, number)) }))
  const clearAt = changesOf(stay).find((at) => standingAt(stay, at)?.available === true)
  if (clearAt === undefined) return moves
  return [...moves, { at: clearAt, event: here(moved('AVPU LADEN', clearAt, stay.place, number)) }]
}

/** `what`: such as `DISC LADEN VESSEL`. */
export function moved(what: string, at: number, place: string, number: string): SaidEvent {
  const words = what.split(' ')
  const mode = (['VESSEL', 'RAIL', 'TRUCK', 'BARGE'] as const).find((each) => words.includes(each)) ?? null
  return {
    kind: 'event',
    classifier: 'ACT',
    code: words[0] ?? null,
    load: words.includes('EMPTY') ? 'EMPTY' : words.includes('LADEN') ? 'LADEN' : null,
    mode: words.includes('FEEDER') ? 'BARGE' : mode,
    time: instant(at),
    place: placeOf(place),
    vessel: null,
    voyage: null,
    equipment: number,
  }
}

export function fact<Name extends SaidName>(name: Name, value: SaidValues[Name], equipment: string | null): SaidFact {
  return { kind: 'fact', fact: name, value, equipment } as SaidFact
}

export function placeOf(place: string): SaidPlace {
  return { unlocode: place, name: getPlace(place).name, facilityCode: null }
}

export function day(on: string): SaidTime {
  return { kind: 'day', on }
}

export function instant(at: number): SaidTime {
  return { kind: 'instant', at: new Date(at).toISOString() }
}
