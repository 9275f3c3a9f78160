/**
 * An event of DCSA Track & Trace 3.0 (May 2026). Its id stays the same when the event is corrected or withdrawn; the
 * last statement under an id counts.
 */

import type { EventClassifier, FacilityType } from '../../domain/values/codes.ts'
import { toMoveStatement, voyageField, writePlace } from '../../modules/transport-events/move-statement.ts'
import type { Move } from '../../modules/transport-events/moves-sql.ts'
import { writeTime } from '../shape/whole-times.ts'
import { dropNulls, fitText, type Members } from './fields.ts'

const classifiers: Readonly<Record<EventClassifier, string>> = {
  ACT: 'ACTUAL',
  EST: 'ESTIMATED',
  PLN: 'PLANNED',
}
const types = {
  ARRI: { transportEventType: 'ARRIVED' },
  DEPA: { transportEventType: 'DEPARTED' },
  LOAD: { equipmentEventType: 'LOADED' },
  DISC: { equipmentEventType: 'DISCHARGED' },
  GTIN: { equipmentEventType: 'GATED_IN' },
  GTOT: { equipmentEventType: 'GATED_OUT' },
} as const
/** A berth, an anchorage and a pilot station have no code. */
const facilityTypes: Readonly<Partial<Record<FacilityType, string>>> = {
  BOCR: 'BORDER',
  CLOC: 'CUSTOMER_LOCATION',
  COFS: 'CONTAINER_FREIGHT_STATION',
  DEPO: 'DEPOT',
  INTE: 'INLAND_TERMINAL',
  OFFD: 'OFF_DOCK_STORAGE',
  POTE: 'PORT_TERMINAL',
  RAMP: 'RAMP',
}

/** `isRetracted`: the event is withdrawn; then only its id and the time of it count. Null: it cannot be expressed. */
export function writeEvent3(reportedMove: Move, isRetracted: boolean): Members | null {
  const written = toMoveStatement(reportedMove)
  if (written === null || written.at === null) return null
  const { move, classifier, at, mode, callId } = written
  const { vessel, voyage } = reportedMove.milestone
  const eventID = `${reportedMove.containerId}:${reportedMove.event}:${reportedMove.milestone.callKey}`
  if (isRetracted)
    return {
      eventID,
      isRetracted,
      eventUpdatedDateTime: writeTime(reportedMove.invalidatedAt ?? reportedMove.createdAt),
    }
  return dropNulls({
    eventID,
    eventDateTime: at,
    eventUpdatedDateTime: writeTime(reportedMove.createdAt),
    eventLocation: locationOf(reportedMove),
    eventClassification: {
      eventType: move.type,
      eventClassifier: classifiers[classifier],
      ...types[move.code],
    },
    shipmentDetails: documentsOf(reportedMove),
    transportDetails:
      mode === null
        ? null
        : {
            transportCall: dropNulls({
              transportCallReference: callId,
              modeOfTransport: mode,
              [`${voyageField(move)}OrReference`]: voyage === null ? null : { carrierVoyageNumber: voyage },
              vesselTransport:
                vessel === null
                  ? null
                  : dropNulls({ vesselIMONumber: vessel.imo, vesselName: fitText(vessel.name, 50) }),
            }),
          },
    equipmentDetails: {
      equipmentReference: reportedMove.number,
      ...(move.type === 'EQUIPMENT' ? { emptyIndicator: move.load } : {}),
    },
  })
}

function locationOf(reportedMove: Move): Members {
  const place = writePlace(reportedMove)
  const hasCode = place.facilityCode !== null && place.facilityCode.length <= 6
  return dropNulls({
    locationName: fitText(place.name, 100),
    facilityType: facilityTypes[place.facilityType ?? 'BRTH'] ?? null,
    UNLocationCode: place.unlocode,
    facility:
      place.facilityName === null && !hasCode
        ? null
        : dropNulls({
            facilityName: fitText(place.facilityName, 100),
            facilityCode: hasCode ? place.facilityCode : null,
            facilityCodeListProvider: hasCode ? place.provider : null,
          }),
  })
}

/** The document by which most lines are polled comes first: the bill, else the booking. */
function documentsOf({ bookingNumber, billOfLadingNumber }: Move): Members | null {
  const [first, ...more] = [
    { type: 'TRANSPORT_DOCUMENT', reference: billOfLadingNumber },
    { type: 'BOOKING', reference: bookingNumber },
  ].filter(({ reference }) => reference !== null)
  if (first === undefined) return null
  return {
    documentReference: first,
    ...(more.length === 0 ? {} : { additionalDocumentReferences: more }),
  }
}
