/** Adds the ramp at which a railway handles a container, when the source names only the town. */

import type { ObservedPlace } from '../domain/statements/observation.ts'
import type { EventCode } from '../domain/values/codes.ts'
import { findOnlyRamp } from '../reference/ramps.ts'

/**
 * Sets the terminal when the railway (`railway`: SCAC or mark) has only one ramp in the town and the event handles the
 * container. A passing train may arrive elsewhere in the town, so arrivals and departures stay as they are.
 */
export function setOnlyRamp(
  place: ObservedPlace,
  { code, railway }: { readonly code: EventCode | null; readonly railway: string | null },
): ObservedPlace {
  const { unlocode, terminalId } = place
  if (code === null || railway === null || terminalId !== null || unlocode === null) return place
  const ramp = handling.has(code) ? findOnlyRamp({ unlocode, railway }) : null
  return ramp === null ? place : { ...place, terminalId: ramp.id }
}

const handling: ReadonlySet<EventCode> = new Set<EventCode>(['LOAD', 'DISC', 'GTIN', 'GTOT', 'AVPU'])
