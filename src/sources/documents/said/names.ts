/**
 * Which field of a document says what: the only place that knows the names of the fields (`schemas/payload-fields.ts`).
 * A name that is not here says nothing of a journey: parties, goods, charges and amounts stay in the document. Nor does
 * what has no words in a journey yet, such as the day from which a terminal takes a full box.
 */

import type { DocumentType } from '../document.ts'

/**
 * The kinds that say something of a journey: the papers of those who carry. What a seller packed, and what is billed
 * for free time that is over, is not what a line or terminal says of a box now.
 */
export const speakingTypes: ReadonlySet<DocumentType> = new Set<DocumentType>([
  'bill_of_lading',
  'sea_waybill',
  'arrival_notice',
  'delivery_order',
  'booking_confirmation',
])

export const fieldNames = {
  /** When the document was written. */
  writtenOn: 'issueDate',
  bill: 'transportDocumentReference',
  booking: 'carrierBookingReference',
  vesselName: 'vesselName',
  vesselImo: 'vesselIMONumber',
  voyage: 'voyageNumber',
  portOfLoading: 'portOfLoading',
  portOfDischarge: 'portOfDischarge',
  placeOfDelivery: 'placeOfDelivery',
  terminal: 'pickupLocation',
  emptyReturn: 'emptyReturnLocation',
  arrival: 'portOfDischargeArrivalDate',
  departure: 'departureDate',
  generalOrder: 'generalOrderDate',
  inbond: 'itNumber',
  pickupNumber: 'pickupNumber',
  isFreightReleased: 'isFreightReleased',
  isCustomsReleased: 'isCustomsReleased',
  isBillReceived: 'isOriginalBillReceived',
  vgmCutOff: 'verifiedGrossMassCutOff',
  documentationCutOff: 'documentationCutOff',
  cargoCutOff: 'containerYardCutOff',
  totalWeight: 'totalGrossWeightKg',
  containers: 'containers',
  freeTimes: 'freeTimes',
} as const

/** Members of a place, and of a time that may have happened already. */
export const memberNames = {
  place: { name: 'name', unlocode: 'UNLocationCode', firms: 'firmsCode' },
  time: { value: 'value', classifier: 'classifier' },
  box: {
    number: 'number',
    size: 'sizeType',
    seals: 'sealNumbers',
    weight: 'grossWeightKg',
    pickupNumber: 'pickupNumber',
  },
  freeTime: {
    clocks: 'typeCodes',
    lastDay: 'lastFreeDate',
    speaker: 'statedBy',
    boxes: 'equipmentReferences',
  },
} as const
