/**
 * All fields of all kinds of documents, each once. Where DCSA's arrival notice 1.0.1 or its bill of lading has a name
 * for a field, the field has that name; a date that DCSA gives with its classifier has two members here too.
 */

import type { ReadableType } from '../document.ts'
import type { PayloadField, ValueKind } from './payload-field.ts'

const bills = ['bill_of_lading', 'sea_waybill'] as const
const arrivals = ['arrival_notice', 'delivery_order'] as const
const carriage = [...bills, ...arrivals, 'booking_confirmation'] as const
const lines = [...carriage, 'demurrage_invoice'] as const
const trade = ['commercial_invoice', 'packing_list'] as const
const goods = [...bills, ...arrivals, ...trade] as const
const boxes = [...goods, 'demurrage_invoice'] as const
const all = [...carriage, ...trade, 'demurrage_invoice'] as const
const booking = ['booking_confirmation'] as const
const invoice = ['commercial_invoice'] as const
const demurrage = ['demurrage_invoice'] as const

const field = (
  path: string,
  kind: ValueKind,
  label: string,
  types: readonly ReadableType[],
): PayloadField => ({
  path,
  kind,
  label,
  types,
})

export const payloadFields: readonly PayloadField[] = [
  field('transportDocumentReference', 'number', 'Number of the bill of lading or waybill', all),
  field('houseBillOfLadingReferences[]', 'number', 'Numbers of house bills', [...bills, ...arrivals]),
  field('carrierBookingReference', 'number', 'Booking number', all),
  field('customerReferences[]', 'number', "References of the customer, or of the document's sender", all),
  field('purchaseOrderReferences[]', 'number', 'Purchase orders', all),
  field('serviceContractReference', 'number', 'Service contract', lines),
  field('invoiceReference', 'number', 'Invoice number', [...trade, 'demurrage_invoice']),
  field('deliveryOrderReference', 'number', 'Delivery order number', ['delivery_order']),
  field('pickupNumber', 'number', 'Pickup number for all boxes', arrivals),
  field('itNumber', 'number', 'Number of the immediate transportation entry (US customs)', arrivals),
  field('itDate', 'day', 'Day of that entry', arrivals),
  field('carrierName', 'text', 'Carrier', lines),
  field('carrierCode', 'scac', "Carrier's SCAC", lines),

  ...party('shipper', 'Shipper', [...carriage, 'packing_list']),
  ...party('consignee', 'Consignee', [...carriage, ...trade]),
  ...party('notifyParty', 'Party to notify', [...bills, ...arrivals]),
  ...party('seller', 'Seller or exporter', trade),
  ...party('buyer', 'Buyer or importer', trade),
  ...party('billedParty', 'Who is billed', demurrage),
  ...party('billingParty', 'Who bills', demurrage),

  field('vesselName', 'text', 'Vessel', all),
  field('voyageNumber', 'number', 'Voyage', all),
  field('vesselIMONumber', 'imo', 'IMO number of the vessel', lines),
  ...place('portOfLoading', 'Port of loading', all),
  ...place('portOfDischarge', 'Port of discharge', all),
  ...place('placeOfReceipt', 'Place of receipt', carriage),
  ...place('placeOfDelivery', 'Place of delivery', carriage),

  field('issueDate', 'day', 'Day of issue', all),
  field('onBoardDate', 'day', 'Shipped on board', bills),
  field('departureDate.value', 'moment', 'Departure from the port of loading', carriage),
  field(
    'departureDate.classifier',
    'classifier',
    'Whether it has happened, where the page says so',
    carriage,
  ),
  field('portOfDischargeArrivalDate.value', 'moment', 'Arrival at the port of discharge', carriage),
  field(
    'portOfDischargeArrivalDate.classifier',
    'classifier',
    'Whether it has happened, where the page says so',
    carriage,
  ),
  field('placeOfDeliveryArrivalDate.value', 'moment', 'Arrival at the place of delivery', [
    ...arrivals,
    ...booking,
  ]),
  field('documentationCutOff', 'moment', 'Cut-off for shipping instructions', booking),
  field('verifiedGrossMassCutOff', 'moment', 'Cut-off for the verified gross mass', booking),
  field('containerYardCutOff', 'moment', 'Cut-off for full containers at the terminal', booking),
  field('earliestReturnDate', 'moment', 'First day on which the terminal takes full containers', [
    ...booking,
    ...demurrage,
  ]),
  field('availableFrom', 'moment', 'Available for pick-up from', [...arrivals, ...demurrage]),
  field('generalOrderDate', 'moment', 'When the cargo goes to a general-order warehouse', arrivals),

  field('freeTimes[].typeCodes[]', 'clock', 'Which clock: demurrage, detention, storage', arrivals),
  field('freeTimes[].duration', 'count', 'Free days', arrivals),
  field('freeTimes[].timeUnit', 'timeUnit', 'Calendar or working days, where the page says so', arrivals),
  field('freeTimes[].lastFreeDate', 'moment', 'Last free day', arrivals),
  field('freeTimes[].statedBy', 'speaker', 'Whose clock, where the page says so', arrivals),
  field('freeTimes[].equipmentReferences[]', 'container', 'Its boxes; all of the document without', arrivals),

  field('pickupLocation.name', 'text', 'Terminal or other place where the cargo is', arrivals),
  field('pickupLocation.firmsCode', 'firms', 'FIRMS code of that place', arrivals),
  field('emptyReturnLocation.name', 'text', 'Where the empty box goes back', arrivals),
  field('emptyPickupLocation.name', 'text', 'Where the empty box is fetched', booking),
  field('fullReturnLocation.name', 'text', 'Terminal that takes the full box', booking),
  field('isFreightReleased', 'yesNo', 'Freight released', arrivals),
  field('isCustomsReleased', 'yesNo', 'Released by customs', arrivals),
  field('isOriginalBillReceived', 'yesNo', 'Original bill received', arrivals),

  field('containers[].number', 'container', 'Container number', [...boxes, ...booking]),
  field('containers[].sealNumbers[]', 'number', 'Seals', goods),
  field('containers[].sizeType', 'size', 'Size and type as printed, or its ISO code', boxes),
  field('containers[].packages', 'count', 'Packages', goods),
  field('containers[].packageType', 'text', 'Kind of packages', goods),
  field('containers[].grossWeightKg', 'kg', 'Gross weight', goods),
  field('containers[].volumeCbm', 'cbm', 'Volume', goods),
  field('containers[].pickupNumber', 'number', 'Pickup number of this box', arrivals),
  field('containers[].freeTimeStart', 'day', 'First free day', demurrage),
  field('containers[].freeTimeEnd', 'day', 'Last free day', demurrage),
  field('containers[].freeTimeDays', 'count', 'Free days', demurrage),
  field('containers[].availableFrom', 'day', 'Available from', demurrage),
  field('requestedEquipments[].count', 'count', 'Number of boxes booked', booking),
  field('requestedEquipments[].sizeType', 'size', 'Their size and type', booking),

  field('totalPackages', 'count', 'Packages in all', goods),
  field('totalPackageType', 'text', 'Kind of packages', goods),
  field('totalGrossWeightKg', 'kg', 'Gross weight in all', [...goods, ...booking]),
  field('totalNetWeightKg', 'kg', 'Net weight in all', trade),
  field('totalVolumeCbm', 'cbm', 'Volume in all', [...goods, ...booking]),
  field('goodsDescription', 'text', 'Goods', [...goods, ...booking]),
  field('freightPaymentTermCode', 'paymentTerm', 'Freight prepaid or collect', carriage),
  field('numberOfOriginals', 'count', 'Original bills issued', bills),
  field('incoterms', 'incoterm', 'Incoterm', [...trade, ...booking]),

  field('currencyCode', 'currency', 'Currency', [...invoice, ...demurrage]),
  field('totalAmount', 'amount', 'Total', [...invoice, ...demurrage]),
  field('dueDate', 'day', 'Due date', [...invoice, ...demurrage]),
  field('lines[].description', 'text', 'Goods of the line', trade),
  field('lines[].quantity', 'amount', 'Quantity', trade),
  field('lines[].unitPrice', 'amount', 'Price of one', invoice),
  field('lines[].amount', 'amount', 'Amount of the line', invoice),
  field('lines[].packages', 'count', 'Packages', ['packing_list']),
  field('lines[].netWeightKg', 'kg', 'Net weight', ['packing_list']),
  field('lines[].grossWeightKg', 'kg', 'Gross weight', ['packing_list']),

  field('charges[].containerNumber', 'container', 'Container', demurrage),
  field('charges[].typeCode', 'clock', 'Which clock', demurrage),
  field('charges[].fromDate', 'day', 'First day charged', demurrage),
  field('charges[].toDate', 'day', 'Last day charged', demurrage),
  field('charges[].days', 'count', 'Days charged', demurrage),
  field('charges[].rate', 'amount', 'Rate of a day', demurrage),
  field('charges[].amount', 'amount', 'Amount', demurrage),
  field('liabilityBasis', 'text', 'Why the billed party is the proper one (46 CFR 541.6(a)(4))', demurrage),
  field('freeTimeDays', 'count', 'Allowed free time in days (541.6(b)(3))', demurrage),
  field('freeTimeStart', 'day', 'Start of free time (541.6(b)(4))', demurrage),
  field('freeTimeEnd', 'day', 'End of free time (541.6(b)(5))', demurrage),
  field('tariffRule', 'text', 'Rule of tariff, contract or schedule (541.6(c)(2))', demurrage),
  field('disputeEmail', 'text', 'Contact for disputes: e-mail (541.6(d)(1))', demurrage),
  field('disputePhone', 'text', 'Contact for disputes: telephone (541.6(d)(1))', demurrage),
  field('disputeUrl', 'text', 'Address of the dispute process (541.6(d)(2))', demurrage),
  field('disputeDays', 'count', 'Days in which to dispute (541.6(d)(3))', demurrage),
  field('certifiesRules', 'yesNo', 'Certifies that the charges follow the rules (541.6(e)(1))', demurrage),
  field(
    'certifiesPerformance',
    'yesNo',
    'Certifies that the biller did not cause them (541.6(e)(2))',
    demurrage,
  ),
]

