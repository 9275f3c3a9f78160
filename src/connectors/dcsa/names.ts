/**
 * The names of DCSA's members. Lines write them in other cases (`unLocationCode`, `eventId`). The names are corrected
 * once, where the JSON of an answer is parsed, so that readers use only the names below.
 */

import { isObject } from '../../domain/values/json-value.ts'

/** Of answers in DCSA Track & Trace, in any of its versions. */
const eventNames = [
  // The answer
  'events',
  'statusCode',
  'shipmentEvent',
  'transportEvent',
  'equipmentEvent',
  'shipment',
  'carrierBookingReference',
  // An event: its head, its kind and its members in each shape
  'eventID',
  'retractedEventID',
  'isRetracted',
  'eventDateTime',
  'eventCreatedDateTime',
  'eventUpdatedDateTime',
  'metadata',
  'payload',
  'eventClassification',
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
  'transportDetails',
  'equipmentDetails',
  'shipmentDetails',
  'carrierSpecificData',
  // Places
  'eventLocation',
  'location',
  'UNLocationCode',
  'locationName',
  'otherFacility',
  'address',
  'name',
  'city',
  'cityName',
  'stateRegion',
  'country',
  'countryCode',
  'facility',
  'facilityCode',
  'facilityName',
  'facilityCodeListProvider',
  'facilityType',
  'facilityTypeCode',
  'shipmentLocationType',
  'shipmentLocationTypeCode',
  // Transport calls and ships
  'transportCall',
  'transportCallID',
  'transportCallReference',
  'transportCallSequenceNumber',
  'modeOfTransport',
  'modeOfTransportCode',
  'importVoyageNumber',
  'exportVoyageNumber',
  'carrierImportVoyageNumber',
  'carrierExportVoyageNumber',
  'importVoyageNumberOrReference',
  'exportVoyageNumberOrReference',
  'carrierVoyageNumber',
  'universalVoyageReference',
  'vessel',
  'vesselTransport',
  'vesselIMONumber',
  'vesselName',
  'transportReference',
  'transportLegReference',
  // Containers
  'equipmentReference',
  'ISOEquipmentCode',
  'emptyIndicatorCode',
  'emptyIndicator',
  'seals',
  'sealNumber',
  'sealSource',
  'number',
  'source',
  // Documents and references
  'documentReferences',
  'relatedDocumentReferences',
  'additionalDocumentReferences',
  'documentReference',
  'documentReferenceType',
  'documentReferenceValue',
  'documentID',
  'documentTypeCode',
  'shipmentInformationTypeCode',
  'references',
  'shipmentReferences',
  'referenceType',
  'referenceValue',
  'reference',
  'type',
  'typeCode',
  'value',
] as const

/** Of arrival notices: members that events do not have. */
const noticeNames = [
  'transportDocumentReference',
  'transportDocumentTypeCode',
  'typeLabel',
  'issueDateTime',
  'freightPaymentStatus',
  'utilizedTransportEquipments',
  'equipment',
  'consignmentItems',
  'cargoItems',
  'cargoGrossWeight',
  'unit',
  'transport',
  'portOfLoading',
  'portOfDischarge',
  'placeOfDelivery',
  'portOfDischargeArrivalDate',
  'placeOfDeliveryArrivalDate',
  'generalOrderDateTime',
  'classifier',
  'legs',
  'dischargeLocation',
  'vesselVoyage',
  'pickupInformation',
  'pickupNumber',
  'pickupLocation',
  'returnInformation',
  'returnLocation',
  'releaseInformation',
  'isFreightReleased',
  'isCustomsReleased',
  'isOBLReceived',
  'customsClearance',
  'immediateTransportationEntry',
  'ITNumber',
  'freeTimes',
  'typeCodes',
  'ISOEquipmentCodes',
  'equipmentReferences',
  'lastFreeDate',
  'lastFreeDateTime',
  'charges',
  'chargeName',
  'chargeCode',
  'currencyAmount',
  'currencyCode',
  'paymentTermCode',
] as const

/** Of COSCO's own answer: members that events do not have. */
const coscoNames = [
  'code',
  'data',
  'content',
  'actualShipment',
  'voyageNo',
  'actualDepartureDate',
  'expectedDateOfDeparture',
  'actualArrivalDate',
  'estimatedDateOfArrival',
  'trackingPath',
  'trackingGroupReferenceCode',
  'billOfladingRefCode',
  'fromCity',
  'toCity',
  'pol',
  'pod',
  'containerStatus',
  'containers',
  'containerNumber',
  'containerType',
  'grossWeight',
  'label',
  'locationDateTime',
  'transportation',
] as const
export const allNames = [...eventNames, ...noticeNames, ...coscoNames]
export type MemberName = (typeof allNames)[number]

/** A JSON object of an answer. Only names of the list can be read from it. */
export type Members = Readonly<Partial<Record<MemberName, unknown>>>

const exactNames: ReadonlySet<string> = new Set(allNames)
const byLowerCase: ReadonlyMap<string, MemberName> = new Map(allNames.map((name) => [name.toLowerCase(), name]))

/** Whether a reader knows the name, in any case. */
export function isKnownName(name: string): boolean {
  return byLowerCase.has(name.toLowerCase())
}

/** The names that the reader of a source looks for in its answers. */
export function namesReadBy(source: string): readonly MemberName[] {
  return source === 'cosco' ? coscoNames : eventNames
}

const nameLengthMax = Math.max(...allNames.map((name) => name.length))

/** Everything that is read is less deep; deeper members are left unchanged. */
const depthMax = 12

/**
 * Adds the known name to each member whose name differs from it only in upper and lower case. A member with the exact
 * name stays unchanged; of several variants the first counts; unknown members are not touched. Returns a function that
 * turns a JSON pointer with known names into the pointer as the carrier wrote it.
 */
export function normalizeNames(json: unknown): (pointer: string) => string {
  const written = new Map<object, Map<string, string>>()
  normalizeMembers(json, written, 0)
  return (pointer) => (written.size === 0 ? pointer : asWritten(json, pointer, written))
}

function normalizeMembers(value: unknown, written: Map<object, Map<string, string>>, depth: number): void {
  if (depth > depthMax) return
  if (Array.isArray(value)) {
    for (const element of value) normalizeMembers(element, written, depth + 1)
    return
  }
  if (!isObject(value)) return
  for (const key in value) {
    normalizeMembers(value[key], written, depth + 1)
    if (key.length > nameLengthMax || exactNames.has(key)) continue
    const name = byLowerCase.get(key.toLowerCase())
    if (name === undefined || Object.hasOwn(value, name)) continue
    ;(value as Record<string, unknown>)[name] = value[key]
    const ofObject = written.get(value) ?? new Map<string, string>()
    written.set(value, ofObject.set(name, key))
  }
}

function asWritten(json: unknown, pointer: string, written: Map<object, Map<string, string>>): string {
  let at = json
  const [root = '', ...steps] = pointer.split('/')
  const keys = steps.map((step) => {
    if (typeof at !== 'object' || at === null) return step
    const key = written.get(at)?.get(step) ?? step
    at = Object.hasOwn(at, step) ? (at as Record<string, unknown>)[step] : undefined
    return key
  })
  return [root, ...keys].join('/')
}
