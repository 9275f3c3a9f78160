/**
 * A terminal or ramp that a source wrote together with its place: found by its code, or else by its name within the
 * place.
 */

import { findTerminalIn } from './named-terminals.ts'
import { findRampNamed } from './ramps.ts'
import type { FacilityCode, Terminal } from './terminal.ts'
import { findTerminal } from './terminals.ts'

export interface WrittenFacility {
  readonly facilityCode?: string | null
  readonly facilityCodeListProvider?: FacilityCode['provider'] | null
  /**
   * Texts that may be the name of a terminal, the most likely first. They are searched within the place, and never used
   * to find the place.
   */
  readonly facilityNames?: readonly (string | null)[]
  /** SCAC or mark of the railway that wrote it. */
  readonly railway?: string | null
}

export function findCodedTerminal(written: WrittenFacility & { readonly unlocode?: string | null }): Terminal | null {
  const { facilityCode: code, facilityCodeListProvider: provider, unlocode = null } = written
  return code && provider ? findTerminal({ provider, code, unlocode }) : null
}

interface NamedPlace {
  readonly unlocode: string
  readonly name: string
  readonly city: string | null
}

/**
 * An ocean terminal of the port with one of the names, or else a ramp. `placesCalled` gives the places that have a
 * name.
 */
export function findNamedFacility(
  { facilityNames: names = [], railway = null }: WrittenFacility,
  place: NamedPlace,
  placesCalled: (name: string) => readonly NamedPlace[],
): Terminal | null {
  const townsCalled = (name: string) => placesCalled(name).map(({ unlocode }) => unlocode)
  const { unlocode } = place
  return findTerminalIn(place, names) ?? findRampNamed({ unlocode, names, townsCalled, railway })
}
