/**
 * Places, terminals, ships and lines as agents see them: with the names of our reference data if they are known there,
 * otherwise the fenced names of the source.
 */

import type { ObservedPlace, ObservedVessel } from '../../domain/statements/observation.ts'
import { findPlaceByCode } from '../../reference/places.ts'
import { findShippingLine } from '../../reference/shipping-lines.ts'
import { findTerminalById } from '../../reference/terminals.ts'
import { findVesselByImo, nameShip } from '../../reference/vessels.ts'
import { object, optional, orNull, text, textOrNull } from '../tool/schema.ts'
import { markForeignText, markUnlessCode } from './fence.ts'

export const placeSchema = orNull(object({ name: textOrNull, code: textOrNull }))

export function writePlace(place: ObservedPlace | null | undefined) {
  if (place === null || place === undefined) return null
  return { name: placeName(place), code: place.unlocode ?? markUnlessCode(place.facilityCode) }
}

/** Null when neither we nor the source have a name. */
export function placeName({ unlocode, name }: ObservedPlace): string | null {
  const known = unlocode === null ? null : findPlaceByCode(unlocode)
  return known?.name ?? markForeignText(name)
}

export const terminalSchema = orNull(object({ id: textOrNull, name: textOrNull, code: textOrNull }))

export function writeTerminal(place: ObservedPlace | null) {
  if (place === null) return null
  const known = place.terminalId === null ? null : findTerminalById(place.terminalId)
  return {
    id: known?.id ?? null,
    name: known?.name ?? markForeignText(place.name),
    code: known?.smdgCode ?? known?.firmsCode ?? markUnlessCode(place.facilityCode),
  }
}

/** `listed_name` is the name in the list of ships, if the line uses another one. */
export const vesselSchema = orNull(object({ name: textOrNull, imo: textOrNull, listed_name: optional(text) }))

export function writeVessel(vessel: ObservedVessel | null) {
  if (vessel === null) return null
  const { imo } = vessel
  const listed = imo === null ? null : (findVesselByImo(imo)?.name ?? null)
  const { name, listedName } = nameShip(imo, vessel.name)
  // The list's name is our own, so it is not fenced.
  if (listedName === null && listed !== null) return { name: listed, imo }
  return { name: markForeignText(name), imo, ...(listedName === null ? {} : { listed_name: listedName }) }
}

export const lineSchema = object({ scac: text, name: text, short_name: text })

export function writeLine(scac: string) {
  const line = findShippingLine(scac)
  return { scac: markUnlessCode(scac), name: line?.name ?? scac, short_name: line?.shortName ?? scac }
}