function party(path: string, label: string, types: readonly ReadableType[]): readonly PayloadField[] {
  return [
    field(`${path}.name`, 'text', label, types),
    field(`${path}.address`, 'text', `${label}: address`, types),
  ]
}

function place(path: string, label: string, types: readonly ReadableType[]): readonly PayloadField[] {
  return [
    field(`${path}.name`, 'text', `${label}, as printed`, types),
    field(`${path}.UNLocationCode`, 'unlocode', `${label}: UN/LOCODE, where printed or sure`, types),
  ]
}

/** What the draft of the next arrival notice adds: what the notice says must be paid before the cargo is released. */
const arrivalCharges: readonly PayloadField[] = [
  field('charges[].chargeName', 'text', 'Charge', ['arrival_notice']),
  field('charges[].currencyAmount', 'amount', 'Amount', ['arrival_notice']),
  field('charges[].currencyCode', 'currency', 'Currency', ['arrival_notice']),
  field('charges[].paymentTermCode', 'paymentTerm', 'Prepaid or collect', ['arrival_notice']),
]

export function fieldsOf(type: ReadableType): readonly PayloadField[] {
  return payloadFields.filter(({ types }) => types.includes(type))
}

export function draftFieldsOf(type: ReadableType): readonly PayloadField[] {
  return type === 'arrival_notice' ? [...fieldsOf(type), ...arrivalCharges] : []
}
