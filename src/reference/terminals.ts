/**
 * Ocean terminals, rail ramps and customs-listed facilities, found by the code that names them exactly: a SMDG code
 * within its port, a FIRMS code anywhere in the United States.
 */

import { parseUnLocode } from '../core/identifiers.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../platform/ids.ts'
import { findCountryName } from './countries.ts'
import { type Cells, getCell, once, readCells, readTable, readTableLines } from './data-files.ts'
import { plainName } from './plain-name.ts'
import { canonicalUnlocode } from './port-overrides.ts'
import { findSubdivisionName } from './subdivisions.ts'

export const terminalTypes = ['ocean_terminal', 'rail_terminal', 'off_dock'] as const
export type TerminalType = (typeof terminalTypes)[number]

export const facilityCodeProviders = ['SMDG', 'BIC', 'FIRMS'] as const
export interface FacilityCode {
  readonly provider: (typeof facilityCodeProviders)[number]
  readonly code: string
  /** The place, for SMDG codes are unique only within one; FIRMS codes need none. */
  readonly unlocode?: string | null
}

export interface Terminal {
  readonly id: string
  readonly name: string
  readonly nickname: string | null
  readonly facilityType: TerminalType
  readonly firmsCode: string | null
  readonly smdgCode: string | null
  readonly bicFacilityCode: string | null
  readonly street: string | null
  readonly city: string | null
  readonly state: string | null
  readonly stateAbbr: string | null
  readonly zip: string | null
  readonly countryCode: string
  readonly country: string
  /** The canonical code of its port or, for a ramp, of its city. */
  readonly unlocode: string | null
  /** The metropolitan area that a ramp serves. */
  readonly metroUnlocode: string | null
  /** The railroad that runs a ramp. */
  readonly railCarrierScac: string | null
  readonly latitude: number | null
  readonly longitude: number | null
}

/** Null for an unknown code, and for a SMDG code without its place. No list of BIC facility codes is shipped. */
export function findTerminal({ provider, code, unlocode = null }: FacilityCode): Terminal | null {
  const tidy = code.trim().toUpperCase()
  if (provider === 'FIRMS') return terminals().byFirmsCode.get(tidy) ?? findCustomsFacility(tidy)
  if (provider === 'BIC' || unlocode === null) return null
  return terminals().bySmdgCode.get(`${canonicalOf(unlocode)}:${tidy}`) ?? null
}

export function findTerminalById(id: string): Terminal | null {
  return (
    terminals().byId.get(id.toLowerCase()) ??
    findCustomsFacility(firmsCodesById().get(id.toLowerCase()) ?? '')
  )
}

/** The ocean terminals of a port and the ramps of a city or its metropolitan area, without customs' other facilities. */
export function terminalsAt(unlocode: string): readonly Terminal[] {
  return terminals().byPlace.get(canonicalOf(unlocode)) ?? []
}

function canonicalOf(unlocode: string): string {
  const parsed = parseUnLocode(unlocode)
  return parsed.ok ? canonicalUnlocode(parsed.value) : ''
}

/** All ocean terminals and ramps, without customs' other facilities. */
export function allTerminals(): readonly Terminal[] {
  return [...terminals().byId.values()]
}

const terminals = once(() => {
  const byId = new Map<string, Terminal>()
  const byFirmsCode = new Map<string, Terminal>()
  const bySmdgCode = new Map<string, Terminal>()
  const byPlace = new Map<string, Terminal[]>()
  for (const { terminal, formerFirmsCode } of [
    ...readTable('terminals.tsv', readOceanTerminal),
    ...readTable('rail-terminals.tsv', readRailTerminal),
  ]) {
    byId.set(terminal.id, terminal)
    const firmsCode = terminal.firmsCode ?? formerFirmsCode
    if (firmsCode !== null) byFirmsCode.set(firmsCode, terminal)
    if (terminal.smdgCode !== null) bySmdgCode.set(`${terminal.unlocode}:${terminal.smdgCode}`, terminal)
    for (const unlocode of new Set([terminal.unlocode, terminal.metroUnlocode])) {
      if (unlocode !== null) byPlace.set(unlocode, [...(byPlace.get(unlocode) ?? []), terminal])
    }
  }
  return { byId, byFirmsCode, bySmdgCode, byPlace }
})

