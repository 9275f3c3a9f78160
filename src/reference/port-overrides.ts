/**
 * Which codes mean the same port, and our name for it. UN/LOCODE lists airports, sea ports and cities separately
 * (CNSHA, CNSHG, CNSGH), while carriers send any of them for the port.
 */

import { getCell, once, readCells, readTableLines } from './data-files.ts'

export interface PortOverride {
  readonly unlocode: string
  readonly canonicalUnlocode: string
  readonly displayName: string
}

/** The code that an alias means. Any other code is returned as it is. */
export function canonicalUnlocode(unlocode: string): string {
  return imported.get(unlocode) ?? overrides().get(unlocode)?.canonicalUnlocode ?? unlocode
}

/** Aliases that the operator imported. Each import replaces them all. */
let imported: ReadonlyMap<string, string> = new Map()

export function overlayAliases(aliases: readonly { readonly alias: string; readonly unlocode: string }[]): void {
  imported = new Map(aliases.map(({ alias, unlocode }) => [alias, unlocode]))
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
