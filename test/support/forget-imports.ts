/** What a test imported into the reference data stays in the process's memory: another file's tests know nothing of it. */

import { overlayTerminals } from '../../src/reference/imported-terminals.ts'
import { overlayPlaces } from '../../src/reference/places.ts'
import { overlayAliases } from '../../src/reference/port-overrides.ts'
import { overlayVessels } from '../../src/reference/vessels.ts'

export function forgetImports(): void {
  for (const overlay of [overlayPlaces, overlayAliases, overlayTerminals, overlayVessels]) overlay([])
}
