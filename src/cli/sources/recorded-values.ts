/** What a recording can expect: the milestones and attributes that an answer gives, by the names of the API. */

import type { Treatment } from '../../connectors/dcsa/treatments.ts'
import { containerAttributes } from '../../domain/attributes/container-attributes.ts'
import { shipmentAttributes } from '../../domain/attributes/shipment-attributes.ts'
import { findSimilarWord } from '../../domain/geography/nearest.ts'
import { writeTime } from '../../domain/notation/notation-values.ts'
import { isUnLocode, parseContainerNumber } from '../../domain/values/identifiers.ts'
import { err, ok, type Result } from '../../domain/values/result.ts'
import { type EventTime, instantOf, localDateIn, parseEventTime } from '../../domain/values/time.ts'
import {
  containerStatuses,
  estimatedMilestoneNames,
  milestoneNames,
  type ShipmentProjection,
} from '../../domain/view/projection.ts'

/** A value that a person expects. Each member is as the person wrote it. */
export interface Expectation {
  /** Null: the shipment. */
  readonly container: string | null
  readonly name: string
  /** UN/LOCODE of a milestone; null: wherever it is. */
  readonly place: string | null
  /** Null: there is no such milestone, or the value is unknown. */
  readonly value: string | null
}

interface ReadValue {
  readonly container: string | null
  readonly name: string
  readonly place: string | null
  readonly value: EventTime | string
  readonly timeZone: string | null
}

export interface Difference extends Expectation {
  /** Null: nothing. */
  readonly read: string | null
}

const containerTexts = {
  current_status: 'keep',
  equipment_type: 'keep',
  equipment_length: 'keep',
  equipment_height: 'keep',
  seal_number: 'number',
} as const satisfies Readonly<Record<string, Treatment>>

const shipmentTexts = {
  port_of_lading_locode: 'keep',
  port_of_discharge_locode: 'keep',
  destination_locode: 'keep',
  pod_vessel_name: 'ship',
  pod_vessel_imo: 'imo',
  pod_voyage_number: 'voyage',
} as const satisfies Readonly<Record<string, Treatment>>

/** With the attribute that has the time zone of the place. */
const shipmentTimes = {
  pol_etd_at: 'pol_timezone',
  pol_atd_at: 'pol_timezone',
  pod_eta_at: 'pod_timezone',
  pod_ata_at: 'pod_timezone',
  destination_eta_at: 'destination_timezone',
  destination_ata_at: 'destination_timezone',
} as const

const milestones = [...milestoneNames, ...estimatedMilestoneNames.map((name) => `estimated.${name}`)]
export const namesOfContainer: readonly string[] = [...milestones, ...Object.keys(containerTexts)]
export const namesOfShipment: readonly string[] = [...Object.keys(shipmentTexts), ...Object.keys(shipmentTimes)]
const texts: Readonly<Record<string, Treatment>> = { ...containerTexts, ...shipmentTexts }

/** How the value of the name is redacted. */
export function treatmentOf(name: string): Treatment {
  return texts[name] ?? 'time'
}

export function listValues(shipment: ShipmentProjection): readonly ReadValue[] {
  const values: ReadValue[] = []
  const add = (container: string | null, name: string, value: unknown, timeZone: string | null = null): void => {
    if (value === null) return
    const time = timeZone === null ? null : parseEventTime(String(value))
    values.push({ container, name, place: null, value: time ?? String(value), timeZone })
  }
  for (const name of namesIn(shipmentTexts)) add(null, name, shipmentAttributes[name].value(shipment))
  for (const name of namesIn(shipmentTimes))
    add(
      null,
      name,
      shipmentAttributes[name].value(shipment),
      shipmentAttributes[shipmentTimes[name]].value(shipment) ?? 'UTC',
    )
  for (const container of shipment.containers) {
    for (const name of namesIn(containerTexts)) {
      const isStatus = name === 'current_status'
      add(container.number, name, isStatus ? container.status : containerAttributes[name].value(container))
    }
    for (const { kind, name, place, time } of container.milestones)
      values.push({
        container: container.number,
        name: kind === 'estimated' ? `estimated.${name}` : name,
        place: place.unlocode,
        value: time,
        timeZone: place.timeZone,
      })
  }
  return values
}

