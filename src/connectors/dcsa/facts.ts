/** The facts that the events state: sizes, seals, numbers, roles of places, and whether the booking is cancelled. */

import { naturalKeyOf } from '../../domain/statements/natural-key.ts'
import type { FactObservation, HoldStatement, ObservedPlace } from '../../domain/statements/observation.ts'
import { placeKeyOf } from '../../domain/statements/statement.ts'
import { instantOf } from '../../domain/values/time.ts'
import { parseEquipment } from '../../domain/view/equipment.ts'
import { type DataGaps, findShippingLine } from '../../reference/shipping-lines.ts'
import { isSealPlaceholder } from '../placeholders.ts'
import { observationKeyOf, type PollRequest } from '../source.ts'
import { findBookingCancelled } from './booking.ts'
import type { Seal } from './equipment.ts'
import type { StatedEvent } from './event.ts'

/** One fact. Statements about the same fact have the same key. */
type StatedFact = Pick<FactObservation, 'fact' | 'value' | 'equipment'> & { readonly key: string }
type Draft = StatedFact & { readonly statedAt: string | null; readonly order: string }

/** One observation for each key. If events differ, the one that was stated last counts. */
export function writeFactObservations(
  events: readonly StatedEvent[],
  request: PollRequest,
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
  const statementOrder = `${event.statedAt ?? ''} ${happensAt}`
  const statedFacts = [
    ...sizeOf(event, gaps),
    ...sealOf(event, gaps),
    ...numbersOf(event),
    ...placeRoleOf(event),
    ...undatedCallOf(event),
    ...holdOf(event),
  ]
  return statedFacts.map((each) => ({
    ...each,
    statedAt: event.statedAt,
    order: `${statementOrder} ${JSON.stringify(each.value)}`,
  }))
}

function sizeOf(event: StatedEvent, gaps: DataGaps | null): readonly StatedFact[] {
  const container = containerOf(event)
  if (container === null || event.sizeType === null || gaps?.noEquipmentType === true) return []
  const mapped = gaps?.equipmentTypesMapped ?? null
  if (mapped !== null) {
    const type = parseEquipment(event.sizeType)?.type
    if (type === undefined || !mapped.includes(type)) return []
  }
  return [{ fact: 'size_type', value: event.sizeType, equipment: container, key: `size_type|${container}` }]
}

/** Seals of RMVD and INSP events are not read: such an event lists the seal that the inspector takes off. */
function sealOf(event: StatedEvent, gaps: DataGaps | null): readonly StatedFact[] {
  const container = containerOf(event)
  if (container === null || event.code === 'RMVD' || event.code === 'INSP' || gaps?.noSeal === true) return []
  const seal = chooseSeal(event.seals)
  if (seal === null) return []
  return [{ fact: 'seal_number', value: seal, equipment: container, key: `seal_number|${container}` }]
}

function containerOf(event: StatedEvent): string | null {
  const [container = null] = event.type === 'EQUIPMENT' ? event.equipment : []
  return container
}

function numbersOf(event: StatedEvent): readonly StatedFact[] {
  return event.documents.flatMap(({ type, number }) => {
    const fact = type === 'TRD' ? 'bill_of_lading_number' : type === 'BKG' ? 'booking_number' : null
    return fact === null ? [] : [{ fact, value: number, equipment: null, key: `${fact}|${number}` } as const]
  })
}

/** The role of the place in the shipment, or for each container that the event names. */
function placeRoleOf(event: StatedEvent): readonly StatedFact[] {
  const fact = placeRoles[event.placeRole ?? '']
  if (fact === undefined || !isNamed(event.place)) return []
  return containersOrBill(event).map((equipment) => ({
    fact,
    value: event.place,
    equipment,
    key: `${fact}|${equipment ?? '-'}`,
  }))
}

/** A port without a code has its name only. */
function isNamed({ unlocode, name }: ObservedPlace): boolean {
  return (unlocode ?? name) !== null
}

function containersOrBill(event: StatedEvent): readonly (string | null)[] {
  return event.equipment.length === 0 ? [null] : event.equipment
}

const placeRoles: Readonly<Record<string, 'port_of_loading' | 'port_of_discharge' | 'place_of_delivery'>> = {
  POL: 'port_of_loading',
  POD: 'port_of_discharge',
  PDE: 'place_of_delivery',
}

/**
 * A hold that an event about a document sets or releases: of customs, of the carrier that releases the container, or
 * another.
 */
function holdOf(event: StatedEvent): readonly StatedFact[] {
  const { classifier, code, document } = event
  const status = holdStatuses[code ?? '']
  const name = holdNames[document?.type ?? '']
  if (status === undefined || name === undefined || classifier !== 'ACT') return []
  const [held, description] = name
  return containersOrBill(event).map((equipment) => {
    const holdFact = { fact: 'hold', value: { name: held, status, description }, equipment } as const
    return { ...holdFact, key: naturalKeyOf({ kind: 'fact', ...holdFact }) }
  })
}

const holdStatuses: Readonly<Record<string, HoldStatement['status']>> = {
  HOLD: 'hold',
  RELS: 'released',
  SURR: 'released',
}
/** By type of document. */
const holdNames: Readonly<Record<string, readonly [HoldStatement['name'], description: string | null]>> = {
  CUC: ['customs', null],
  CRO: ['freight', null],
  ARN: ['other', 'arrival notice'],
  DEO: ['other', 'delivery order'],
  TRD: ['other', 'transport document'],
}

/** The fact that a ship's call without a time states. */
function undatedCallOf(event: StatedEvent): readonly StatedFact[] {
  const fact = event.time === null ? undatedFacts[event.code ?? ''] : undefined
  const isByShip = event.mode === null || event.mode === 'VESSEL'
  const { place } = event
  if (fact === undefined || !isByShip || event.load === 'EMPTY' || !isNamed(place)) return []
  const call = [fact, placeKeyOf(place), event.voyage ?? '-', event.callId ?? '-'].join('|')
  return containersOrBill(event).map((equipment) => ({
    fact,
    value: place,
    equipment,
    key: observationKeyOf(event.id ?? call, equipment),
  }))
}

/** The fact for each event code. */
const undatedFacts: Readonly<Record<string, 'undated_arrival' | 'undated_departure'>> = {
  ARRI: 'undated_arrival',
  DISC: 'undated_arrival',
  LOAD: 'undated_departure',
  DEPA: 'undated_departure',
}

/** The carrier's seal has priority, because it is on the bill; then the shipper's seal, then any other. */
export function chooseSeal(seals: readonly Seal[]): string | null {
  const rank = ({ source }: Seal): number => {
    const index = ['CAR', 'CARRIER', 'SHI', 'SHIPPER'].indexOf(source?.toUpperCase() ?? '')
    return index < 0 ? 9 : index
  }
  const numbered = seals.filter(({ number }) => !isSealPlaceholder(number))
  const [best] = (numbered.length === 0 ? [...seals] : numbered).sort(
    (a, b) => rank(a) - rank(b) || (a.number < b.number ? -1 : 1),
  )
  return best?.number ?? null
}
