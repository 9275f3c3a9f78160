/** The ramp at which a railway handles a box, where it names but the town. */

import type { EventCode } from '../core/codes.ts'
import type { ObservedPlace } from '../core/observation.ts'
import { findOnlyRamp } from '../reference/ramps.ts'

/** Where a railway has one ramp in the town, it handles boxes there; a train passes elsewhere too. `railway`: SCAC or mark. */
export function atOnlyRamp(
  place: ObservedPlace,
  { code, railway }: { readonly code: EventCode | null; readonly railway: string | null },
): ObservedPlace {
  const { unlocode, terminalId } = place
  if (code === null || railway === null || terminalId !== null || unlocode === null) return place
  const ramp = handling.has(code) ? findOnlyRamp({ unlocode, railway }) : null
  return ramp === null ? place : { ...place, terminalId: ramp.id }
}

const handling: ReadonlySet<EventCode> = new Set<EventCode>(['LOAD', 'DISC', 'GTIN', 'GTOT', 'AVPU'])
