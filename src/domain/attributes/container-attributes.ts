/**
 * The attributes of a container, in the order of the API: of each its schema, its value, and whether it is compared.
 * The resource of the API with its description, `landfall migrate diff` and the values of published changes follow from
 * these rows. `docs/adding.md` explains one step by step.
 */

import type { Charger } from '../charges/terms.ts'
import { type Fee, feeTypes, type Hold, sourceKinds } from '../statements/observation.ts'
import { type EventTime, instantOf, localMidnight } from '../values/time.ts'
import type { CalculatedFreeDays, FreeDay } from '../view/free-time.ts'
import { freeDayGivers, freeDaysOf, lfdInstant, pickupLfd } from '../view/free-time.ts'
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

type Giver = 'line' | 'terminal'

/** What is shown of a container and is not in its projection. Times are ISO 8601 UTC. */
export interface ContainerContext {
  readonly refNumbers: readonly string[]
  readonly createdAt: string
  readonly status: string
  /** When the shipment's line was last polled. */
  readonly lastAttemptedAt: string | null
  readonly happened: ReadonlyMap<MilestoneName, Moment>
  readonly hasLeftByRail: boolean
  readonly inland: InlandMoves<Moment>
  /** When sources of each kind last stated something. */
  readonly heardAt: Readonly<Record<'terminal' | 'podTerminal' | 'rail', string | null>>
  readonly calculatedFreeDays: CalculatedFreeDays
  /** The day by which somebody must act. */
  readonly actsOn: string | null
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

const deadline = objectSchema({
  original: { ...instantOrNull, description: 'As it was stated first. Null if that is not known.' },
  current: { ...instantOrNull, description: 'As it is stated now.' },
  calculated: { ...instantOrNull, description: "By the account's own terms of free time." },
  manual: { ...boolean, description: 'A person of the account stated `current`.' },
})
const selection = {
  enum: ['facility', 'line_calculated', null],
  description:
    'Null: the day that the line stated, or no day. `line_calculated` is of the contract, and does not occur: only stated days are selected.',
}

const freeDay = {
  on: { ...text, format: 'date' },
  by: { ...text, enum: freeDayGivers, description: "Who charges, or `terms`: the account's own terms." },
  said_by: { enum: [...sourceKinds, null], description: 'The kind of the source that stated it.' },
  terms_code: { ...textOrNull, description: 'Code of the terms.' },
}
const freeUntil = {
  ...objectSchema({ ...freeDay, timezone: zoneOrNull, others: { type: 'array', items: objectSchema(freeDay) } }),
  type: ['object', 'null'],
  description:
    "The last free day that counts: the earliest that one who charges has named, or that the account's own terms give, with the `others` in their order. A calendar day at the place of pick-up; the whole day is free. Null if none is known.",
}

const actReasons = ['free_time', 'hold', 'train'] as const
const actBy = {
  ...objectSchema({ on: { ...text, format: 'date' }, reason: { ...text, enum: actReasons } }),
  type: ['object', 'null'],
  description:
    'The day by which somebody must act, by which `sort=urgency` sorts, and why: `free_time`: its last free day; `hold`: the day since which it is held at its terminal or ramp; `train`: the third day of its wait for a train. Null if nobody must act, or if no day is known.',
}

const podDeadlines = {
  ...objectSchema({
    line: deadline,
    facility: deadline,
    unified: objectSchema({
      original_value: instantOrNull,
      original_selection: selection,
      current_value: instantOrNull,
      current_selection: selection,
    }),
  }),
  description:
    "Last free days at the port of discharge, as 00:00 local time there. `unified` is the line's, else the terminal's.",
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
  free_until: notCompared(freeUntil, (container, beside) => writeFreeUntil(container, freeDaysOf(container, beside))),
  act_by: notCompared(actBy, writeActBy),
}

/** The database gives the day (`acts_on`), because it sorts by it. */
function writeActBy(container: ContainerView, { actsOn, ...beside }: ContainerContext) {
  if (actsOn === null) return null
  const isFree = freeDaysOf(container, beside)[0]?.on === actsOn
  const reason: (typeof actReasons)[number] = isFree ? 'free_time' : container.holds.length > 0 ? 'hold' : 'train'
  return { on: actsOn, reason }
}

function writeFreeUntil({ pickupTimeZone }: ContainerView, days: readonly FreeDay[]) {
  const [first, ...others] = days.map(({ on, by, source, termsCode }) => {
    return { on, by, said_by: source, terms_code: termsCode }
  })
  return first === undefined ? null : { ...first, timezone: pickupTimeZone, others }
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

/** The last free days at the port of discharge: the line's, the terminal's, and the one that counts. None of a ramp. */
function podDeadlinesOf(container: ContainerView, calculated: CalculatedFreeDays): Readonly<Record<string, unknown>> {
  const { freeTime, firstFreeDays = {}, portOfDischarge, pickupTimeZone, saidBy } = container
  // Inland, the place of pick-up is another one than the port.
  const timeZone = portOfDischarge.place?.timeZone ?? pickupTimeZone
  const write = (time: EventTime | null = null): string | null => (time === null ? null : lfdInstant(time, timeZone))
  const writeCalculated = (of: Giver): string | null => {
    const day = earliestDayAtPort(calculated, of)
    return day === null ? null : localMidnight(day, timeZone)
  }
  const writeDeadline = (of: Giver): Readonly<Record<string, unknown>> => ({
    original: write(firstFreeDays[of]?.time),
    current: write(freeTime[of]),
    calculated: writeCalculated(of),
    manual: saidBy[`pickup_lfd_${of}`] === 'user',
  })
  const original = findFirstGiver(container)
  const current = freeTime.line !== null ? 'line' : 'terminal'
  return {
    line: writeDeadline('line'),
    facility: writeDeadline('terminal'),
    unified: {
      original_value: original === null ? null : write(firstFreeDays[original]?.time),
      original_selection: original === 'terminal' ? 'facility' : null,
      current_value: write(freeTime[current]),
      current_selection: current === 'terminal' && freeTime.terminal !== null ? 'facility' : null,
    },
  }
}

/** Whose day counted first: that of the one who wrote first. Null when nobody did, or when that is not known. */
function findFirstGiver({ freeTime, firstFreeDays = {} }: ContainerView): Giver | null {
  const { line, terminal } = firstFreeDays
  if ((freeTime.line !== null && line === undefined) || (freeTime.terminal !== null && terminal === undefined))
    return null
  if (line !== undefined && (terminal === undefined || line.writtenAt <= terminal.writtenAt)) return 'line'
  return terminal === undefined ? null : 'terminal'
}

/** The last free day at the port by the terms of one charger: the earliest, where terms of several kinds give one. */
function earliestDayAtPort(days: CalculatedFreeDays, chargedBy: Charger): string | null {
  const slots = ['demurrage', 'storage', 'combined'].map((kind) => `${chargedBy} ${kind} port`)
  const found = days.flatMap(([slot, day]) => (day !== null && slots.includes(slot) ? [day] : []))
  return found.toSorted()[0] ?? null
}