interface ReadTerminal {
  readonly terminal: Terminal
  /** A code that customs has deactivated: it still names the terminal, but is no longer given out. */
  readonly formerFirmsCode: string | null
}

function readOceanTerminal(cells: Cells): ReadTerminal {
  const name = getCell(cells, 0)
  const unlocode = canonicalUnlocode(getCell(cells, 1))
  const [firmsCode, smdgCode] = [cells(2), cells(4)]
  const key = smdgCode ? `smdg:${smdgCode}` : `name:${plainName(name)}`
  const terminal: Terminal = {
    ...unknownTerminal,
    ...readAddress({
      street: cells(5),
      city: cells(6),
      state: cells(7),
      zip: cells(8),
      country: unlocode.slice(0, 2),
    }),
    id: terminalId(`${unlocode}:${key}`),
    name,
    facilityType: 'ocean_terminal',
    firmsCode,
    smdgCode,
    unlocode,
  }
  return { terminal, formerFirmsCode: cells(3) }
}

function readRailTerminal(cells: Cells): ReadTerminal {
  const [railCarrierScac, name] = [getCell(cells, 0), getCell(cells, 1)]
  const [unlocode, metroUnlocode] = [cells(2), cells(3)]
  const country = getCell(cells, 8)
  const terminal: Terminal = {
    ...unknownTerminal,
    ...readAddress({ street: cells(5), city: cells(6), state: cells(7), zip: cells(9), country }),
    id: terminalId(`rail:${railCarrierScac}:${plainName(name)}`),
    name,
    facilityType: 'rail_terminal',
    firmsCode: cells(4),
    unlocode: unlocode ?? metroUnlocode,
    metroUnlocode,
    railCarrierScac,
    latitude: cells(10) === null ? null : Number(cells(10)),
    longitude: cells(11) === null ? null : Number(cells(11)),
  }
  return { terminal, formerFirmsCode: null }
}

/** A pier, container station or inspection site of CBP's list that is none of the terminals we know better. */
function findCustomsFacility(firmsCode: string): Terminal | null {
  const line = customsFacilities().get(firmsCode)
  if (line === undefined) return null
  const cells = readCells(line)
  return {
    ...unknownTerminal,
    ...readAddress({
      street: cells(4),
      city: cells(5),
      state: cells(6),
      zip: cells(7),
      country: getCell(cells, 8),
    }),
    id: customsFacilityId(firmsCode),
    name: getCell(cells, 1),
    // CBP type 03 is a pier; 01 (container station) and 05 (inspection facility) lie behind the port.
    facilityType: cells(2) === '03' ? 'ocean_terminal' : 'off_dock',
    firmsCode,
    unlocode: cells(3),
  }
}

const customsFacilities = once(
  () =>
    new Map(readTableLines('firms.tsv.gz').map((line) => [line.slice(0, line.indexOf('\t')), line] as const)),
)
const firmsCodesById = once(
  () => new Map([...customsFacilities().keys()].map((code) => [customsFacilityId(code), code] as const)),
)

function customsFacilityId(firmsCode: string): string {
  return terminalId(`firms:${firmsCode}`)
}

function terminalId(key: string): string {
  return uuidV5(LANDFALL_NAMESPACE, `terminal:${key}`)
}

const unknownTerminal = {
  nickname: null,
  firmsCode: null,
  smdgCode: null,
  bicFacilityCode: null,
  metroUnlocode: null,
  railCarrierScac: null,
  latitude: null,
  longitude: null,
} as const

interface WrittenAddress {
  readonly street: string | null
  readonly city: string | null
  readonly state: string | null
  readonly zip: string | null
  readonly country: string
}

type Address = Pick<Terminal, 'street' | 'city' | 'state' | 'stateAbbr' | 'zip' | 'countryCode' | 'country'>

function readAddress({ street, city, state, zip, country }: WrittenAddress): Address {
  return {
    street,
    city,
    state: state === null ? null : findSubdivisionName(country, state),
    stateAbbr: state,
    zip,
    countryCode: country,
    country: findCountryName(country) ?? country,
  }
}
