/**
 * Ocean terminals, rail ramps and facilities from customs' list, found by an exact code: an SMDG code within its port,
 * a FIRMS code anywhere in the United States.
 */

import { parseUnLocode } from '../domain/values/identifiers.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../platform/ids.ts'
import { findCountryName } from './countries.ts'
import { type Cells, getCell, once, readCells, readTable, readTableLines } from './data-files.ts'
import { currentTerminal, findImportedTerminal, findImportedTerminalById, withImported } from './imported-terminals.ts'
import { plainName } from './plain-name.ts'
import { canonicalUnlocode } from './port-overrides.ts'
import { findSubdivisionName } from './subdivisions.ts'
import type { FacilityCode, Terminal } from './terminal.ts'

/**
 * Null for an unknown code, and for an SMDG code without its place. Hardly any BIC code is known, because BIC's list
 * is not shipped.
 */
export function findTerminal({ provider, code, unlocode = null }: FacilityCode): Terminal | null {
  const normalized = code.trim().toUpperCase()
  const place = unlocode === null ? null : canonicalOf(unlocode)
  const found = findImportedTerminal({ provider, code: normalized, unlocode: place })
  if (found !== null) return found
  if (provider === 'FIRMS') {
    const listed = terminals().byFirmsCode.get(normalized) ?? findCustomsFacility(normalized)
    return listed === null ? null : currentTerminal(listed)
  }
  const listed =
    provider === 'BIC' ? terminals().byBicCode.get(normalized) : terminals().bySmdgCode.get(`${place}:${normalized}`)
  return listed === undefined ? null : currentTerminal(listed)
}

export function findTerminalById(id: string): Terminal | null {
  const key = id.toLowerCase()
  return (
    findImportedTerminalById(key) ?? terminals().byId.get(key) ?? findCustomsFacility(firmsCodesById().get(key) ?? '')
  )
}

/**
 * The ocean terminals of a port, and the ramps of a city or its metropolitan area. Customs' other facilities are left
 * out.
 */
export function terminalsAt(unlocode: string): readonly Terminal[] {
  const place = canonicalOf(unlocode)
  return withImported(terminals().byPlace.get(place) ?? [], place)
}

/** As `terminalsAt`, without the ramps. */
export function oceanTerminalsAt(unlocode: string): readonly Terminal[] {
  return terminalsAt(unlocode).filter(({ facilityType }) => facilityType !== 'rail_terminal')
}

function canonicalOf(unlocode: string): string {
  const parsed = parseUnLocode(unlocode)
  return parsed.ok ? canonicalUnlocode(parsed.value) : ''
}

/** All ocean terminals and ramps, without customs' other facilities. */
export function allTerminals(): readonly Terminal[] {
  return withImported([...terminals().byId.values()], null)
}

export interface ListedTerminal {
  readonly terminal: Terminal
  /** A FIRMS code that customs has deactivated. It still finds the terminal, but is no longer shown. */
  readonly formerFirmsCode: string | null
  readonly isCustomsFacility: boolean
}

/** The terminals of our own lists, including customs' other facilities, without any import. */
export function* listedTerminals(): Generator<ListedTerminal> {
  for (const read of readOwnTerminals()) yield { ...read, isCustomsFacility: false }
  for (const code of customsFacilities().keys()) {
    const terminal = findCustomsFacility(code)
    if (terminal !== null) yield { terminal, formerFirmsCode: null, isCustomsFacility: true }
  }
}

/** The ocean terminals and ramps of our own lists, without any import. */
export function ownTerminals(): readonly Terminal[] {
  return readOwnTerminals().map(({ terminal }) => terminal)
}

function readOwnTerminals(): readonly ReadTerminal[] {
  return [...readTable('terminals.tsv', readOceanTerminal), ...readTable('rail-terminals.tsv', readRailTerminal)]
}

const terminals = once(() => {
  const byId = new Map<string, Terminal>()
  const byFirmsCode = new Map<string, Terminal>()
  const bySmdgCode = new Map<string, Terminal>()
  const byBicCode = new Map<string, Terminal>()
  const byPlace = new Map<string, Terminal[]>()
  for (const { terminal, formerFirmsCode } of readOwnTerminals()) {
    byId.set(terminal.id, terminal)
    const firmsCode = terminal.firmsCode ?? formerFirmsCode
    if (firmsCode !== null) byFirmsCode.set(firmsCode, terminal)
    if (terminal.smdgCode !== null) bySmdgCode.set(`${terminal.unlocode}:${terminal.smdgCode}`, terminal)
    if (terminal.bicFacilityCode !== null) byBicCode.set(terminal.bicFacilityCode, terminal)
    for (const unlocode of new Set([terminal.unlocode, terminal.metroUnlocode])) {
      if (unlocode !== null) byPlace.set(unlocode, [...(byPlace.get(unlocode) ?? []), terminal])
    }
  }
  return { byId, byFirmsCode, bySmdgCode, byBicCode, byPlace }
})

type ReadTerminal = Pick<ListedTerminal, 'terminal' | 'formerFirmsCode'>

function readOceanTerminal(cells: Cells): ReadTerminal {
  const name = getCell(cells, 0)
  const unlocode = canonicalUnlocode(getCell(cells, 1))
  const [firmsCode, smdgCode] = [cells(2), cells(4)]
  const terminal: Terminal = {
    ...unknownTerminal,
    ...readAddress({
      street: cells(5),
      city: cells(6),
      state: cells(7),
      zip: cells(8),
      country: unlocode.slice(0, 2),
    }),
    id: oceanTerminalId({ unlocode, smdgCode, name }),
    name,
    nickname: cells(9),
    facilityType: 'ocean_terminal',
    firmsCode,
    smdgCode,
    bicFacilityCode: cells(10),
    unlocode,
    // The terminal's own point or none. With the harbour's point, a ship at anchor in the harbour would count as
    // arrived at the terminal.
    ...readPoint(cells(11), cells(12)),
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
    ...readPoint(cells(10), cells(11)),
  }
  return { terminal, formerFirmsCode: null }
}

function readPoint(latitude: string | null, longitude: string | null): Pick<Terminal, 'latitude' | 'longitude'> {
  return {
    latitude: latitude === null ? null : Number(latitude),
    longitude: longitude === null ? null : Number(longitude),
  }
}

/** A pier, container station or inspection site in CBP's list that is not one of the terminals in our other tables. */
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
    // CBP type 03 is a pier. 01 (container station) and 05 (inspection facility) lie inland of the port.
    facilityType: cells(2) === '03' ? 'ocean_terminal' : 'off_dock',
    firmsCode,
    unlocode: cells(3),
  }
}

const customsFacilities = once(
  () => new Map(readTableLines('firms.tsv.gz').map((line) => [line.slice(0, line.indexOf('\t')), line] as const)),
)
const firmsCodesById = once(
  () => new Map([...customsFacilities().keys()].map((code) => [customsFacilityId(code), code] as const)),
)

export function customsFacilityId(firmsCode: string): string {
  return terminalId(`firms:${firmsCode}`)
}

/**
 * The id follows from the terminal's code, or from its name when its list has no codes. `unlocode` must be the
 * canonical code.
 */
export function oceanTerminalId(of: {
  readonly unlocode: string
  readonly smdgCode: string | null
  readonly name: string
}): string {
  return terminalId(`${of.unlocode}:${of.smdgCode ? `smdg:${of.smdgCode}` : `name:${plainName(of.name)}`}`)
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
