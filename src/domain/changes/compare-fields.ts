/** The fields of a container whose changes are published as `container.updated`, with the values that the API shows. */

import { containerAttributes, lfdAt } from '../attributes/container-attributes.ts'
import { isSameTerminal } from '../shipment/pod-terminal.ts'
import type { FactName, SourceKind } from '../statements/observation.ts'
import type { ContainerProjection } from '../view/projection.ts'
import type { Changeset } from './change.ts'

/**
 * A field of the wire, its value, and the facts that it is made of. The source of these facts is the source of the
 * change. The order is that of the changes.
 */
interface WatchedField {
  readonly facts: readonly FactName[]
  readonly show: (container: ContainerProjection) => unknown
}

const rows = containerAttributes
const lfds: readonly FactName[] = ['pickup_lfd_line', 'pickup_lfd_terminal', 'pickup_lfd_rail']

const watchedFields: Readonly<Record<string, WatchedField>> = {
  fees_at_pod_terminal: { facts: ['fees'], show: rows.fees_at_pod_terminal.value },
  holds_at_pod_terminal: { facts: ['holds'], show: rows.holds_at_pod_terminal.value },
  pickup_lfd: { facts: lfds, show: rows.pickup_lfd.value },
  pickup_lfd_line: { facts: ['pickup_lfd_line'], show: rows.ssl_lfd.value },
  pickup_lfd_terminal: {
    facts: ['pickup_lfd_terminal'],
    show: (container) => lfdAt(container.freeTime.terminal, container),
  },
  pickup_lfd_rail: { facts: ['pickup_lfd_rail'], show: rows.ind_facility_lfd_on.value },
  pickup_appointment_at: { facts: ['pickup_appointment'], show: rows.pickup_appointment_at.value },
  available_for_pickup: { facts: ['available'], show: rows.available_for_pickup.value },
  pod_terminal: { facts: ['pod_terminal'], show: (container) => container.podTerminal },
  location_at_pod_terminal: { facts: ['yard_location'], show: rows.location_at_pod_terminal.value },
  pod_full_out_chassis_number: { facts: ['chassis_number'], show: rows.pod_full_out_chassis_number.value },
  ind_facility_lfd_on: { facts: ['pickup_lfd_rail'], show: rows.ind_facility_lfd_on.value },
  ind_facility_holds: {
    facts: ['holds'],
    show: (container) => nullIfEmpty(rows.ind_facility_holds.value(container)),
  },
  ind_facility_fees: {
    facts: ['fees'],
    show: (container) => nullIfEmpty(rows.ind_facility_fees.value(container)),
  },
  equipment_type: { facts: ['size_type'], show: rows.equipment_type.value },
  equipment_length: { facts: ['size_type'], show: rows.equipment_length.value },
  equipment_height: { facts: ['size_type'], show: rows.equipment_height.value },
  weight_in_lbs: { facts: ['weight_kg'], show: rows.weight_in_lbs.value },
  seal_number: { facts: ['seal_number'], show: rows.seal_number.value },
}

interface SourcedChangeset {
  readonly source: SourceKind
  readonly changeset: Changeset
}

/** One changeset for each source, in the order of the fields. Empty when no watched field has changed. */
export function compareFields(before: ContainerProjection, after: ContainerProjection): readonly SourcedChangeset[] {
  const bySource = new Map<SourceKind, Record<string, readonly [unknown, unknown]>>()
  for (const [name, { facts, show }] of Object.entries(watchedFields)) {
    const [from, to] = [show(before), show(after)]
    if (isSameValue(name, from, to, before, after)) continue
    const source = sourceKindOf(facts, after) ?? sourceKindOf(facts, before) ?? 'shipping_line'
    const changeset = bySource.get(source) ?? {}
    changeset[name] = [from, to]
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
export function sourceKindOf(facts: readonly FactName[], container: ContainerProjection): SourceKind | null {
  for (const fact of facts) {
    const sourceKind = container.saidBy[fact]
    if (sourceKind !== undefined) return sourceKind
  }
  return null
}

/** Unlike the attribute, a changeset has null for a container that goes inland and has no holds or fees there. */
function nullIfEmpty(list: readonly unknown[] | null): readonly unknown[] | null {
  return list?.length === 0 ? null : list
}
