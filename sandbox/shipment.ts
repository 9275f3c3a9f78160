/** The parts of a simulated shipment: boxes, calls, what happens to the boxes, and what the line says about it. */
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

export type Scenario = Exclude<Behaviour, 'plain'> | LaneShape | 'eta_slips' | 'eta_jitter' | `story_${string}`

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
  /**
   * The line's code and name of the place, when it sends neither the real code nor the real name. The code is in no
   * list, or null.
   */
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

/** An event, past or future: the truth that the lines report on. `boxes` are indexes. */
export interface Fact {
  readonly at: number
  readonly code: EquipmentCode | TransportCode
  readonly load: 'EMPTY' | 'LADEN'
  readonly call: Call
  readonly boxes: readonly number[]
}

/**
 * A statement of a line. It is visible from `created` on, and until `until` at lines that show only the present state.
 */
export interface Statement {
  /** Unique within the shipment. The id of the event is made from it. */
  readonly key: string
  readonly created: number
  readonly until: number | null
  readonly classifier: 'PLN' | 'EST' | 'ACT'
  readonly at: number
  readonly boxes: readonly number[]
  /** Whether the statement has the line's occasional oddity (no zone, no IMO number…). Null leaves this to chance. */
  readonly odd: boolean | null
  /** The line's own code for the event, which is in no list. */
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
  /** From when on the line answers for these numbers; null when it never does. */
  readonly bookingKnownAt: number
  readonly billKnownAt: number | null
  readonly cancelledAt: number | null
  readonly boxes: readonly Box[]
  readonly facts: readonly Fact[]
  readonly statements: readonly Statement[]
  /** What a story says about its boxes ashore. */
  readonly toldAshore: ToldAshore
  /** Whether partners send messages about it; null leaves this to chance. */
  readonly isToldByPartners: boolean | null
  readonly endsAt: number
}

/** From when on the line answers for this box. */
export function boxKnownAt(shipment: Shipment, box: number): number | null {
  const first = shipment.statements.find(
    ({ about, boxes }) => about.kind === 'EQUIPMENT' && boxes.length === 1 && boxes[0] === box,
  )
  return first?.created ?? null
}

/** The boxes of a statement that the line knew when it made it: those that the statement names. */
export function namedBoxes(shipment: Shipment, { boxes, created }: Statement): readonly number[] {
  return boxes.filter((box) => (boxKnownAt(shipment, box) ?? Number.POSITIVE_INFINITY) <= created)
}

/**
 * The place where a ship discharges the box for the last time, whatever carries it on from there. Null for a box that
 * is never discharged.
 */
export function portOfDischargeOf({ facts }: Shipment, box: number): string | null {
  const landed = facts.findLast(
    ({ code, call, boxes }) =>
      code === 'DISC' && (call.mode === 'VESSEL' || call.mode === 'FEEDER') && boxes.includes(box),
  )
  return landed?.call.place ?? null
}
