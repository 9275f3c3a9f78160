/** Words of all DCSA versions and of lines' dialects, mapped to the codes of 2.2. */

/** Version 3.0 (information model of 2026) has full words where 2.2 has abbreviations. */
const classifierWords: Words = { ACTUAL: 'ACT', ESTIMATED: 'EST', PLANNED: 'PLN' }

const transportWords: Words = { ARRIVED: 'ARRI', DEPARTED: 'DEPA' }

const equipmentWords: Words = {
  AVAILABLE_FOR_DROP_OFF: 'AVDO',
  AVAILABLE_FOR_PICKUP: 'AVPU',
  CROS: 'WAYP',
  CROSSED: 'WAYP',
  CUSTOMS_RELEASED: 'CUSR',
  CUSTOMS_SELECTED_FOR_INSPECTION: 'CUSI',
  CUSTOMS_SELECTED_FOR_SCAN: 'CUSS',
  DISCHARGED: 'DISC',
  DROPPED_OFF: 'DROP',
  GATED_IN: 'GTIN',
  GATED_OUT: 'GTOT',
  INSPECTED: 'INSP',
  LOADED: 'LOAD',
  PICKED_UP: 'PICK',
  REMOVED: 'RMVD',
  RESEALED: 'RSEA',
  STRIPPED: 'STRP',
  STUFFED: 'STUF',
}

/** Words without an equivalent in 2.2 (AMENDMENT_…, UPDATE_…, SURRENDERED_FOR_…) are kept without a code. */
const shipmentWords: Words = {
  APPROVED: 'APPR',
  CANCELLATION_CONFIRMED: 'CANC',
  CANCELLED: 'CANC',
  COMPLETED: 'CMPL',
  CONFIRMED: 'CONF',
  DRAFTED: 'DRFT',
  ISSUED: 'ISSU',
  ON_HOLD: 'HOLD',
  PENDING_APPROVAL: 'PENA',
  PENDING_UPDATE: 'PENU',
  RECEIVED: 'RECE',
  REJECTED: 'REJE',
  RELEASED: 'RELS',
  REQUESTED: 'REQS',
  SUBMITTED: 'SUBM',
  SURRENDERED: 'SURR',
  VOIDED: 'VOID',
}

/** BOK is the code of version 1 for BKG. */
const documentWords: Words = {
  BOK: 'BKG',
  BOOKING: 'BKG',
  CARRIER_BOOKING_REQUEST: 'CBR',
  SHIPPING_INSTRUCTIONS: 'SHI',
  TRANSPORT_DOCUMENT: 'TRD',
  ARRIVAL_NOTICE: 'ARN',
  VERIFIED_GROSS_MASS: 'VGM',
}

const facilityWords: Words = {
  BORDER: 'BOCR',
  CUSTOMER_LOCATION: 'CLOC',
  DEPOT: 'DEPO',
  CONTAINER_FREIGHT_STATION: 'COFS',
  INLAND_TERMINAL: 'INTE',
  OFF_DOCK_STORAGE: 'OFFD',
  PORT_TERMINAL: 'POTE',
}

const referenceWords: Words = { EQUIPMENT_REFERENCE: 'EQ' }

const locationWords: Words = {
  PORT_OF_LOADING: 'POL',
  PORT_OF_DISCHARGE: 'POD',
  PLACE_OF_DELIVERY: 'PDE',
}

/** UN/CEFACT Recommendation 19, which 1.x used. */
const modeWords: Words = { 1: 'VESSEL', 2: 'RAIL', 3: 'TRUCK', 8: 'BARGE' }

type Words = Readonly<Record<string, string>>

const lists = {
  eventType: {},
  classifier: classifierWords,
  TRANSPORT: transportWords,
  EQUIPMENT: equipmentWords,
  SHIPMENT: shipmentWords,
  document: documentWords,
  facility: facilityWords,
  reference: referenceWords,
  location: locationWords,
  load: {},
  mode: modeWords,
} as const satisfies Readonly<Record<string, Words>>

/**
 * The 2.2 code for a text: by the line's own alias, by the code before an explanation in brackets (`BKG (Booking)`), or
 * by a word of version 3; else the text itself in upper case, which may not be a code at all.
 */
export function codeFor(list: keyof typeof lists, text: string, aliases: Words): string {
  const upper = text.toUpperCase()
  const alias = ownValue(aliases, upper)
  if (alias !== null) return alias
  const explained = upper.endsWith(')') ? /^([A-Z]{2,6})\s*\(.*\)$/.exec(upper) : null
  const code = explained?.[1] ?? upper
  return ownValue(lists[list], code) ?? code
}

/** Keys come from outside: `constructor` must not find the built-in property. */
function ownValue(words: Words, key: string): string | null {
  return Object.hasOwn(words, key) ? (words[key] ?? null) : null
}

/** Document types of 2.2, and of the code list that DCSA has published since. */
export const documentTypes: ReadonlySet<string> = new Set(
  'CBR BKG SHI SRM TRD DEI DEO TRO CRO ARN VGM CAS CUC CUS DGD OOG CQU INV'.split(' '),
)
