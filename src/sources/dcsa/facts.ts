/**
 * What the events say besides what happened: sizes, seals, numbers, roles of places, and whether the booking is
 * cancelled.
 */

import { parseEquipment } from '../../core/shown/equipment.ts'
import type { FactObservation } from '../../core/statements/observation.ts'
import { instantOf } from '../../core/values/time.ts'
import { type DataGaps, findShippingLine } from '../../reference/shipping-lines.ts'
import { keyOf, type LookRequest } from '../source.ts'
import { findBookingCancelled } from './booking.ts'
import type { Seal } from './boxes.ts'
import type { StatedEvent } from './event.ts'

/** One fact. Statements about the same fact have the same key. */
type Said = Pick<FactObservation, 'fact' | 'value' | 'equipment'> & { readonly key: string }
type Draft = Said & { readonly statedAt: string | null; readonly order: string }

/** One observation for each key. If events differ, the one that was stated last counts. */
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
  const happensAt = event.time === null ? '' : instantOf(event.time, event.place.timeZone).at
  const saidAt = `${event.statedAt ?? ''} ${happensAt}`
  const said = [
    ...sizeOf(event, gaps),
    ...sealOf(event, gaps),
    ...numbersOf(event),
    ...placeRoleOf(event),
    ...undatedCallOf(event),
  ]
  return said.map((each) => ({
    ...each,
    statedAt: event.statedAt,
    order: `${saidAt} ${JSON.stringify(each.value)}`,
  }))
}

function sizeOf(event: StatedEvent, gaps: DataGaps | null): readonly Said[] {
  const box = boxOf(event)
  if (box === null || event.sizeType === null || gaps?.noEquipmentType === true) return []
  const mapped = gaps?.equipmentTypesMapped ?? null
  if (mapped !== null) {
    const type = parseEquipment(event.sizeType)?.type
    if (type === undefined || !mapped.includes(type)) return []
  }
  return [{ fact: 'size_type', value: event.sizeType, equipment: box, key: `size_type|${box}` }]
}

/** Seals of RMVD and INSP events are not read: such an event lists the seal that the inspector takes off. */
function sealOf(event: StatedEvent, gaps: DataGaps | null): readonly Said[] {
  const box = boxOf(event)
  if (box === null || event.code === 'RMVD' || event.code === 'INSP' || gaps?.noSeal === true) return []
  const seal = chooseSeal(event.seals)
  if (seal === null) return []
  return [{ fact: 'seal_number', value: seal, equipment: box, key: `seal_number|${box}` }]
}

function boxOf(event: StatedEvent): string | null {
  const [box = null] = event.type === 'EQUIPMENT' ? event.equipment : []
  return box
}

function numbersOf(event: StatedEvent): readonly Said[] {
  return event.documents.flatMap(({ type, number }) => {
    const fact = type === 'TRD' ? 'bill_of_lading_number' : type === 'BKG' ? 'booking_number' : null
    return fact === null ? [] : [{ fact, value: number, equipment: null, key: `${fact}|${number}` } as const]
  })
}

/** The role of the place in the shipment, or for each box that the event names. */
function placeRoleOf(event: StatedEvent): readonly Said[] {
  const fact = placeRoles[event.placeRole ?? '']
  if (fact === undefined || event.place.unlocode === null) return []
  return boxesOrBill(event).map((equipment) => ({
    fact,
    value: event.place,
    equipment,
    key: `${fact}|${equipment ?? '-'}`,
  }))
}

function boxesOrBill(event: StatedEvent): readonly (string | null)[] {
  return event.equipment.length === 0 ? [null] : event.equipment
}

const placeRoles: Readonly<Record<string, 'port_of_loading' | 'port_of_discharge' | 'place_of_delivery'>> = {
  POL: 'port_of_loading',
  POD: 'port_of_discharge',
  PDE: 'place_of_delivery',
}

/** The fact that a ship's call without a time states. */
function undatedCallOf(event: StatedEvent): readonly Said[] {
  const fact = event.time === null ? undatedFacts[event.code ?? ''] : undefined
  const isByShip = event.mode === null || event.mode === 'VESSEL'
  const { place } = event
  if (fact === undefined || !isByShip || event.load === 'EMPTY' || place.unlocode === null) return []
  const call = [fact, place.unlocode, event.voyage ?? '-', event.callId ?? '-'].join('|')
  return boxesOrBill(event).map((equipment) => ({
    fact,
    value: place,
    equipment,
    key: keyOf(event.id ?? call, equipment),
  }))
}

/** The fact for each event code. */
const undatedFacts: Readonly<Record<string, 'undated_arrival' | 'undated_departure'>> = {
  ARRI: 'undated_arrival',
  DISC: 'undated_arrival',
  LOAD: 'undated_departure',
  DEPA: 'undated_departure',
}

/** The carrier's seal is the one on the bill; without it the shipper's is chosen, else any. */
export function chooseSeal(seals: readonly Seal[]): string | null {
  const rank = ({ source }: Seal): number => {
    const index = ['CAR', 'CARRIER', 'SHI', 'SHIPPER'].indexOf(source?.toUpperCase() ?? '')
    return index < 0 ? 9 : index
  }
  const [best] = [...seals].sort((a, b) => rank(a) - rank(b) || (a.number < b.number ? -1 : 1))
  return best?.number ?? null
}