function namesIn<Name extends string>(table: Readonly<Record<Name, unknown>>): readonly Name[] {
  // The cast is safe: the tables are closed.
  return Object.keys(table) as Name[]
}

/** Null: what is expected was read. */
export function findDifference(expected: Expectation, values: readonly ReadValue[]): Difference | null {
  const found = values.filter(
    ({ container, name, place }) =>
      container === expected.container && name === expected.name && (expected.place ?? place) === place,
  )
  const isRead =
    expected.value === null ? found.length === 0 : found.some((each) => isEqual(expected.value ?? '', each))
  return isRead ? null : { ...expected, read: found.map(writeReadValue).join(', ') || null }
}

function writeReadValue({ value, place }: ReadValue): string {
  return `${typeof value === 'string' ? value : writeTime(value)}${place === null ? '' : ` at ${place}`}`
}

/** A day is the day at the place, a time without a zone is that of the place; seconds do not count. */
function isEqual(expected: string, { value, timeZone }: ReadValue): boolean {
  if (typeof value === 'string') return value.toUpperCase() === expected.toUpperCase()
  const time = parseEventTime(expected)
  if (time === null) return false
  const { at } = instantOf(value, timeZone)
  if (time.kind === 'day') return localDateIn(at, timeZone) === time.on
  return instantOf(time, timeZone).at.slice(0, 16) === at.slice(0, 16)
}

/**
 * `[<container>:]<name>[@<UN/LOCODE>]=<value>`. `container`: the one that is meant where the text names none. The error
 * is a sentence.
 */
export function parseExpectation(text: string, container: string | null): Result<Expectation, string> {
  const parts = /^(?:\s*([^:=@]+):)?\s*([^:=@\s]+)\s*(?:@\s*([^=\s]+))?\s*=\s*(.*?)\s*$/.exec(text)
  if (parts === null) return err(`"${text}" is not <milestone or attribute>[@<UN/LOCODE>] = <value>.`)
  const [, number = null, written = '', at = null, value = ''] = parts
  const name = written.toLowerCase()
  const isOfShipment = namesOfShipment.includes(name)
  if (!isOfShipment && !namesOfContainer.includes(name))
    return err(`${written} is not a milestone or attribute.${hint(written, [...namesOfContainer, ...namesOfShipment])}`)
  const named = number === null ? null : parseContainerNumber(number)
  if (named !== null && !named.ok) return err(`${number} is not a container number.`)
  if (named !== null && isOfShipment) return err(`${name} is an attribute of the shipment, not of a container.`)
  const place = at?.toUpperCase() ?? null
  if (place !== null && !milestones.includes(name)) return err(`${name} has no place.`)
  if (place !== null && !isUnLocode(place)) return err(`${at} is not a UN/LOCODE.`)
  const of = isOfShipment ? null : (named?.value ?? container)
  if (of === null && !isOfShipment) return err(`Which container? Write <container>:${text.trim()}`)
  const fault = value === '-' ? null : findFault(name, value)
  return fault === null ? ok({ container: of, name, place, value: value === '-' ? null : value }) : err(fault)
}

function findFault(name: string, value: string): string | null {
  if (name === 'current_status' && !containerStatuses.some((status) => status === value))
    return `${value} is not a status.${hint(value, containerStatuses)}`
  if (name.endsWith('_locode') && !isUnLocode(value)) return `${value} is not a UN/LOCODE.`
  if (treatmentOf(name) !== 'time') return value === '' ? `${name} needs a value, or - for none.` : null
  return parseEventTime(value) === null
    ? `"${value}" is not a time: 2026-05-03, 2026-05-03T14:30 (at the place), 2026-05-03T14:30Z, or - for none.`
    : null
}

function hint(word: string, known: readonly string[]): string {
  const nearest = findSimilarWord(word, known)
  return nearest === null ? ` One of: ${known.join(', ')}.` : ` Did you mean ${nearest}?`
}
