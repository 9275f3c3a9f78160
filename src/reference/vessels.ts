/** Container ships by IMO number, never by MMSI or name: names change, and several ships have the same name. */

import { mayBeSameVessel } from '../domain/statements/statement.ts'
import { parseImoNumber } from '../domain/values/identifiers.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../platform/ids.ts'
import { getCell, once, readCells, readTableLines } from './data-files.ts'
import { makeIdIndex } from './id-index.ts'

export interface KnownVessel {
  readonly id: string
  readonly imo: string
  readonly name: string
  readonly formerNames: readonly string[]
}

export function findVesselByImo(imo: string): KnownVessel | null {
  const number = parseImoNumber(imo)
  if (!number.ok) return null
  const known = imported.byImo.get(number.value)
  if (known !== undefined) return known
  const line = lines().get(number.value)
  return line === undefined ? null : readVessel(number.value, line)
}

export interface ShipName {
  readonly name: string | null
  /** The name of the ship in our list, when it differs from `name`. */
  readonly listedName: string | null
}

/**
 * The name of a ship on the wire. The name that the source wrote with the IMO number comes first: ships change their
 * names, and the source is newer. Without it, the name in our list. Null when neither has a name.
 */
export function nameShip(imo: string | null, statedName: string | null): ShipName {
  const listed = imo === null ? null : (findVesselByImo(imo)?.name ?? null)
  if (statedName === null || listed === null) return { name: statedName ?? listed, listedName: null }
  const isSame = mayBeSameVessel({ imo: null, name: statedName }, { imo: null, name: listed })
  return { name: statedName, listedName: isSame ? null : listed }
}

/** Some lists put a reporting number before the name: `0064 E.R. KOBE`. Null when the text is only a number. */
export function withoutRegisterNumber(name: string): string | null {
  const rest = name
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/^\d{4,}(?: |$)/, '')
  return rest === '' ? null : rest
}

function readVessel(imo: string, line: string): KnownVessel {
  const cells = readCells(line)
  return { id: idOf(imo), imo, name: getCell(cells, 1), formerNames: cells(2)?.split('|') ?? [] }
}

/** The ships of our own list, without any import. */
export function* listedVessels(): Generator<KnownVessel> {
  for (const [imo, line] of lines()) yield readVessel(imo, line)
}

interface ImportedVessels {
  readonly byImo: ReadonlyMap<string, KnownVessel>
  readonly byId: ReadonlyMap<string, KnownVessel>
}
let imported: ImportedVessels = { byImo: new Map(), byId: new Map() }

/** Ships that the operator imported. Each import replaces them all. Retired ships are still found. */
export function overlayVessels(vessels: readonly KnownVessel[]): void {
  imported = {
    byImo: new Map(vessels.map((vessel) => [vessel.imo, vessel])),
    byId: new Map(vessels.map((vessel) => [vessel.id, vessel])),
  }
}

export function findVesselById(id: string): KnownVessel | null {
  const known = imported.byId.get(id.toLowerCase())
  if (known !== undefined) return known
  const imo = ids().find(id)
  return imo === null ? null : findVesselByImo(imo)
}

/** The id of the ship with this IMO number, also when our list lacks the ship. Null when the check digit is wrong. */
export function vesselId(imo: string): string | null {
  const number = parseImoNumber(imo)
  return number.ok ? idOf(number.value) : null
}

function idOf(imo: string): string {
  return uuidV5(LANDFALL_NAMESPACE, `vessel:${imo}`)
}

const lines = once(() => new Map(readTableLines('vessels.tsv.gz').map((line) => [line.slice(0, 7), line] as const)))
const ids = once(() => {
  const keys = [...lines().keys()]
  return makeIdIndex({ count: keys.length, keyAt: (number) => keys[number] ?? null, idOf })
})
