/** What people call the kinds of documents. */

import type { DocumentType } from '../../../sources/documents/document.ts'

export const kindLabels: Readonly<Record<DocumentType, string>> = {
  bill_of_lading: 'Bill of lading',
  sea_waybill: 'Sea waybill',
  arrival_notice: 'Arrival notice',
  delivery_order: 'Delivery order',
  booking_confirmation: 'Booking confirmation',
  commercial_invoice: 'Commercial invoice',
  packing_list: 'Packing list',
  demurrage_invoice: 'Demurrage invoice',
  other: 'Other document',
  unknown: 'Not recognised',
}
