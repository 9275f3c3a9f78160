/**
 * Writes a statement as a DCSA Track & Trace 2.2 event, in the dialect of its line. The same statement always gives the
 * same text.
 */
import { fraction, nameUuid } from './chance.ts'
import type { Line, Quirk } from './lines.ts'
import { writeDay, writeLocal, writeZoned } from './local-time.ts'
import { getPlace } from './places.ts'
import type { Call, Shipment, Statement } from './shipment.ts'
import { namedBoxes } from './shipment.ts'

type Json = Readonly<Record<string, unknown>>

export function writeEvent(shipment: Shipment, statement: Statement): string {
  return JSON.stringify(eventOf(shipment, statement))
}

/** An event that says that the booking with this number is confirmed. The line says nothing else about it. */
export function writeConfirmation({ scac, quirks }: Line, number: string, at: number): string {
  const time = `${new Date(at).toISOString().slice(0, 19)}Z`
  return JSON.stringify({
    eventID: nameUuid(`confirmation|${scac}|${number}`),
    eventCreatedDateTime: time,
    eventType: 'SHIPMENT',
    eventClassifierCode: 'ACT',
    eventDateTime: quirks.has('day_only_times') ? time.slice(0, 10) : time,
    shipmentEventTypeCode: 'CONF',
    documentTypeCode: 'BKG',
    documentID: number,
  })
}

function eventIdOf(shipment: Shipment, statement: Statement): string {
  return nameUuid(`event|${shipment.line.scac}|${shipment.key}|${statement.key}`)
}

function eventOf(shipment: Shipment, statement: Statement): Json {
  const { line } = shipment
  const { about } = statement
  const place = about.kind === 'SHIPMENT' ? shipment.from : about.call.place
  const id = eventIdOf(shipment, statement)
  const isPlan = statement.classifier === 'PLN' && line.quirks.has('plan_for_pln')
  return {
    eventID: id,
    eventCreatedDateTime: `${new Date(statement.created).toISOString().slice(0, 19)}Z`,
    eventType: about.kind,
    eventClassifierCode: isPlan ? 'PLAN' : statement.classifier,
    eventDateTime: writeTime(shipment, statement, getPlace(place).zone),
    ...bodyOf(shipment, statement),
    ...referencesOf(shipment, statement),
  }
}

function bodyOf(shipment: Shipment, statement: Statement): Json {
  const { line, booking, bill } = shipment
  const { about, boxes } = statement
  if (about.kind === 'SHIPMENT') {
    return {
      shipmentEventTypeCode: about.code,
      documentTypeCode: about.document,
      documentID: about.document === 'BKG' || about.document === 'VGM' ? booking : bill,
      ...(about.reason === null ? {} : { reason: about.reason }),
    }
  }
  if (about.kind === 'TRANSPORT') {
    const isLost = isOdd(shipment, statement, 'some_transports_without_call', 0.12)
    return {
      transportEventTypeCode: about.code,
      ...(isLost ? {} : { transportCall: callOf(shipment, statement, about.call) }),
    }
  }
  const box = shipment.boxes[boxes[0] ?? 0]
  const isTyped =
    box !== undefined && !line.quirks.has('no_equipment_type') && line.mappedEquipment.includes(box.family)
  const isSealed = box !== undefined && about.load === 'LADEN' && !line.quirks.has('no_seal')
  return {
    equipmentEventTypeCode: statement.word ?? about.code,
    equipmentReference: box?.number,
    ...(isTyped ? { ISOEquipmentCode: box.equipmentCode } : {}),
    emptyIndicatorCode: about.load,
    eventLocation: locationOf(about.call),
    transportCall: callOf(shipment, statement, about.call),
    ...(isSealed ? { seals: [{ sealNumber: box.seal, sealSource: 'SHI', sealType: 'BLT' }] } : {}),
  }
}

function callOf(shipment: Shipment, statement: Statement, call: Call): Json {
  return {
    transportCallID: call.id,
    ...(call.service === null ? {} : { carrierServiceCode: call.service }),
    ...(call.voyage === null ? {} : { exportVoyageNumber: call.voyage, importVoyageNumber: call.voyage }),
    transportCallSequenceNumber: call.sequence,
    ...codeOf(call),
    ...(call.terminalCode === null ? {} : { facilityCode: call.terminalCode, facilityCodeListProvider: 'SMDG' }),
    facilityTypeCode: call.facilityType,
    ...(call.facilityName === null ? {} : { otherFacility: call.facilityName.slice(0, 50) }),
    modeOfTransport: call.mode,
    ...vesselOf(shipment, statement, call),
  }
}

function vesselOf(shipment: Shipment, statement: Statement, { vessel }: Call): Json {
  const hasBlanks = shipment.line.quirks.has('empty_vessel_fields')
  if (vessel === null) {
    return hasBlanks ? { exportVoyageNumber: '', vessel: { vesselIMONumber: '', vesselName: '' } } : {}
  }
  const { imo: vesselIMONumber, name: vesselName } = vessel
  if (isOdd(shipment, statement, 'empty_vessel_fields', 0.15)) return { vessel: { vesselIMONumber: '', vesselName } }
  if (isOdd(shipment, statement, 'some_vessels_without_imo', 0.25)) return { vessel: { vesselName } }
  return { vessel: { vesselIMONumber, vesselName, ...(hasBlanks ? { vesselCallSignNumber: '' } : {}) } }
}

function locationOf(call: Call): Json {
  return {
    locationName: call.called?.name ?? getPlace(call.place).name,
    ...codeOf(call),
    ...(call.terminalCode === null ? {} : { facilityCode: call.terminalCode, facilityCodeListProvider: 'SMDG' }),
  }
}

function codeOf({ place, called }: Call): Json {
  const code = called === undefined ? place : called.code
  return code === null ? {} : { UNLocationCode: code }
}

/**
 * References to the bill are given from the moment when it exists, references to boxes from the moment when the line
 * knows them.
 */
function referencesOf(shipment: Shipment, statement: Statement): Json {
  const { about, created } = statement
  const { line, booking, bill, billKnownAt } = shipment
  const spelled = line.quirks.has('spelled_out_enums')
  const documents = [
    { documentReferenceType: spelled ? 'BKG (Booking)' : 'BKG', documentReferenceValue: booking },
    { documentReferenceType: spelled ? 'TRD (Transport Document)' : 'TRD', documentReferenceValue: bill },
  ].slice(0, billKnownAt !== null && created >= billKnownAt ? 2 : 1)
  const equipment = about.kind === 'TRANSPORT' ? namedBoxes(shipment, statement) : []
  return {
    documentReferences: documents,
    ...(equipment.length === 0
      ? {}
      : {
          references: equipment.map((box) => ({
            referenceType: 'EQ',
            referenceValue: shipment.boxes[box]?.number,
          })),
        }),
  }
}

function writeTime(shipment: Shipment, statement: Statement, zone: string): string {
  if (shipment.line.quirks.has('day_only_times')) return writeDay(zone, statement.at)
  const isBare = isOdd(shipment, statement, 'some_times_without_zone', 0.2)
  return isBare ? writeLocal(zone, statement.at) : writeZoned(zone, statement.at)
}

/** Whether the line's occasional oddity is in this statement: the story decides, or else chance. */
function isOdd(shipment: Shipment, statement: Statement, quirk: Quirk, share: number): boolean {
  if (!shipment.line.quirks.has(quirk)) return false
  return statement.odd ?? fraction(`${quirk}|${shipment.key}|${statement.key}`) < share
}
