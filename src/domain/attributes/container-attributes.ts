/**
 * The attributes of a container, in the order of the API: of each its schema, its value, and whether it is compared.
 * The resource of the API with its description, `landfall migrate diff` and the values of published changes follow from
 * these rows. `docs/adding-an-attribute.md` explains one step by step.
 */

import { type Fee, feeTypes, type Hold } from '../statements/observation.ts'
import { type EventTime, instantOf } from '../values/time.ts'
import { lfdInstant, pickupLfd } from '../view/free-time.ts'
import type { InlandMoves } from '../view/inland-moves.ts'
import { type ContainerView, containerStatuses, type Leg, type MilestoneName } from '../view/projection.ts'
import {
  boolean,
  booleanOrNull,
  createAttributeMakers,
  instant,
  instantOrNull,
  numberOrNull,
  objectSchema,
  text,
  textOrNull,
  texts,
  zoneOrNull,
} from './attribute.ts'
import { type CalculatedFreeDays, podDeadlines, podDeadlinesOf } from './pod-deadlines.ts'

/** What is shown of a container and is not in its projection. Times are ISO 8601 UTC. */
export interface ContainerContext {
  readonly refNumbers: readonly string[]
  readonly createdAt: string
  readonly status: string
  /** When the shipment's line was last polled. */
  readonly lastAttemptedAt: string | null
  readonly happened: ReadonlyMap<MilestoneName, Moment>
  readonly inland: InlandMoves<Moment>
  /** When sources of each kind last stated something. */
  readonly heardAt: Readonly<Record<'terminal' | 'podTerminal' | 'rail', string | null>>
  readonly calculatedFreeDays: CalculatedFreeDays
  /** By their SCAC. */
  readonly railroads: Readonly<Record<'pod' | 'destination', string | null>>
}

interface Moment {
  readonly at: string
  readonly timeZone: string | null
}

const hold = objectSchema({
  name: { ...text, description: 'freight, customs, USDA, VACIS, TMF or other' },
  status: { ...text, enum: ['pending', 'hold'] },
  description: textOrNull,
})
const fee = objectSchema({
  type: { ...text, enum: feeTypes },
  amount: { type: 'number' },
  currency_code: { ...text, description: 'ISO 4217' },
})
const lfdOrNull = {
  ...instantOrNull,
  description: 'Last free day, as 00:00 local time of that day. The whole day is free.',
}

const { compared, notCompared } = createAttributeMakers<ContainerView, ContainerContext>()

