/** Container ships by IMO number, never by MMSI or name: names change, and several ships bear one. */

import { parseImoNumber } from '../core/identifiers.ts'
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
  const line = number.ok ? lines().get(number.value) : undefined
  if (!number.ok || line === undefined) return null
  const cells = readCells(line)
  return {
    id: idOf(number.value),
    imo: number.value,
    name: getCell(cells, 1),
    formerNames: cells(2)?.split('|') ?? [],
  }
}

export function findVesselById(id: string): KnownVessel | null {
  const imo = ids().find(id)
  return imo === null ? null : findVesselByImo(imo)
}

/** The id of the ship with this IMO number, whether or not we list it; null when the check digit is wrong. */
export function vesselId(imo: string): string | null {
  const number = parseImoNumber(imo)
  return number.ok ? idOf(number.value) : null
}

function idOf(imo: string): string {
  return uuidV5(LANDFALL_NAMESPACE, `vessel:${imo}`)
}

const lines = once(
  () => new Map(readTableLines('vessels.tsv.gz').map((line) => [line.slice(0, 7), line] as const)),
)
const ids = once(() => makeIdIndex([...lines().keys()], idOf))
