/** What the events say besides what happened: sizes, seals, numbers, roles of places, and whether the booking stands. */

import { parseEquipment } from '../../core/equipment.ts'
import type { FactObservation, ObservedPlace } from '../../core/observation.ts'
import { instantOf } from '../../core/time.ts'
import { type DataGaps, findShippingLine } from '../../reference/shipping-lines.ts'
import { keyOf, type LookRequest } from '../source.ts'
import { findBookingCancelled } from './booking.ts'
import type { Seal } from './boxes.ts'
import type { StatedEvent } from './event.ts'

type Draft = Pick<FactObservation, 'fact' | 'value' | 'equipment' | 'statedAt'> & {
  readonly key: string
  readonly order: string
}

/** One observation for each thing; when events differ about it, the one stated last is believed. */
export function writeFactObservations(
  events: readonly StatedEvent[],
  request: LookRequest,
): readonly FactObservation[] {
  const gaps = findShippingLine(request.scac)?.dataGaps ?? null
  const live = events.filter((event) => !event.isRetracted)
  const latest = new Map<string, Draft>()
  for (const event of live) {
    for (const draft of factsOf(event, gaps)) {
      const known = latest.get(draft.key)
      if (known === undefined || known.order < draft.order) latest.set(draft.key, draft)
    }
  }
  const facts = [...latest.values()].map(
    ({ key, fact, value, equipment, statedAt }) =>
      ({ kind: 'fact', key, fact, value, equipment, statedAt, isRetracted: false }) as FactObservation,
  )
  const cancelled = findBookingCancelled(events, request)
  return cancelled === null ? facts : [...facts, cancelled]
}

function factsOf(event: StatedEvent, gaps: DataGaps | null): readonly Draft[] {
  const facts: Draft[] = []
  const happensAt = event.time === null ? '' : instantOf(event.time, event.place.timeZone).at
  const saidAt = `${event.statedAt ?? ''} ${happensAt}`
  const add = (
    fact: FactObservation['fact'],
    value: FactObservation['value'],
    equipment: string | null,
    key: string,
  ): void => {
    facts.push({
      key,
      fact,
      value,
      equipment,
      statedAt: event.statedAt,
      order: `${saidAt} ${JSON.stringify(value)}`,
    })
  }
  const [box = null] = event.type === 'EQUIPMENT' ? event.equipment : []
  if (box !== null && event.sizeType !== null && gaps?.noEquipmentType !== true) {
    const mapped = gaps?.equipmentTypesMapped ?? null
    const type = mapped === null ? null : parseEquipment(event.sizeType)?.type
    if (mapped === null || (type && mapped.includes(type)))
      add('size_type', event.sizeType, box, `size_type|${box}`)
  }
  // The seal that an inspector takes off is listed with the event that takes it off.
  const isSealed = event.code !== 'RMVD' && event.code !== 'INSP'
  const seal = isSealed && gaps?.noSeal !== true ? chooseSeal(event.seals) : null
  if (box !== null && seal !== null) add('seal_number', seal, box, `seal_number|${box}`)
  for (const { type, number } of event.documents) {
    if (type === 'TRD') add('bill_of_lading_number', number, null, `bill_of_lading_number|${number}`)
    if (type === 'BKG') add('booking_number', number, null, `booking_number|${number}`)
  }
  const role = placeRoles[event.placeRole ?? '']
  if (role !== undefined && event.place.unlocode !== null) {
    const place: ObservedPlace = event.place
    for (const equipment of event.equipment.length === 0 ? [null] : event.equipment) {
      add(role, place, equipment, `${role}|${equipment ?? '-'}`)
    }
  }
  const undated = event.time === null ? undatedFacts[event.code ?? ''] : undefined
  const isByShip = event.mode === null || event.mode === 'VESSEL'
  if (undated !== undefined && isByShip && event.load !== 'EMPTY' && event.place.unlocode !== null) {
    for (const equipment of event.equipment.length === 0 ? [null] : event.equipment) {
      const key = [undated, event.place.unlocode, event.voyage ?? '-', event.callId ?? '-'].join('|')
      add(undated, event.place, equipment, keyOf(event.id ?? key, equipment))
    }
  }
  return facts
}

/** What a ship's call without its time says, by the event's code. */
const undatedFacts: Readonly<Record<string, 'undated_arrival' | 'undated_departure'>> = {
  ARRI: 'undated_arrival',
  DISC: 'undated_arrival',
  LOAD: 'undated_departure',
  DEPA: 'undated_departure',
}

const placeRoles: Readonly<Record<string, 'port_of_loading' | 'port_of_discharge' | 'place_of_delivery'>> = {
  POL: 'port_of_loading',
  POD: 'port_of_discharge',
  PDE: 'place_of_delivery',
}

/** The carrier's seal is the one on the bill, else the shipper's, else any. */
function chooseSeal(seals: readonly Seal[]): string | null {
  const rank = ({ source }: Seal): number => {
    const index = ['CAR', 'CARRIER', 'SHI', 'SHIPPER'].indexOf(source?.toUpperCase() ?? '')
    return index < 0 ? 9 : index
  }
  const [best] = [...seals].sort((a, b) => rank(a) - rank(b) || (a.number < b.number ? -1 : 1))
  return best?.number ?? null
}
