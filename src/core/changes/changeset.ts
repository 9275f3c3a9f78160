/**
 * The fields of a container whose changes are announced as `container.updated`, with the values that the wire shows.
 */

import { isSameTerminal } from '../shipment/pod-terminal.ts'
import { lfdInstant, pickupLfd } from '../shown/free-time.ts'
import type { ContainerProjection } from '../shown/projection.ts'
import type { FactName, SourceKind } from '../statements/observation.ts'
import { type EventTime, instantOf } from '../values/time.ts'
import { poundsOf } from '../values/weight.ts'
import type { Changeset } from './change.ts'

/**
 * A field of the wire, its value, and the facts that it is made of. The source of these facts is the source of the
 * change.
 */
interface WatchedField {
  readonly name: string
  readonly facts: readonly FactName[]
  readonly show: (container: ContainerProjection) => unknown
}

const watchedFields: readonly WatchedField[] = [
  { name: 'fees_at_pod_terminal', facts: ['fees'], show: feesOf },
  { name: 'holds_at_pod_terminal', facts: ['holds'], show: holdsOf },
  {
    name: 'pickup_lfd',
    facts: ['pickup_lfd_line', 'pickup_lfd_terminal', 'pickup_lfd_rail'],
    show: (container) => lfdOf(pickupLfd(container.freeTime), container),
  },
  { name: 'pickup_lfd_line', facts: ['pickup_lfd_line'], show: (box) => lfdOf(box.freeTime.line, box) },
  {
    name: 'pickup_lfd_terminal',
    facts: ['pickup_lfd_terminal'],
    show: (box) => lfdOf(box.freeTime.terminal, box),
  },
  { name: 'pickup_lfd_rail', facts: ['pickup_lfd_rail'], show: (box) => lfdOf(box.freeTime.rail, box) },
  {
    name: 'pickup_appointment_at',
    facts: ['pickup_appointment'],
    show: (box) => momentOf(box.pickupAppointment, box.pickupTimeZone),
  },
  { name: 'available_for_pickup', facts: ['available'], show: (box) => box.available },
  { name: 'pod_terminal', facts: ['pod_terminal'], show: (box) => box.podTerminal },
  { name: 'location_at_pod_terminal', facts: ['yard_location'], show: (box) => box.yardLocation },
  { name: 'pod_full_out_chassis_number', facts: ['chassis_number'], show: (box) => box.chassisNumber },
  { name: 'ind_facility_lfd_on', facts: ['pickup_lfd_rail'], show: (box) => lfdOf(box.freeTime.rail, box) },
  { name: 'ind_facility_holds', facts: ['holds'], show: (box) => inland(box, holdsOf(box)) },
  { name: 'ind_facility_fees', facts: ['fees'], show: (box) => inland(box, feesOf(box)) },
  { name: 'equipment_type', facts: ['size_type'], show: (box) => box.equipment?.type ?? null },
  { name: 'equipment_length', facts: ['size_type'], show: (box) => box.equipment?.lengthFeet ?? null },
  { name: 'equipment_height', facts: ['size_type'], show: (box) => box.equipment?.height ?? null },
  { name: 'weight_in_lbs', facts: ['weight_kg'], show: (box) => poundsOf(box.weightKg) },
  { name: 'seal_number', facts: ['seal_number'], show: (box) => box.sealNumber },
]

interface SourcedChangeset {
  readonly source: SourceKind
  readonly changeset: Changeset
}

/** One changeset for each source, in the order of the fields. Empty when no watched field has changed. */
export function compareFields(
  before: ContainerProjection,
  after: ContainerProjection,
): readonly SourcedChangeset[] {
  const bySource = new Map<SourceKind, Record<string, readonly [unknown, unknown]>>()
  for (const field of watchedFields) {
    const [from, to] = [field.show(before), field.show(after)]
    if (isSameValue(field.name, from, to, before, after)) continue
    const source = speakerOf(field.facts, after) ?? speakerOf(field.facts, before) ?? 'shipping_line'
    const changeset = bySource.get(source) ?? {}
    changeset[field.name] = [from, to]
    bySource.set(source, changeset)
  }
  return [...bySource].map(([source, changeset]) => ({ source, changeset }))
}

function isSameValue(
  name: string,
  from: unknown,
  to: unknown,
  before: ContainerProjection,
  after: ContainerProjection,
): boolean {
  if (name === 'pod_terminal') return isSameTerminal(before.podTerminal, after.podTerminal)
  return JSON.stringify(from) === JSON.stringify(to)
}

/** The source of the first of these facts that anybody stated. */
export function speakerOf(facts: readonly FactName[], container: ContainerProjection): SourceKind | null {
  for (const fact of facts) {
    const speaker = container.saidBy[fact]
    if (speaker !== undefined) return speaker
  }
  return null
}

function feesOf({ fees }: ContainerProjection): unknown {
  return fees.map(({ type, amount, currencyCode }) => ({ type, amount, currency_code: currencyCode }))
}

function holdsOf({ holds }: ContainerProjection): unknown {
  return holds.map(({ name, status, description }) => ({ name, status, description }))
}

/** Null for a box that does not go inland. For one that does, an empty list is null as well. */
function inland(container: ContainerProjection, list: unknown): unknown {
  return container.destination === null || (Array.isArray(list) && list.length === 0) ? null : list
}

function lfdOf(lfd: EventTime | null, container: ContainerProjection): string | null {
  return lfd === null ? null : lfdInstant(lfd, container.pickupTimeZone)
}

function momentOf(time: EventTime | null, timeZone: string | null): string | null {
  return time === null ? null : instantOf(time, timeZone).at
}
