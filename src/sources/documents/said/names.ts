/**
 * Which field of a document says what: the only place that knows the names of the fields. Where several names are
 * given, kinds of documents name the same thing differently, and the first that a document has counts. A name that is
 * not here says nothing of a journey: parties, goods, charges and amounts stay in the document.
 */

export const fieldNames = {
  /** When the document was written. */
  writtenOn: ['issue_date'],
  bill: ['bill_of_lading_number'],
  booking: ['booking_number'],
  vesselName: ['vessel_name'],
  vesselImo: ['vessel_imo'],
  voyage: ['voyage_number'],
  portOfLoading: { name: ['port_of_loading'], unlocode: ['port_of_loading_unlocode'] },
  portOfDischarge: { name: ['port_of_discharge'], unlocode: ['port_of_discharge_unlocode'] },
  placeOfDelivery: { name: ['place_of_delivery'], unlocode: ['place_of_delivery_unlocode'] },
  /** Expected arrival at the port of discharge, and expected departure from the port of loading. */
  arrival: ['eta'],
  departure: ['etd'],
  terminal: { name: ['terminal_name'], firms: ['terminal_firms_code'] },
  emptyReturn: { name: ['empty_return_location'], by: ['empty_return_by'] },
  generalOrder: ['general_order_date'],
  inbond: ['it_number'],
  pickupNumber: ['pickup_number'],
  freightRelease: ['freight_release'],
  customsRelease: ['customs_release'],
  vgmCutOff: ['vgm_cut_off'],
  documentationCutOff: ['documentation_cut_off'],
  cargoCutOff: ['cargo_cut_off'],
} as const

/** Lists, and the names within their elements. */
export const listNames = {
  containers: ['containers'],
  box: { number: ['number'], size: ['size_type'], seal: ['seal_number'], weightKg: ['gross_weight_kg'] },
  freeTimes: ['free_time'],
  freeTime: { kind: ['kind'], lastDay: ['last_free_day'], box: ['container_number'] },
} as const
