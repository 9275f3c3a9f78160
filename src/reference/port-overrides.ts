/**
 * Which codes stand for one and the same port, and what we call it: UN/LOCODE lists airports, sea ports and cities
 * apart (CNSHA, CNSHG, CNSGH), while carriers send any of them for the port.
 */

import { getCell, once, readCells, readTableLines } from './data-files.ts'

export interface PortOverride {
  readonly unlocode: string
  readonly canonicalUnlocode: string
  readonly displayName: string
}

/** The code of the place that this code stands for: itself, unless it is an alias. */
export function canonicalUnlocode(unlocode: string): string {
  return overrides().get(unlocode)?.canonicalUnlocode ?? unlocode
}

export function findPortOverride(unlocode: string): PortOverride | null {
  return overrides().get(unlocode) ?? null
}

export function allPortOverrides(): readonly PortOverride[] {
  return [...overrides().values()]
}

const overrides = once(() => {
  const byCode = new Map<string, PortOverride>()
  for (const line of readTableLines('port-overrides.tsv')) {
    const cells = readCells(line)
    const override = {
      unlocode: getCell(cells, 0),
      canonicalUnlocode: getCell(cells, 1),
      displayName: getCell(cells, 2),
    }
    byCode.set(override.unlocode, override)
  }
  return byCode
})
