/**
 * The rules of DCSA Track & Trace 2.2 for an event: which members exist, which are required, how long a text may be, and
 * the lists of codes. Copied from the standard as a closed list, so that an unknown member is found.
 */

import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'

const text = (maxLength: number) => ({ type: 'string', minLength: 1, maxLength })
const oneOf = (...values: string[]) => ({ enum: values })
const closed = (properties: Readonly<Record<string, object>>, ...required: string[]) => ({
  type: 'object',
  additionalProperties: false,
  properties,
  required,
})

const facility = {
  facilityCode: text(6),
  facilityCodeListProvider: oneOf('BIC', 'SMDG'),
}
const location = closed({ locationName: text(100), UNLocationCode: text(5), ...facility })
const transportCall = closed(
  {
    transportCallID: text(100),
    carrierVoyageNumber: text(50),
    exportVoyageNumber: text(50),
    importVoyageNumber: text(50),
    UNLocationCode: text(5),
    ...facility,
    facilityTypeCode: oneOf('BOCR', 'CLOC', 'COFS', 'COYA', 'OFFD', 'DEPO', 'INTE', 'POTE', 'RAMP'),
    otherFacility: text(50),
    modeOfTransport: oneOf('VESSEL', 'RAIL', 'TRUCK', 'BARGE'),
    location,
    vessel: closed({ vesselIMONumber: text(7), vesselName: text(35) }, 'vesselIMONumber'),
  },
  'transportCallID',
  'modeOfTransport',
)
const common = {
  eventID: { type: 'string', format: 'uuid' },
  eventCreatedDateTime: { type: 'string', format: 'date-time' },
  eventClassifierCode: oneOf('ACT', 'PLN', 'EST'),
  eventDateTime: { type: 'string', format: 'date-time' },
  transportCall,
  documentReferences: {
    type: 'array',
    items: closed({ documentReferenceType: oneOf('BKG', 'TRD'), documentReferenceValue: text(100) }),
  },
  references: {
    type: 'array',
    items: closed(
      { referenceType: oneOf('FF', 'SI', 'PO', 'CR', 'AAO', 'EQ'), referenceValue: text(100) },
      'referenceType',
      'referenceValue',
    ),
  },
}
const requiredOfAll = ['eventCreatedDateTime', 'eventClassifierCode', 'eventDateTime', 'eventType']
const event2 = {
  oneOf: [
    closed(
      { ...common, eventType: oneOf('TRANSPORT'), transportEventTypeCode: oneOf('ARRI', 'DEPA') },
      ...requiredOfAll,
      'transportEventTypeCode',
      'transportCall',
    ),
    closed(
      {
        ...common,
        eventType: oneOf('EQUIPMENT'),
        equipmentEventTypeCode: {
          enum: 'LOAD DISC GTIN GTOT STUF STRP PICK DROP INSP RSEA RMVD'.split(' '),
        },
        equipmentReference: text(15),
        emptyIndicatorCode: oneOf('EMPTY', 'LADEN'),
        eventLocation: location,
      },
      ...requiredOfAll,
      'equipmentEventTypeCode',
      'emptyIndicatorCode',
    ),
  ],
}
const error2 = closed(
  {
    httpMethod: oneOf('GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'),
    requestUri: { type: 'string' },
    statusCode: { type: 'integer' },
    statusCodeText: text(200),
    errorDateTime: { type: 'string', format: 'date-time' },
    errors: {
      type: 'array',
      minItems: 1,
      items: closed({ reason: text(100), message: text(5_000) }, 'reason', 'message'),
    },
  },
  'httpMethod',
  'requestUri',
  'statusCode',
  'statusCodeText',
  'errorDateTime',
  'errors',
)

const ajv = new Ajv({ allErrors: true })
addFormats.default(ajv)
const [ofEvent, ofError] = [ajv.compile(event2), ajv.compile(error2)]

/** Null if the event follows the rules of the standard. */
export const faultOfEvent2 = (event: unknown): string | null => (ofEvent(event) ? null : ajv.errorsText(ofEvent.errors))
export const faultOfError2 = (error: unknown): string | null => (ofError(error) ? null : ajv.errorsText(ofError.errors))
