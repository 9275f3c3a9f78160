/**
 * What lines answer in the benchmarks: DCSA 2.2 events of journeys that follow from a seed, the same on every machine.
 * A shipment has 2–4 boxes and about 25 events. In each later version of its answer one or two things have changed.
 */

import { LANDFALL_NAMESPACE, uuidV5 } from '../../src/platform/ids.ts'
import { seededChance } from './measure.ts'

/** The start of the journey clock in the benchmarks. */
export const journeysStartAt = Date.parse('2026-03-10T00:00:00Z')

export interface BenchShipment {
  readonly bill: string
  readonly boxes: readonly string[]
  /** By how many hours its sailing differs from the pattern. */
  readonly shiftHours: number
}

export function makeShipments(count: number, seed: number): readonly BenchShipment[] {
  const chance = seededChance(seed)
  return Array.from({ length: count }, (_, index) => ({
    bill: `BNCH${String(seed * 100_000 + index).padStart(9, '0')}`,
    boxes: Array.from({ length: 2 + Math.floor(chance() * 3) }, (_, box) =>
      boxNumber(seed * 100_000 + index * 4 + box),
    ),
    shiftHours: Math.floor(chance() * 48),
  }))
}

/** The line's answer at look number `version`, counted from 0: a delayed arrival, a new step, or both. */
export function answerOf(shipment: BenchShipment, version: number): Buffer {
  return Buffer.from(JSON.stringify(eventsOf(shipment, version)))
}

/** Each version has one more event that happened. In every second version the arrival is delayed too. */
function eventsOf(shipment: BenchShipment, version: number): readonly unknown[] {
  const later = laterSteps.flatMap((step) => told(shipment, step))
  const happened = later.slice(0, version)
  // After the last step the arrival is delayed each time, so that no two versions are equal.
  const slips = Math.floor(version / 2) + Math.max(0, version - later.length)
  const arrival: Step = {
    kind: 'TRANSPORT',
    code: 'ARRI',
    classifier: 'EST',
    call: 'C',
    hour: 1_100 + slips * 9,
    load: null,
  }
  return [...knownSteps.flatMap((step) => told(shipment, step)), ...happened, eventOf(shipment, arrival, null)]
}

/** The call of a ship is one event. A step of the boxes is one event for each box. */
function told(shipment: BenchShipment, step: Step): readonly unknown[] {
  if (step.kind === 'TRANSPORT') return [eventOf(shipment, step, null)]
  return shipment.boxes.map((box, index) => eventOf(shipment, { ...step, hour: step.hour + index }, box))
}

type CallName = keyof typeof calls
interface Step {
  readonly kind: 'TRANSPORT' | 'EQUIPMENT'
  readonly code: string
  readonly classifier: 'ACT' | 'EST' | 'PLN'
  readonly call: CallName
  /** Hours after the journey began. */
  readonly hour: number
  readonly load: 'LADEN' | 'EMPTY' | null
}

const ship = { vesselIMONumber: '9321483', vesselName: 'EMMA MAERSK' }
const calls = {
  A: { unlocode: 'CNSHA', facility: null, sequence: 1, vessel: ship, voyage: '601E' },
  B: { unlocode: 'KRPUS', facility: null, sequence: 2, vessel: ship, voyage: '601E' },
  D: { unlocode: 'SGSIN', facility: null, sequence: 3, vessel: ship, voyage: '602E' },
  E: { unlocode: 'LKCMB', facility: null, sequence: 4, vessel: ship, voyage: '603E' },
  C: { unlocode: 'USLAX', facility: 'APMT', sequence: 5, vessel: ship, voyage: '601E' },
} as const

const transport = (code: string, call: CallName, hour: number): Step => ({
  kind: 'TRANSPORT',
  code,
  classifier: 'ACT',
  call,
  hour,
  load: null,
})
const equipment = (code: string, call: CallName, hour: number, load: 'LADEN' | 'EMPTY' = 'LADEN'): Step => ({
  kind: 'EQUIPMENT',
  code,
  classifier: 'ACT',
  call,
  hour,
  load,
})

const knownSteps: readonly Step[] = [
  equipment('GTOT', 'A', 0, 'EMPTY'),
  equipment('GTIN', 'A', 30),
  equipment('LOAD', 'A', 70),
  transport('DEPA', 'A', 90),
  transport('ARRI', 'B', 160),
  equipment('DISC', 'B', 170),
  equipment('LOAD', 'B', 230),
  transport('DEPA', 'B', 250),
]
const laterSteps: readonly Step[] = [
  transport('ARRI', 'D', 600),
  equipment('DISC', 'D', 610),
  equipment('LOAD', 'D', 700),
  transport('DEPA', 'D', 720),
]

const journeyBeganAt = journeysStartAt - 55 * 86_400_000

function eventOf({ bill, shiftHours }: BenchShipment, step: Step, box: string | null): unknown {
  const call = calls[step.call]
  const isOnLand = step.code === 'GTOT' || step.code === 'GTIN'
  const at = new Date(journeyBeganAt + (step.hour + shiftHours) * 3_600_000).toISOString()
  return {
    eventID: uuidV5(
      LANDFALL_NAMESPACE,
      `bench:${bill}:${step.code}:${step.classifier}:${step.call}:${step.load}:${box}`,
    ),
    eventCreatedDateTime: at,
    eventDateTime: at,
    eventType: step.kind,
    eventClassifierCode: step.classifier,
    ...(box === null
      ? { transportEventTypeCode: step.code }
      : {
          equipmentEventTypeCode: step.code,
          equipmentReference: box,
          ISOEquipmentCode: '45G1',
          emptyIndicatorCode: step.load,
        }),
    documentReferences: [{ documentReferenceType: 'TRD', documentReferenceValue: bill }],
    transportCall: {
      transportCallID: `${bill}-${step.call}`,
      transportCallSequenceNumber: call.sequence,
      UNLocationCode: call.unlocode,
      facilityTypeCode: 'POTE',
      modeOfTransport: isOnLand ? 'TRUCK' : 'VESSEL',
      ...(call.facility === null ? {} : { facilityCode: call.facility, facilityCodeListProvider: 'SMDG' }),
      ...(isOnLand ? {} : { vessel: call.vessel, exportVoyageNumber: call.voyage, importVoyageNumber: call.voyage }),
    },
  }
}

/** An ISO 6346 number: owner code, serial and check digit. */
function boxNumber(serial: number): string {
  const text = `MSCU${String(serial % 1_000_000).padStart(6, '0')}`
  const sum = [...text].reduce((total, sign, place) => total + letterValueOf(sign) * 2 ** place, 0)
  return `${text}${(sum % 11) % 10}`
}

/** The values of letters begin at 10 and skip the multiples of 11. */
function letterValueOf(sign: string): number {
  if (sign <= '9') return Number(sign)
  const place = sign.charCodeAt(0) - 65 + 10
  return place + Math.floor((place - 1) / 10)
}
