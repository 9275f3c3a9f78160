/**
 * `terminal` and `rail_terminal`: where a container can be picked up or delivered, found by its id in the reference
 * data.
 */

import { type IdentifiedReading, type Identifier, type ResourceKind, toOne } from '../../api/shape/resource-kind.ts'
import * as schema from '../../api/shape/schema.ts'
import { findRailroad } from '../../reference/railroads.ts'
import { type Terminal, terminalTypes } from '../../reference/terminal.ts'
import { findTerminalById } from '../../reference/terminals.ts'
import { linkPlace, type PlaceReading, readingOfPlace, readPlace } from '../ports/place-resource.ts'

export interface TerminalReading extends IdentifiedReading {
  readonly type: 'terminal' | 'rail_terminal'
  readonly terminal: Terminal
}

/** Always as `terminal`, also for a ramp: for relations that allow no other type. */
export function readTerminal(id: string | null | undefined): TerminalReading | null {
  const terminal = id ? findTerminalById(id) : null
  return terminal === null ? null : { type: 'terminal', id: terminal.id, terminal }
}

/** A terminal as `terminal`, a ramp as `rail_terminal`. */
export function readFacility(id: string | null | undefined): TerminalReading | null {
  const terminal = id ? findTerminalById(id) : null
  return terminal === null ? null : readingOfFacility(terminal)
}

export function readingOfFacility(terminal: Terminal): TerminalReading {
  const type = terminal.facilityType === 'rail_terminal' ? 'rail_terminal' : 'terminal'
  return { type, id: terminal.id, terminal }
}

const provided = [
  'pickup_lfd',
  'pod_full_out_at',
  'available_for_pickup',
  'fees_at_pod_terminal',
  'holds_at_pod_terminal',
  'pickup_appointment_at',
  'location_at_pod_terminal',
  'pod_full_out_chassis_number',
]
/** The contract's attribute for what a terminal provides. It is always false here. */
const providedData = Object.fromEntries(
  provided.flatMap((name) => [
    [name, false],
    [`${name}_notes`, ''],
  ]),
)

const noFirms = {
  description: 'Empty where there is none: U.S. customs gives it in the United States alone.',
}

/** Typed clients accept no null here. */
function cityOf({ city, unlocode }: Terminal): string {
  return city ?? readPlace(unlocode)?.place.name ?? ''
}

export const terminal: ResourceKind<TerminalReading> = {
  type: 'terminal',
  attributes: {
    name: schema.text(),
    nickname: schema.text({ description: 'The short name, or the name if there is no short one.' }),
    firms_code: schema.text(noFirms),
    smdg_code: schema.textOrNull(),
    bic_facility_code: schema.textOrNull(),
    street: schema.textOrNull(),
    city: schema.text({ description: 'Where no address is known: the town of its UN/LOCODE.' }),
    state: schema.textOrNull(),
    state_abbr: schema.textOrNull(),
    zip: schema.text({ description: 'Empty where it is not known.' }),
    country: schema.text(),
    provided_data: { type: 'object', additionalProperties: { type: ['boolean', 'string'] } },
    facility_type: schema.oneOf(terminalTypes),
    id: schema.id(),
  },
  relations: { port: toOne('port', 'metro_area') },
  write: ({ terminal }) => ({
    name: terminal.name,
    nickname: terminal.nickname ?? terminal.name,
    firms_code: terminal.firmsCode ?? '',
    smdg_code: terminal.smdgCode,
    bic_facility_code: terminal.bicFacilityCode,
    street: terminal.street,
    city: cityOf(terminal),
    state: terminal.state,
    state_abbr: terminal.stateAbbr,
    zip: terminal.zip ?? '',
    country: terminal.country,
    provided_data: providedData,
    facility_type: terminal.facilityType,
    id: terminal.id,
  }),
  link: ({ terminal }) => ({ port: linkPlace(terminal.unlocode) }),
}

export const railTerminal: ResourceKind<TerminalReading> = {
  type: 'rail_terminal',
  attributes: {
    name: schema.text(),
    nickname: schema.text({ description: 'The short name, or the name if there is no short one.' }),
    firms_code: schema.text(noFirms),
    city: schema.text(),
    id: schema.id(),
  },
  relations: { port: toOne('port'), metro_area: toOne('metro_area') },
  write: ({ terminal }) => ({
    name: terminal.name,
    nickname: terminal.nickname ?? terminal.name,
    firms_code: terminal.firmsCode ?? '',
    city: cityOf(terminal),
    id: terminal.id,
  }),
  link: ({ terminal }) => ({
    port: linkOf(placeOfRamp(terminal, 'port')),
    metro_area: linkOf(placeOfRamp(terminal, 'metro_area')),
  }),
  meta: {
    properties: {
      rail_carrier: schema.anyOf([
        schema.object({ scac: schema.text(), name: schema.text() }),
        schema.nothing({ description: 'Null: the railroad is not known.' }),
      ]),
    },
    write: ({ terminal: { railCarrierScac } }) => {
      const railroad = railCarrierScac === null ? null : findRailroad(railCarrierScac)
      return { rail_carrier: railroad === null ? null : { scac: railroad.scac, name: railroad.name } }
    },
  },
}

/**
 * The metro area that a ramp serves, or its port: that of its own town, otherwise that of the area if this is a port
 * too.
 */
export function placeOfRamp({ unlocode, metroUnlocode }: Terminal, type: PlaceReading['type']): PlaceReading | null {
  const [ownPlace, area] = [readPlace(unlocode), readPlace(metroUnlocode)]
  if (type === 'port') return [ownPlace, area].find((place) => place?.type === 'port') ?? null
  return area === null ? null : readingOfPlace({ ...area.place, kind: 'metro_area' })
}

function linkOf(reading: PlaceReading | null): Identifier | null {
  return reading === null ? null : { type: reading.type, id: reading.id }
}
