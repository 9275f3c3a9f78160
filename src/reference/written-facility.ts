/** A terminal or ramp as a source wrote it beside its place: by a code, else by a name within the place. */

import { findTerminalIn } from './named-terminals.ts'
import { findRampNamed } from './ramps.ts'
import type { FacilityCode, Terminal } from './terminal.ts'
import { findTerminal } from './terminals.ts'

export interface WrittenFacility {
  readonly facilityCode?: string | null
  readonly facilityCodeListProvider?: FacilityCode['provider'] | null
  /** What may be the name of a terminal there, the likeliest first: looked for within the place, never to find it. */
  readonly facilityNames?: readonly (string | null)[]
  /** SCAC or mark of the railway that wrote it. */
  readonly railway?: string | null
}

export function findCodedTerminal(
  written: WrittenFacility & { readonly unlocode?: string | null },
): Terminal | null {
  const { facilityCode: code, facilityCodeListProvider: provider, unlocode = null } = written
  return code && provider ? findTerminal({ provider, code, unlocode }) : null
}

interface NamedPlace {
  readonly unlocode: string
  readonly name: string
  readonly city: string | null
}

/** An ocean terminal of the port by its name, else a ramp. `placesCalled`: those that bear a name. */
export function findNamedFacility(
  { facilityNames: names = [], railway = null }: WrittenFacility,
  place: NamedPlace,
  placesCalled: (name: string) => readonly NamedPlace[],
): Terminal | null {
  const townsCalled = (name: string) => placesCalled(name).map(({ unlocode }) => unlocode)
  const { unlocode } = place
  return findTerminalIn(place, names) ?? findRampNamed({ unlocode, names, townsCalled, railway })
}
