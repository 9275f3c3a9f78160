/**
 * Puts the operator's imports, which are in the database, over our own lists in memory, so that every lookup sees them.
 */

import { type ImportedTerminal, overlayTerminals } from './imported-terminals.ts'
import { type ImportedPlace, overlayPlaces } from './places.ts'
import { overlayAliases } from './port-overrides.ts'
import { type KnownVessel, overlayVessels } from './vessels.ts'

export interface Overlay {
  readonly aliases: readonly { readonly alias: string; readonly unlocode: string }[]
  readonly places: readonly ImportedPlace[]
  readonly terminals: readonly ImportedTerminal[]
  readonly vessels: readonly KnownVessel[]
}

/** Each call gets the complete import. For records that are no longer in it our own lists apply again. */
export function applyOverlay(overlay: Overlay): void {
  overlayAliases(overlay.aliases)
  overlayPlaces(overlay.places)
  overlayTerminals(overlay.terminals)
  overlayVessels(overlay.vessels)
}
