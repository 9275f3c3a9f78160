/**
 * The terminal operators and railways that can be asked, each by one of four workflows, and the places that they serve.
 */
import type { Site } from './gate-hours.ts'
import { getPlace, rampsOf } from './places.ts'
import { RAILWAYS } from './rail-trip.ts'

export const WORKFLOWS = ['ask', 'ask_many', 'queue', 'subscribe'] as const
export type Workflow = (typeof WORKFLOWS)[number]

export interface Facility {
  /** Its name in its address, and in the name of the channel that asks it. */
  readonly name: string
  readonly title: string
  readonly site: Site
  /** The product's code of the speaker: a railway's SCAC, or an invented code for an operator. */
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

/** The operator of the terminals at the place where a box is discharged. */
export function terminalOperatorAt(place: string): Facility | null {
  return TERMINALS.find(({ serves }) => serves(place)) ?? null
}

/** The name of the channel by which the installation asks the facility. */
export function channelOf(name: string): string {
  return `sandbox-${name}`
}

/** The operator's code of one of its terminals. */
export function standCode(place: string, terminal: string | null): string {
  return terminal === null ? place : `${place}.${terminal}`
}

/** The railway's name of a place. */
export function stationName(place: string): string {
  return getPlace(place).name.toUpperCase()
}

function operator(name: string, title: string, code: string, workflow: Workflow, serves: Facility['serves']): Facility {
  return { name, title, site: 'port', code, workflow, serves }
}
