/** Synthetic samples: the observations of a journey as DCSA Track & Trace 2.2 events that a line pushes. */

import { writeTime } from '../../sandbox/edi/said.ts'
import { observationKeyOf } from '../../src/connectors/source.ts'
import { naturalKeyOf } from '../../src/domain/statements/natural-key.ts'
import type { EventObservation, Observation, ObservedPlace } from '../../src/domain/statements/observation.ts'
import { equipmentEventCodes, isOneOf, transportEventCodes } from '../../src/domain/values/codes.ts'
import type { SampleNumbers } from './statements.ts'

type Json = Readonly<Record<string, unknown>>

/** A list of events, each marked as synthetic. Observations that pushed events cannot carry are left out. */
export function writePushedEvents(observations: readonly Observation[], numbers: SampleNumbers): readonly Json[] {
  return observations.filter(isCarried).map((event) => writeEvent(event, numbers))
}

/**
 * Pushed events carry the events of ships and boxes, by their codes. An event of a box needs the box. Events of
 * documents are not carried.
 */
function isCarried(observation: Observation): observation is EventObservation {
  if (observation.kind === 'fact') return false
  const { code, equipment, isRetracted } = observation
  // A withdrawn event can be named only by an id.
  if (isRetracted && observation.key === naturalKeyOf(observation)) return false
  return isOneOf(transportEventCodes, code) || (isOneOf(equipmentEventCodes, code) && equipment !== null)
}

/**
 * The observation as the reader should return it: `original` is the code, and a place without a name has its code as
 * its name. Null when pushed events cannot carry it.
 */
export function carriedByPush(observation: Observation): EventObservation | null {
  if (!isCarried(observation)) return null
  const { unlocode, name } = observation.place
  const arrived = {
    ...observation,
    original: observation.code,
    place: { ...observation.place, name: name ?? unlocode },
  }
  if (observation.key === naturalKeyOf(observation)) return { ...arrived, key: naturalKeyOf(arrived) }
  const isShips = isOneOf(transportEventCodes, observation.code)
  return { ...arrived, key: observationKeyOf(observation.key, isShips ? observation.equipment : null) }
}

function writeEvent(event: EventObservation, numbers: SampleNumbers): Json {
  const isShips = isOneOf(transportEventCodes, event.code)
  const call = writeCall(event, isShips)
  return {
    note: 'synthetic',
    ...(event.key !== naturalKeyOf(event) && { eventID: event.key }),
    ...(event.statedAt !== null && { eventCreatedDateTime: event.statedAt }),
    ...(event.isRetracted && { isRetracted: true }),
    eventType: isShips ? 'TRANSPORT' : 'EQUIPMENT',
    eventClassifierCode: event.classifier,
    [isShips ? 'transportEventTypeCode' : 'equipmentEventTypeCode']: event.code,
    eventDateTime: writeTime(event.time),
    ...(event.load !== null && { emptyIndicatorCode: event.load }),
    ...(Object.keys(call).length > 0 && { transportCall: call }),
    ...(!isShips && { equipmentReference: event.equipment, eventLocation: writeLocation(event.place) }),
    ...(isShips &&
      event.equipment !== null && { references: [{ referenceType: 'EQ', referenceValue: event.equipment }] }),
    documentReferences: writeDocuments(numbers),
  }
}

function writeCall(event: EventObservation, isShips: boolean): Json {
  const { mode, voyage, callId, callSequence, vessel, place } = event
  return {
    ...(isShips && { location: writeLocation(place) }),
    ...(mode !== null && { modeOfTransport: mode }),
    ...(voyage !== null && { exportVoyageNumber: voyage, importVoyageNumber: voyage }),
    ...(callId !== null && { transportCallID: callId }),
    ...(callSequence !== null && { transportCallSequenceNumber: callSequence }),
    ...(vessel !== null && { vessel: { vesselIMONumber: vessel.imo, vesselName: vessel.name } }),
  }
}

function writeLocation({ unlocode, name, facilityCode, facilityType }: ObservedPlace): Json {
  return {
    ...(unlocode !== null && { UNLocationCode: unlocode }),
    ...(name !== null && { locationName: name }),
    ...(facilityCode !== null && { facilityCode }),
    ...(facilityType !== null && { facilityTypeCode: facilityType }),
  }
}

function writeDocuments({ bill, booking }: SampleNumbers): readonly Json[] {
  const named = [
    ['BKG', booking],
    ['TRD', bill],
  ] as const
  return named.flatMap(([documentReferenceType, number]) =>
    number === null ? [] : [{ documentReferenceType, documentReferenceValue: number }],
  )
}
