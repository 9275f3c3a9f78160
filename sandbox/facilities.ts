/** The terminal operators and railways that speak, each by one of the four workflows, and the places that they serve. */
import type { Site } from './gate-hours.ts'
import { getPlace, rampsOf } from './places.ts'
import { RAILWAYS } from './rail-trip.ts'

export const WORKFLOWS = ['ask', 'ask_many', 'queue', 'subscribe'] as const
export type Workflow = (typeof WORKFLOWS)[number]

export interface Facility {
  /** In its address, and of the channel that asks it. */
  readonly name: string
  readonly title: string
  readonly site: Site
  /** By which the product calls the speaker: a railway's SCAC, an operator's invented code. */
  readonly code: string
  readonly workflow: Workflow
  readonly serves: (place: string) => boolean
}

const pacific = /^US(LGB|OAK|SEA|TIW|HNL)|^CAPRR/
const atlantic = /^(US|CA)(NYC|SAV|ORF|HOU|MIA|JAX|BAL|PHL|ILM|PEF|PME|HAL|MTR)/
const harbours = /^USLAX|^CAVAN|^GU|^(CN|JP|KR|TW|HK|VN|TH|PH|ID|MY|SG|AU|NZ|FJ|WS|NC|PG|IN|BD|LK)/

const TERMINALS: readonly Facility[] = [
  operator('pierhead', 'Pierhead Terminals', 'SBXP', 'ask_many', (place) => pacific.test(place)),
  operator('gatenet', 'Gatenet, a network of terminals', 'SBXG', 'queue', (place) => atlantic.test(place)),
  operator('harborline', 'Harborline Terminals', 'SBXH', 'subscribe', (place) => harbours.test(place)),
  operator(
    'quayside',
    'Quayside Terminals',
    'SBXQ',
    'ask',
    (place) => !pacific.test(place) && !atlantic.test(place) && !harbours.test(place),
  ),
]

const RAIL_WORKFLOWS: Readonly<Record<(typeof RAILWAYS)[number], Workflow>> = {
  BNSF: 'ask_many',
  UPRR: 'subscribe',
  CSXT: 'queue',
  NSRR: 'ask_many',
  CNRU: 'ask',
  CPRS: 'ask',
}

export const FACILITIES: readonly Facility[] = [
  ...TERMINALS,
  ...RAILWAYS.map(
    (code): Facility => ({
      name: code.toLowerCase(),
      title: `${code}, played`,
      site: 'ramp',
      code,
      workflow: RAIL_WORKFLOWS[code],
      serves: (place) => rampsOf(place).some(([railway]) => railway === code),
    }),
  ),
]

export function findFacility(name: string): Facility | null {
  return FACILITIES.find((facility) => facility.name === name.toLowerCase()) ?? null
}

/** Where boxes come ashore: the operator of that place. */
export function terminalOperatorAt(place: string): Facility | null {
  return TERMINALS.find(({ serves }) => serves(place)) ?? null
}

/** Of the installation that has it asked. */
export function channelOf(name: string): string {
  return `sandbox-${name}`
}

/** What the operator of a terminal calls one of its terminals. */
export function standCode(place: string, terminal: string | null): string {
  return terminal === null ? place : `${place}.${terminal}`
}

/** A railway's name of a place. */
export function stationName(place: string): string {
  return getPlace(place).name.toUpperCase()
}

function operator(
  name: string,
  title: string,
  code: string,
  workflow: Workflow,
  serves: Facility['serves'],
): Facility {
  return { name, title, site: 'port', code, workflow, serves }
}