export const containerAttributes = {
  number: notCompared(text, (container) => container.number),
  ref_numbers: notCompared(texts, (_, { refNumbers }) => refNumbers),
  equipment_type: compared(
    { enum: ['dry', 'reefer', 'open top', 'flat rack', 'bulk', 'tank', null] },
    (container) => container.equipment?.type ?? null,
  ),
  equipment_length: compared({ enum: [10, 20, 40, 45, null] }, (container) => container.equipment?.lengthFeet ?? null),
  equipment_height: compared(
    { enum: ['standard', 'high_cube', null] },
    (container) => container.equipment?.height ?? null,
  ),
  weight_in_lbs: compared(numberOrNull, (container) => poundsOf(container.weightKg)),
  created_at: notCompared(instant, (_, { createdAt }) => createdAt),
  seal_number: compared(textOrNull, (container) => container.sealNumber),
  pickup_lfd: compared(lfdOrNull, (container) => lfdAt(pickupLfd(container.freeTime), container)),
  pickup_appointment_at: compared(instantOrNull, (container) =>
    writeInstant(container.pickupAppointment, container.pickupTimeZone),
  ),
  availability_known: compared(boolean, (container) => container.available !== null),
  available_for_pickup: compared(booleanOrNull, (container) => container.available),
  pod_arrived_at: compared(
    instantOrNull,
    (container, { happened }) => happened.get('vessel_arrived')?.at ?? timeOf(container.portOfDischarge, 'ata'),
  ),
  pod_discharged_at: compared(instantOrNull, milestoneTimeOf('vessel_discharged')),
  pod_full_out_at: compared(instantOrNull, inlandTimeOf('outOfPort')),
  terminal_checked_at: notCompared(instantOrNull, (_, { heardAt: lastStatedAt }) => lastStatedAt.terminal),
  pod_full_out_chassis_number: compared(textOrNull, (container) => container.chassisNumber),
  location_at_pod_terminal: compared(textOrNull, (container) => container.yardLocation),
  final_destination_full_out_at: compared(instantOrNull, inlandTimeOf('outOfEnd')),
  empty_terminated_at: compared(instantOrNull, milestoneTimeOf('empty_in')),
  holds_at_pod_terminal: compared({ type: 'array', items: hold }, holdsOf),
  fees_at_pod_terminal: compared({ type: 'array', items: fee }, feesOf),
  pod_timezone: notCompared(zoneOrNull, (container) => zoneOf(container.portOfDischarge)),
  final_destination_timezone: notCompared(zoneOrNull, (container) => zoneOf(container.destination)),
  empty_terminated_timezone: notCompared(zoneOrNull, (_, { happened }) => happened.get('empty_in')?.timeZone ?? null),
  pod_rail_carrier_scac: compared(textOrNull, (_, { railroads }) => railroads.pod),
  ind_rail_carrier_scac: compared(textOrNull, (_, { railroads }) => railroads.destination),
  pod_last_tracking_request_at: notCompared(instantOrNull, (_, { heardAt: lastStatedAt }) => lastStatedAt.podTerminal),
  shipment_last_tracking_request_at: notCompared(instantOrNull, (_, beside) => beside.lastAttemptedAt),
  pod_rail_loaded_at: compared(instantOrNull, inlandTimeOf('loaded')),
  pod_rail_departed_at: compared(instantOrNull, inlandTimeOf('departed')),
  ind_eta_at: compared(instantOrNull, (container) => timeOf(container.destination, 'eta')),
  ind_ata_at: compared(instantOrNull, (container) => timeOf(container.destination, 'ata')),
  ind_rail_unloaded_at: compared(instantOrNull, inlandTimeOf('unloaded')),
  ind_facility_lfd_on: compared(instantOrNull, (container) => lfdAt(container.freeTime.rail, container)),
  import_deadlines: compared(
    objectSchema({
      pickup_lfd_terminal: instantOrNull,
      pickup_lfd_rail: instantOrNull,
      pickup_lfd_line: instantOrNull,
      pod: podDeadlines,
    }),
    (container, { calculatedFreeDays }) => ({
      pickup_lfd_terminal: lfdAt(container.freeTime.terminal, container),
      pickup_lfd_rail: lfdAt(container.freeTime.rail, container),
      pickup_lfd_line: lfdAt(container.freeTime.line, container),
      pod: podDeadlinesOf(container, calculatedFreeDays),
    }),
  ),
  current_status: compared({ ...text, enum: containerStatuses }, (_, { status }) => status),
  delivered_at: notCompared(instantOrNull, (container) =>
    writeInstant(container.deliveredAt, container.pickupTimeZone),
  ),
  empty_out_at: notCompared(instantOrNull, milestoneTimeOf('empty_out')),
  pol_full_in_at: notCompared(instantOrNull, milestoneTimeOf('full_in')),
  pol_vessel_loaded_at: notCompared(instantOrNull, milestoneTimeOf('vessel_loaded')),
  pol_vessel_departed_at: notCompared(
    instantOrNull,
    (container, { happened }) => happened.get('vessel_departed')?.at ?? timeOf(container.portOfLoading, 'atd'),
  ),
  rail_last_tracking_request_at: notCompared(instantOrNull, (_, { heardAt: lastStatedAt }) => lastStatedAt.rail),
  ind_facility_holds: notCompared({ type: ['array', 'null'], items: hold }, (container) =>
    container.destination === null ? null : holdsOf(container),
  ),
  ind_facility_fees: notCompared({ type: ['array', 'null'], items: fee }, (container) =>
    container.destination === null ? null : feesOf(container),
  ),
  ssl_lfd: notCompared(instantOrNull, (container) => lfdAt(container.freeTime.line, container)),
}

function milestoneTimeOf(name: MilestoneName) {
  return (_: ContainerView, { happened }: ContainerContext): string | null => happened.get(name)?.at ?? null
}

function inlandTimeOf(move: keyof InlandMoves<Moment>) {
  return (_: ContainerView, { inland }: ContainerContext): string | null => inland[move]?.at ?? null
}

export function holdsOf({ holds }: ContainerView): readonly Hold[] {
  return holds.map(({ name, status, description }) => ({ name, status, description }))
}

/** The amount of a `total` may contain that of other fees, so they cannot be added. 0 is a valid amount. */
export function feesOf({ fees }: ContainerView): readonly (Omit<Fee, 'currencyCode'> & { currency_code: string })[] {
  return fees.map(({ type, amount, currencyCode }) => ({ type, amount, currency_code: currencyCode }))
}

function zoneOf(leg: Leg | null): string | null {
  return leg?.place?.timeZone ?? null
}

function timeOf(leg: Leg | null, name: 'atd' | 'eta' | 'ata'): string | null {
  return writeInstant(leg?.[name] ?? null, zoneOf(leg))
}

function writeInstant(time: EventTime | null, timeZone: string | null): string | null {
  return time === null ? null : instantOf(time, timeZone).at
}

export function lfdAt(lfd: EventTime | null, { pickupTimeZone }: ContainerView): string | null {
  return lfd === null ? null : lfdInstant(lfd, pickupTimeZone)
}

/** International avoirdupois pound, exactly 0.45359237 kg; rounded to a whole pound, as no source is finer. */
export function poundsOf(kg: number | null): number | null {
  return kg === null ? null : Math.round(kg / 0.45359237)
}
