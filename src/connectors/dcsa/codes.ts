/** Codes and texts of all DCSA versions and of carriers' dialects, mapped to the codes of 2.2. */

import {
  emptyIndicators,
  eventClassifiers,
  eventCodes,
  facilityTypes,
  transportModes,
} from '../../domain/values/codes.ts'
import { lineProfiles } from './profiles/lines.ts'

/** Version 3.0 (information model of 2026) has full names where 2.2 has abbreviations. */
const classifierCodes: CodeMap = { ACTUAL: 'ACT', ESTIMATED: 'EST', PLANNED: 'PLN' }

const transportCodes: CodeMap = { ARRIVED: 'ARRI', DEPARTED: 'DEPA' }

const equipmentCodes: CodeMap = {
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

/** Codes without an equivalent in 2.2 (AMENDMENT_…, UPDATE_…, SURRENDERED_FOR_…) are stored without a code. */
const shipmentCodes: CodeMap = {
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
const documentCodes: CodeMap = {
  BOK: 'BKG',
  BOOKING: 'BKG',
  CARRIER_BOOKING_REQUEST: 'CBR',
  SHIPPING_INSTRUCTIONS: 'SHI',
  TRANSPORT_DOCUMENT: 'TRD',
  ARRIVAL_NOTICE: 'ARN',
  VERIFIED_GROSS_MASS: 'VGM',
}

const facilityCodes: CodeMap = {
  BORDER: 'BOCR',
  CUSTOMER_LOCATION: 'CLOC',
  DEPOT: 'DEPO',
  CONTAINER_FREIGHT_STATION: 'COFS',
  INLAND_TERMINAL: 'INTE',
  OFF_DOCK_STORAGE: 'OFFD',
  PORT_TERMINAL: 'POTE',
}

const referenceCodes: CodeMap = { EQUIPMENT_REFERENCE: 'EQ' }

const locationCodes: CodeMap = {
  PORT_OF_LOADING: 'POL',
  PORT_OF_DISCHARGE: 'POD',
  PLACE_OF_DELIVERY: 'PDE',
}

/** UN/CEFACT Recommendation 19, which 1.x used. */
const modeCodes: CodeMap = { 1: 'VESSEL', 2: 'RAIL', 3: 'TRUCK', 8: 'BARGE' }

type CodeMap = Readonly<Record<string, string>>

const lists = {
  eventType: {},
  classifier: classifierCodes,
  TRANSPORT: transportCodes,
  EQUIPMENT: equipmentCodes,
  SHIPMENT: shipmentCodes,
  document: documentCodes,
  facility: facilityCodes,
  reference: referenceCodes,
  location: locationCodes,
  load: {},
  mode: modeCodes,
} as const satisfies Readonly<Record<string, CodeMap>>

/**
 * The 2.2 code for a text: by the line's own alias, by the code before an explanation in brackets (`BKG (Booking)`), or
 * by a code of version 3; else the text itself in upper case, which may not be a code at all.
 */
export function codeFor(list: keyof typeof lists, text: string, aliases: CodeMap): string {
  const upper = text.toUpperCase()
  const alias = lookUpCode(aliases, upper)
  if (alias !== null) return alias
  const explained = upper.endsWith(')') ? /^([A-Z]{2,6})\s*\(.*\)$/.exec(upper) : null
  const code = explained?.[1] ?? upper
  return lookUpCode(lists[list], code) ?? code
}

/** Keys come from outside: `constructor` must not find the built-in property. */
function lookUpCode(codeMap: CodeMap, key: string): string | null {
  return Object.hasOwn(codeMap, key) ? (codeMap[key] ?? null) : null
}

/** Document types of 2.2, and of the code list that DCSA has published since. */
export const documentTypes: ReadonlySet<string> = new Set(
  'CBR BKG SHI SRM TRD DEI DEO TRO CRO ARN VGM CAS CUC CUS DGD OOG CQU INV'.split(' '),
)

const knownCodes: ReadonlySet<string> = new Set(
  [
    ['TRANSPORT', 'EQUIPMENT', 'SHIPMENT', 'EQ', 'POL', 'POD', 'PDE'],
    [eventClassifiers, eventCodes, emptyIndicators, transportModes, facilityTypes, [...documentTypes]],
    lineProfiles.map(({ profile }) => Object.keys(profile.enumAliases)),
    Object.values(lists).map((codeMap: CodeMap) => Object.entries(codeMap)),
  ].flat(3),
)

/** Whether the code is in any list of the reader, or of a profile that is shipped. */
export function isKnownCode(code: string): boolean {
  return knownCodes.has(code)
}
