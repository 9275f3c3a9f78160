/** What the operator imported into the database, laid over our own lists in memory: every lookup then sees it. */

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

/** The whole of it each time; what it no longer holds is our own lists' again. */
export function applyOverlay(overlay: Overlay): void {
  overlayAliases(overlay.aliases)
  overlayPlaces(overlay.places)
  overlayTerminals(overlay.terminals)
  overlayVessels(overlay.vessels)
}
