/** The closed code lists of DCSA Track & Trace 2.2 (and the equipment codes its information model added since). */

export const eventClassifiers = ['PLN', 'EST', 'ACT'] as const
export type EventClassifier = (typeof eventClassifiers)[number]

export const transportEventCodes = ['ARRI', 'DEPA'] as const
export const equipmentEventCodes = [
  'LOAD',
  'DISC',
  'GTIN',
  'GTOT',
  'STUF',
  'STRP',
  'PICK',
  'DROP',
  'INSP',
  'RSEA',
  'RMVD',
  'AVPU',
  'AVDO',
  'CUSS',
  'CUSI',
  'CUSR',
  'WAYP',
] as const
/** Shipment (document) events. They are stored as claims; none of them is part of a journey. */
export const shipmentEventCodes = [
  'RECE',
  'DRFT',
  'PENA',
  'PENU',
  'PENC',
  'REJE',
  'APPR',
  'ISSU',
  'SURR',
  'SUBM',
  'VOID',
  'CONF',
  'REQS',
  'CMPL',
  'HOLD',
  'RELS',
  'CANC',
] as const
export const eventCodes = [...transportEventCodes, ...equipmentEventCodes, ...shipmentEventCodes] as const
export type EventCode = (typeof eventCodes)[number]

export const emptyIndicators = ['EMPTY', 'LADEN'] as const
export type EmptyIndicator = (typeof emptyIndicators)[number]

/** BARGE also means FEEDER, which some lines write for a feeder ship. */
export const transportModes = ['VESSEL', 'RAIL', 'TRUCK', 'BARGE'] as const
export type TransportMode = (typeof transportModes)[number]

export const facilityTypes = [
  'BOCR',
  'CLOC',
  'COFS',
  'COYA',
  'OFFD',
  'DEPO',
  'INTE',
  'POTE',
  'PBPL',
  'BRTH',
  'RAMP',
  'ANCH',
] as const
export type FacilityType = (typeof facilityTypes)[number]

/** Whether the value is one of a closed list; narrows its type. */
export function isOneOf<const Code extends string>(codes: readonly Code[], value: unknown): value is Code {
  return (codes as readonly unknown[]).includes(value)
}
