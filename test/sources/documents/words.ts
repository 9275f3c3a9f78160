// Words of documents as the service writes them, for the tests of their reader.
import type { DocumentType } from '../../../src/sources/documents/document.ts'
import { numbersSaid } from '../../../src/sources/documents/said/numbers.ts'
import type { DocumentWord, SaidField } from '../../../src/sources/documents/said/word.ts'

export const documentId = '0193b1a2-0000-7000-8000-000000000001'
export const box = 'APZU4812090'

/** `name: value` as the rules read it on page 1. */
export function read(values: Readonly<Record<string, SaidField['value']>>): readonly SaidField[] {
  return Object.entries(values).map(([name, value]) => ({
    name,
    value,
    text: String(value),
    confidence: 0.95,
    page: 1,
    box: { left: 0.1, top: 0.2, right: 0.3, bottom: 0.22 },
    by: 'read',
  }))
}

export function wordOf(
  type: DocumentType,
  values: Readonly<Record<string, SaidField['value']>>,
  of: Partial<DocumentWord> = {},
): DocumentWord {
  const fields = read(values)
  return {
    document: documentId,
    type,
    fields,
    version: 1,
    receivedAt: '2026-02-20T08:00:00.000Z',
    after: null,
    at: '2026-02-20T08:00:00.000Z',
    person: null,
    numbers: numbersSaid({ type, fields }),
    earlier: [],
    ...of,
  }
}

export const arrivalNotice = {
  issueDate: '2026-02-18',
  transportDocumentReference: 'HHL71800000',
  carrierBookingReference: 'ABC709951',
  vesselName: 'King of the Seas',
  vesselIMONumber: '9321483',
  voyageNumber: '601E',
  'portOfLoading.name': 'Ningbo, China',
  'portOfDischarge.name': 'Los Angeles, CA',
  'portOfDischargeArrivalDate.value': '2026-02-24',
  'pickupLocation.firmsCode': 'Y258',
  'emptyReturnLocation.name': 'Pier 400 empty yard',
  generalOrderDate: '2026-03-11',
  itNumber: '750123456',
  pickupNumber: 'PIN-4711',
  isFreightReleased: false,
  isOriginalBillReceived: false,
  isCustomsReleased: true,
  'freeTimes[0].typeCodes[0]': 'DEM',
  'freeTimes[0].lastFreeDate': '2026-03-01',
  'freeTimes[1].typeCodes[0]': 'DET',
  'freeTimes[1].lastFreeDate': '2026-03-10',
  'freeTimes[2].statedBy': 'terminal',
  'freeTimes[2].lastFreeDate': '2026-02-28',
  'containers[0].number': box,
  'containers[0].sealNumbers[0]': 'S-77',
  'containers[0].sizeType': '45G1',
  'containers[0].grossWeightKg': 18_250.5,
} as const

export const bookingConfirmation = {
  carrierBookingReference: 'ABC709951',
  vesselName: 'King of the Seas',
  'portOfLoading.UNLocationCode': 'CNNGB',
  'departureDate.value': '2026-01-06',
  verifiedGrossMassCutOff: '2026-01-04T12:00:00',
  documentationCutOff: '2026-01-03T17:00:00',
  containerYardCutOff: '2026-01-05',
} as const
