/** What a shipment of the simulated world is: boxes, calls, what happens to them, and what the line says about it. */
import type { LaneShape } from './lanes.ts'
import type { Told } from './latecomers.ts'
import type { EquipmentFamily, Line } from './lines.ts'
import type { Vessel } from './places.ts'
import type { ToldAshore } from './told-ashore.ts'

export const BEHAVIOURS = [
  'plain',
  'rolled',
  'different_fates',
  'late_containers',
  'cancelled',
  'late_manifest',
  'corrected',
  'retracted',
  'container_reused',
  'bill_entered_late',
] as const
export type Behaviour = (typeof BEHAVIOURS)[number]

export type Scenario =
  | Exclude<Behaviour, 'plain'>
  | LaneShape
  | 'eta_slips'
  | 'eta_jitter'
  | `story_${string}`

export type Mode = 'VESSEL' | 'FEEDER' | 'BARGE' | 'RAIL' | 'TRUCK'

/** One visit of a ship, barge, train or truck to a place. */
export interface Call {
  readonly id: string
  readonly place: string
  readonly mode: Mode
  readonly vessel: Vessel | null
  readonly voyage: string | null
  readonly service: string | null
  readonly sequence: number
  readonly facilityType: 'POTE' | 'BRTH' | 'RAMP' | 'DEPO'
  readonly terminalCode: string | null
  readonly facilityName: string | null
  /** What the line calls the place where it has neither its code nor its name; the code is one that no list has, or none. */
  readonly called?: { readonly code: string | null; readonly name: string }
}

export interface Box {
  readonly number: string
  readonly equipmentCode: string
  readonly family: EquipmentFamily
  readonly seal: string
}

export type EquipmentCode = 'GTOT' | 'GTIN' | 'LOAD' | 'DISC'
export type TransportCode = 'DEPA' | 'ARRI'
export type DocumentCode = 'CONF' | 'RECE' | 'ISSU' | 'VOID' | 'CANC'

/** Something that happens, past or future: the truth that the lines report on. `boxes` are indexes. */
export interface Fact {
  readonly at: number
  readonly code: EquipmentCode | TransportCode
  readonly load: 'EMPTY' | 'LADEN'
  readonly call: Call
  readonly boxes: readonly number[]
}

/** Something a line says from `created` on, until it is left out again (`until`, whole-picture lines only). */
export interface Statement {
  /** Unique within the shipment; the event id is made of it. */
  readonly key: string
  readonly created: number
  readonly until: number | null
  readonly classifier: 'PLN' | 'EST' | 'ACT'
  readonly at: number
  readonly boxes: readonly number[]
  /** Whether the line's occasional oddity (no zone, no IMO number…) is in it; null leaves that to chance. */
  readonly odd: boolean | null
  /** The line's own code for what happened, where no list has it. */
  readonly word?: string
  readonly about:
    | {
        readonly kind: 'SHIPMENT'
        readonly code: DocumentCode
        readonly document: string
        readonly reason: string | null
      }
    | { readonly kind: 'TRANSPORT'; readonly code: TransportCode; readonly call: Call }
    | {
        readonly kind: 'EQUIPMENT'
        readonly code: EquipmentCode
        readonly call: Call
        readonly load: 'EMPTY' | 'LADEN'
      }
}

export interface Shipment extends Told {
  readonly key: string
  readonly line: Line
  readonly scenario: Scenario
  readonly from: string
  readonly to: string
  readonly booking: string
  readonly bill: string
  /** From when on the line answers to these numbers; null where it never does. */
  readonly bookingKnownAt: number
  readonly billKnownAt: number | null
  readonly cancelledAt: number | null
  readonly boxes: readonly Box[]
  readonly facts: readonly Fact[]
  readonly statements: readonly Statement[]
  /** What a story says of its boxes ashore. */
  readonly toldAshore: ToldAshore
  /** Whether partners send of it; null leaves that to chance. */
  readonly isToldByPartners: boolean | null
  readonly endsAt: number
}

/** From when on the line answers to the number of this box. */
export function boxKnownAt(shipment: Shipment, box: number): number | null {
  const first = shipment.statements.find(
    ({ about, boxes }) => about.kind === 'EQUIPMENT' && boxes.length === 1 && boxes[0] === box,
  )
  return first?.created ?? null
}

/** Where a ship sets it down for good, whatever takes it on from there; null for a box that never comes so far. */
export function portOfDischargeOf({ facts }: Shipment, box: number): string | null {
  const landed = facts.findLast(
    ({ code, call, boxes }) =>
      code === 'DISC' && (call.mode === 'VESSEL' || call.mode === 'FEEDER') && boxes.includes(box),
  )
  return landed?.call.place ?? null
}
