/**
 * What happens to the value of a member when an answer is redacted. Each language lists its members; all others are
 * blanked.
 */

import type { MemberName } from './names.ts'

export type Treatment =
  | 'keep'
  | 'time'
  | 'id'
  | 'number'
  | 'digits'
  | 'container'
  | 'imo'
  | 'ship'
  | 'voyage'
  | 'place'
  /** Names that are joined by commas or ` - `: `Terminal,Los Angeles,California,United States`. */
  | 'town'

export type MemberTreatments = Readonly<Partial<Record<MemberName, Treatment>>>

export function treatAs(treatment: Treatment, names: readonly MemberName[]): MemberTreatments {
  return Object.fromEntries(names.map((name) => [name, treatment]))
}

export const dcsaTreatments: MemberTreatments = {
  ...treatAs('keep', [
    'statusCode',
    'isRetracted',
    'eventType',
    'eventTypeCode',
    'eventClassifierCode',
    'eventClassifier',
    'transportEventTypeCode',
    'transportEventType',
    'equipmentEventTypeCode',
    'equipmentEventType',
    'shipmentEventTypeCode',
    'shipmentEventType',
    'UNLocationCode',
    'city',
    'cityName',
    'stateRegion',
    'country',
    'countryCode',
    'facilityCode',
    'facilityCodeListProvider',
    'facilityType',
    'facilityTypeCode',
    'shipmentLocationType',
    'shipmentLocationTypeCode',
    'modeOfTransport',
    'modeOfTransportCode',
    'transportCallSequenceNumber',
    'ISOEquipmentCode',
    'emptyIndicatorCode',
    'emptyIndicator',
    'sealSource',
    'source',
    'documentReferenceType',
    'documentTypeCode',
    'shipmentInformationTypeCode',
    'referenceType',
    'type',
    'typeCode',
  ]),
  ...treatAs('time', ['eventDateTime', 'eventCreatedDateTime', 'eventUpdatedDateTime']),
  ...treatAs('id', ['eventID', 'retractedEventID', 'transportCallID', 'transportCallReference']),
  ...treatAs('place', ['locationName', 'otherFacility', 'facilityName', 'name', 'location', 'eventLocation']),
  ...treatAs('voyage', [
    'importVoyageNumber',
    'exportVoyageNumber',
    'carrierVoyageNumber',
    'carrierImportVoyageNumber',
    'carrierExportVoyageNumber',
    'importVoyageNumberOrReference',
    'exportVoyageNumberOrReference',
    'transportLegReference',
    'universalVoyageReference',
  ]),
  // In DCSA 1.x `transportReference` is the ship's IMO number.
  transportReference: 'imo',
  vesselIMONumber: 'imo',
  vesselName: 'ship',
  equipmentReference: 'container',
  ...treatAs('number', [
    'sealNumber',
    'number',
    'documentReferenceValue',
    'documentReference',
    'documentID',
    'carrierBookingReference',
    'referenceValue',
    'reference',
    'value',
  ]),
}
