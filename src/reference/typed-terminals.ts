/** Finds terminals and ramps by the names that people use for them. For searching only, never for reading a source. */

import { once } from './data-files.ts'
import { terminalNames } from './named-terminals.ts'
import { findPlaceByCode } from './places.ts'
import { findRailroad } from './railroads.ts'
import type { Terminal } from './terminal.ts'
import { ownTerminals } from './terminals.ts'
import { indexTypedNames, type Nearness } from './typed-names.ts'

/** By the terminal's id. */
export function findTypedTerminals(text: string): ReadonlyMap<string, Nearness> {
  return typedNames().find(text)
}

const typedNames = once(() => {
  const terminals = ownTerminals()
  return indexTypedNames([
    ...terminalNames().map(({ terminal, name }) => [name, terminal.id] as const),
    // `Global 4` is also written `Global IV`.
    ...terminals.flatMap(({ id, name }) => {
      const [, prefix = '', number = ''] = /^(.* )(\d)$/.exec(name) ?? []
      const roman = romans[Number(number)]
      return roman === undefined || prefix === '' ? [] : [[`${prefix}${roman}`, id] as const]
    }),
    ...terminals.flatMap((terminal) => namesByRailroad(terminal).map((name) => [name, terminal.id] as const)),
  ])
})

/** `BNSF Chicago` finds every ramp of BNSF there, whatever its name is and whichever town it lies in. */
function namesByRailroad({ railCarrierScac, name, city, unlocode, metroUnlocode }: Terminal): readonly string[] {
  const railroad = railCarrierScac === null ? null : findRailroad(railCarrierScac)
  if (railroad === null) return []
  const places = [unlocode, metroUnlocode].map((code) => (code === null ? null : findPlaceByCode(code)?.name))
  const where = new Set([name, city, ...places].flatMap((each) => each ?? []))
  return [railroad.name, ...railroad.alsoCalled].flatMap((called) => [...where].map((each) => `${called} ${each}`))
}

const romans = [undefined, 'I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX']
