/**
 * The wire's `raw_event` name for a source's statement, by its DCSA codes and the role of its place in the shipment's
 * route. Null when there is no such name: `original_event` then has the source's own wording.
 */

import {
  type EmptyIndicator,
  type EventCode,
  shipmentEventCodes,
  type TransportMode,
} from '../../domain/values/codes.ts'

export const rawEventNames = [
  'empty_out',
  'full_in',
  'positioned_in',
  'positioned_out',
  'vessel_loaded',
  'vessel_departed',
  'transshipment_arrived',
  'transshipment_discharged',
  'transshipment_loaded',
  'transshipment_departed',
  'feeder_arrived',
  'feeder_discharged',
  'feeder_loaded',
  'feeder_departed',
  'rail_loaded',
  'rail_departed',
  'rail_arrived',
  'rail_unloaded',
  'vessel_arrived',
  'vessel_discharged',
  'arrived_at_destination',
  'delivered',
  'full_out',
  'empty_in',
  'vgm_received',
  'carrier_release',
  'customs_release',
  'available',
] as const
export type RawEventName = (typeof rawEventNames)[number]

export interface StatedCodes {
  readonly code: EventCode | null
  readonly load: EmptyIndicator | null
  readonly mode: TransportMode | null
  /** The event as the source wrote it. For an event of a document, this ends with the type of that document. */
  readonly original: string | null
  /** UN/LOCODEs of the place and of the shipment's route. Null when not known. */
  readonly unlocode: string | null
  readonly portOfLoading: string | null
  readonly portOfDischarge: string | null
  readonly destination: string | null
}

type PlaceRole = 'transshipment' | 'destination' | 'other'

/** Code, then load state, mode or role. The first row that fits is used. */
const table: readonly (readonly [
  EventCode,
  { load?: EmptyIndicator; mode?: TransportMode; role?: PlaceRole },
  RawEventName,
])[] = [
  ['GTOT', { load: 'EMPTY' }, 'empty_out'],
  ['GTOT', { load: 'LADEN' }, 'full_out'],
  ['GTIN', { load: 'LADEN' }, 'full_in'],
  ['GTIN', { load: 'EMPTY' }, 'empty_in'],
  ['LOAD', { mode: 'VESSEL', role: 'transshipment' }, 'transshipment_loaded'],
  ['LOAD', { mode: 'VESSEL' }, 'vessel_loaded'],
  ['LOAD', { mode: 'BARGE' }, 'feeder_loaded'],
  ['LOAD', { mode: 'RAIL' }, 'rail_loaded'],
  ['DISC', { mode: 'VESSEL', role: 'transshipment' }, 'transshipment_discharged'],
  ['DISC', { mode: 'VESSEL' }, 'vessel_discharged'],
  ['DISC', { mode: 'BARGE' }, 'feeder_discharged'],
  ['DISC', { mode: 'RAIL' }, 'rail_unloaded'],
  ['DEPA', { mode: 'VESSEL', role: 'transshipment' }, 'transshipment_departed'],
  ['DEPA', { mode: 'VESSEL' }, 'vessel_departed'],
  ['DEPA', { mode: 'BARGE' }, 'feeder_departed'],
  ['DEPA', { mode: 'RAIL' }, 'rail_departed'],
  ['ARRI', { mode: 'VESSEL', role: 'transshipment' }, 'transshipment_arrived'],
  ['ARRI', { mode: 'VESSEL' }, 'vessel_arrived'],
  ['ARRI', { mode: 'BARGE' }, 'feeder_arrived'],
  ['ARRI', { role: 'destination' }, 'arrived_at_destination'],
  ['ARRI', { mode: 'RAIL' }, 'rail_arrived'],
  ['AVPU', {}, 'available'],
  ['CUSR', {}, 'customs_release'],
  ['RELS', {}, 'carrier_release'],
]

export function rawEventName(stated: StatedCodes): RawEventName | null {
  // Of the events about the verified gross mass (VGM), only its receipt has a name. A release of the VGM must not look
  // like a release of the container.
  if (isAboutGrossMass(stated)) return stated.code === 'RECE' ? 'vgm_received' : null
  const role = roleOf(stated)
  const row = table.find(
    ([code, when]) =>
      code === stated.code &&
      (when.load === undefined || when.load === stated.load) &&
      (when.mode === undefined || when.mode === stated.mode) &&
      (when.role === undefined || when.role === role),
  )
  return row?.[2] ?? null
}

function isAboutGrossMass({ code, original }: StatedCodes): boolean {
  const isOfDocument = code !== null && shipmentEventCodes.some((each) => each === code)
  return isOfDocument && original?.endsWith(' VGM') === true
}

/**
 * A call at a port that is neither end of the sea leg is a transshipment. This is known only when both ends are known.
 */
function roleOf({ unlocode, portOfLoading, portOfDischarge, destination }: StatedCodes): PlaceRole {
  if (unlocode === null) return 'other'
  if (unlocode === destination && unlocode !== portOfDischarge) return 'destination'
  if (portOfLoading === null || portOfDischarge === null) return 'other'
  return unlocode === portOfLoading || unlocode === portOfDischarge ? 'other' : 'transshipment'
}
