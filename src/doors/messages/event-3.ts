/**
 * An event of DCSA Track & Trace 3.0 (May 2026). Its id stays the same when the event is corrected or taken back; the
 * last statement under an id counts.
 */

import type { EventClassifier, FacilityType } from '../../core/values/codes.ts'
import { sayMove, voyageField, writePlace } from '../../service/telling/moves/said-move.ts'
import type { Move } from '../../store/telling/moves.ts'
import { fit, type Members, said } from './fields.ts'

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
/** A berth, an anchorage and a pilot station have no word. */
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

/** `isRetracted`: the event is taken back; then only its id and the time of it count. Null: it cannot be said. */
export function writeEvent3(told: Move, isRetracted: boolean): Members | null {
  const written = sayMove(told)
  if (written === null || written.at === null) return null
  const { move, classifier, at, mode, callId } = written
  const { vessel, voyage } = told.milestone
  const eventID = `${told.containerId}:${told.event}:${told.milestone.callKey}`
  if (isRetracted)
    return { eventID, isRetracted, eventUpdatedDateTime: short(told.invalidatedAt ?? told.createdAt) }
  return said({
    eventID,
    eventDateTime: at,
    eventUpdatedDateTime: short(told.createdAt),
    eventLocation: locationOf(told),
    eventClassification: {
      eventType: move.type,
      eventClassifier: classifiers[classifier],
      ...types[move.code],
    },
    shipmentDetails: documentsOf(told),
    transportDetails:
      mode === null
        ? null
        : {
            transportCall: said({
              transportCallReference: callId,
              modeOfTransport: mode,
              [`${voyageField(move)}OrReference`]: voyage === null ? null : { carrierVoyageNumber: voyage },
              vesselTransport:
                vessel === null
                  ? null
                  : said({ vesselIMONumber: vessel.imo, vesselName: fit(vessel.name, 50) }),
            }),
          },
    equipmentDetails: {
      equipmentReference: told.number,
      ...(move.type === 'EQUIPMENT' ? { emptyIndicator: move.load } : {}),
    },
  })
}

function locationOf(told: Move): Members {
  const place = writePlace(told)
  const hasCode = place.facilityCode !== null && place.facilityCode.length <= 6
  return said({
    locationName: fit(place.name, 100),
    facilityType: facilityTypes[place.facilityType ?? 'BRTH'] ?? null,
    UNLocationCode: place.unlocode,
    facility:
      place.facilityName === null && !hasCode
        ? null
        : said({
            facilityName: fit(place.facilityName, 100),
            facilityCode: hasCode ? place.facilityCode : null,
            facilityCodeListProvider: hasCode ? place.provider : null,
          }),
  })
}

/** The document by which most lines are asked comes first: the bill, else the booking. */
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

function short(at: string): string {
  return at.replace('.000Z', 'Z')
}
