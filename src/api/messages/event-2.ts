/** An event of DCSA Track & Trace 2.2. Members that no source has stated are left out. */

import {
  type StandardPlace,
  toMoveStatement,
  voyageField,
  writePlace,
} from '../../modules/transport-events/move-statement.ts'
import type { Move } from '../../modules/transport-events/moves-sql.ts'
import { writeTime } from '../shape/whole-times.ts'
import { dropNulls, fitText, type Members } from './fields.ts'

/** The standard's list has no anchorage, berth or pilot station. */
const facilityTypes = ['BOCR', 'CLOC', 'COFS', 'COYA', 'OFFD', 'DEPO', 'INTE', 'POTE', 'RAMP']

/** Null when the standard cannot express it: it requires a moment with its zone. See `toMoveStatement`. */
export function writeEvent2(reportedMove: Move): Members | null {
  const written = toMoveStatement(reportedMove)
  if (written === null || written.at === null) return null
  const { move, classifier, at, mode, callId } = written
  const { vessel, voyage } = reportedMove.milestone
  const place = writePlace(reportedMove)
  const facilityTypeCode = facilityTypes.find((type) => type === place.facilityType)
  const transportCall =
    mode === null
      ? null
      : dropNulls({
          transportCallID: callId,
          modeOfTransport: mode,
          carrierVoyageNumber: fitText(voyage, 50),
          [voyageField(move)]: fitText(voyage, 50),
          UNLocationCode: place.unlocode,
          ...facilityOf(place),
          facilityTypeCode: facilityTypeCode ?? null,
          otherFacility: place.facilityCode === null ? fitText(place.facilityName, 50) : null,
          location: locationOf(place),
          vessel: vessel?.imo ? dropNulls({ vesselIMONumber: vessel.imo, vesselName: fitText(vessel.name, 35) }) : null,
        })
  return {
    eventID: reportedMove.id,
    eventType: move.type,
    eventCreatedDateTime: writeTime(reportedMove.createdAt),
    eventClassifierCode: classifier,
    eventDateTime: at,
    ...(move.type === 'TRANSPORT'
      ? { transportEventTypeCode: move.code }
      : {
          equipmentEventTypeCode: move.code,
          equipmentReference: reportedMove.number,
          emptyIndicatorCode: move.load,
          eventLocation: locationOf(place),
        }),
    ...(transportCall === null ? {} : { transportCall }),
    documentReferences: documentsOf(reportedMove),
    references: [{ referenceType: 'EQ', referenceValue: reportedMove.number }],
  }
}

function locationOf(place: StandardPlace): Members {
  return dropNulls({
    locationName: fitText(place.name, 100),
    UNLocationCode: place.unlocode,
    ...facilityOf(place),
  })
}

function facilityOf({ facilityCode, provider }: StandardPlace): Members {
  return facilityCode === null || facilityCode.length > 6 ? {} : { facilityCode, facilityCodeListProvider: provider }
}

function documentsOf({ bookingNumber, billOfLadingNumber }: Move): readonly Members[] {
  return [
    ['BKG', bookingNumber],
    ['TRD', billOfLadingNumber],
  ].flatMap(([documentReferenceType, documentReferenceValue]) =>
    documentReferenceValue === null ? [] : [{ documentReferenceType, documentReferenceValue }],
  )
}
