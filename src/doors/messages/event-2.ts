/** An event of DCSA Track & Trace 2.2. Members of which nobody has said anything are left out. */

import {
  type StandardPlace,
  sayMove,
  voyageField,
  writePlace,
} from '../../service/telling/moves/said-move.ts'
import type { Move } from '../../store/telling/moves.ts'
import { fit, type Members, said } from './fields.ts'

/** The standard's list has no anchorage, berth or pilot station. */
const facilityTypes = ['BOCR', 'CLOC', 'COFS', 'COYA', 'OFFD', 'DEPO', 'INTE', 'POTE', 'RAMP']

/** Null when the standard cannot say it: it wants a moment with its zone. See `sayMove`. */
export function writeEvent2(told: Move): Members | null {
  const written = sayMove(told)
  if (written === null || written.at === null) return null
  const { move, classifier, at, mode, callId } = written
  const { vessel, voyage } = told.milestone
  const place = writePlace(told)
  const facilityTypeCode = facilityTypes.find((type) => type === place.facilityType)
  const transportCall =
    mode === null
      ? null
      : said({
          transportCallID: callId,
          modeOfTransport: mode,
          carrierVoyageNumber: fit(voyage, 50),
          [voyageField(move)]: fit(voyage, 50),
          UNLocationCode: place.unlocode,
          ...facilityOf(place),
          facilityTypeCode: facilityTypeCode ?? null,
          otherFacility: place.facilityCode === null ? fit(place.facilityName, 50) : null,
          location: locationOf(place),
          vessel: vessel?.imo
            ? said({ vesselIMONumber: vessel.imo, vesselName: fit(vessel.name, 35) })
            : null,
        })
  return {
    eventID: told.id,
    eventType: move.type,
    eventCreatedDateTime: told.createdAt.replace('.000Z', 'Z'),
    eventClassifierCode: classifier,
    eventDateTime: at,
    ...(move.type === 'TRANSPORT'
      ? { transportEventTypeCode: move.code }
      : {
          equipmentEventTypeCode: move.code,
          equipmentReference: told.number,
          emptyIndicatorCode: move.load,
          eventLocation: locationOf(place),
        }),
    ...(transportCall === null ? {} : { transportCall }),
    documentReferences: documentsOf(told),
    references: [{ referenceType: 'EQ', referenceValue: told.number }],
  }
}

function locationOf(place: StandardPlace): Members {
  return said({
    locationName: fit(place.name, 100),
    UNLocationCode: place.unlocode,
    ...facilityOf(place),
  })
}

function facilityOf({ facilityCode, provider }: StandardPlace): Members {
  return facilityCode === null || facilityCode.length > 6
    ? {}
    : { facilityCode, facilityCodeListProvider: provider }
}

function documentsOf({ bookingNumber, billOfLadingNumber }: Move): readonly Members[] {
  return [
    ['BKG', bookingNumber],
    ['TRD', billOfLadingNumber],
  ].flatMap(([documentReferenceType, documentReferenceValue]) =>
    documentReferenceValue === null ? [] : [{ documentReferenceType, documentReferenceValue }],
  )
}
