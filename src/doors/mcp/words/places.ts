/** Places, terminals, ships and lines as agents are told them: by our own reference data where it knows them, else fenced. */

import type { ObservedPlace, ObservedVessel } from '../../../core/statements/observation.ts'
import { findPlaceByCode } from '../../../reference/places.ts'
import { findShippingLine } from '../../../reference/shipping-lines.ts'
import { findTerminalById } from '../../../reference/terminals.ts'
import { findVesselByImo, nameShip } from '../../../reference/vessels.ts'
import { maybe, object, orNull, text, textOrNull } from '../tool/schema.ts'
import { fence, fenceUnlessCode } from './fence.ts'

export const placeSchema = orNull(object({ name: textOrNull, code: textOrNull }))

export function writePlace(place: ObservedPlace | null | undefined) {
  if (place === null || place === undefined) return null
  return { name: placeName(place), code: place.unlocode ?? fenceUnlessCode(place.facilityCode) }
}

/** Null when neither we nor the source have a name. */
export function placeName({ unlocode, name }: ObservedPlace): string | null {
  const known = unlocode === null ? null : findPlaceByCode(unlocode)
  return known?.name ?? fence(name)
}

export const terminalSchema = orNull(object({ id: textOrNull, name: textOrNull, code: textOrNull }))

export function writeTerminal(place: ObservedPlace | null) {
  if (place === null) return null
  const known = place.terminalId === null ? null : findTerminalById(place.terminalId)
  return {
    id: known?.id ?? null,
    name: known?.name ?? fence(place.name),
    code: known?.smdgCode ?? known?.firmsCode ?? fenceUnlessCode(place.facilityCode),
  }
}

/** `listed_name`: as the list of ships has it, where the line calls the ship otherwise. */
export const vesselSchema = orNull(object({ name: textOrNull, imo: textOrNull, listed_name: maybe(text) }))

export function writeVessel(vessel: ObservedVessel | null) {
  if (vessel === null) return null
  const { imo } = vessel
  const listed = imo === null ? null : (findVesselByImo(imo)?.name ?? null)
  const { name, listedName } = nameShip(imo, vessel.name)
  // The list's name needs no marks, being ours.
  if (listedName === null && listed !== null) return { name: listed, imo }
  return { name: fence(name), imo, ...(listedName === null ? {} : { listed_name: listedName }) }
}

export const lineSchema = object({ scac: text, name: text, short_name: text })

export function writeLine(scac: string) {
  const line = findShippingLine(scac)
  return { scac: fenceUnlessCode(scac), name: line?.name ?? scac, short_name: line?.shortName ?? scac }
}
