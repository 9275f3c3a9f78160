/**
 * The journeys that the fake carrier reports, and what is true of them in the end. The checks compare with this truth.
 */

import { containerCheckDigit } from '../../src/domain/values/identifiers.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../../src/platform/ids.ts'

export interface Journey {
  readonly scac: string
  readonly bill: string
  readonly boxes: readonly string[]
  readonly statements: readonly Statement[]
  /** Until then the carrier does not know the bill. */
  readonly knownAfterMs: number
  /** The carrier always knows the number: the answer "not found" would end a request for a box. */
  readonly isAlwaysKnown: boolean
}

/** A statement that the carrier makes under one id. Each version is valid from its moment on. */
interface Statement {
  readonly id: string
  readonly versions: readonly { readonly fromMs: number; readonly event: CarrierEvent }[]
  /** The milestone of each box in the end. Null for a forecast, and for a statement that was withdrawn. */
  readonly milestone: string | null
  readonly boxes: readonly string[]
}

export type CarrierEvent = Readonly<Record<string, unknown>>

const dayMs = 86_400_000
const boxesEach = 3
const boxesMax = 16
const ports = { from: 'CNSHA', via: 'SGSIN', to: 'NLRTM' } as const

interface Step {
  readonly milestone: string
  readonly type: 'EQUIPMENT' | 'TRANSPORT'
  readonly code: string
  readonly load: 'EMPTY' | 'LADEN'
  readonly at: keyof typeof ports
  readonly day: number
}

const out: readonly Step[] = [
  { milestone: 'empty_out', type: 'EQUIPMENT', code: 'GTOT', load: 'EMPTY', at: 'from', day: -5 },
  { milestone: 'full_in', type: 'EQUIPMENT', code: 'GTIN', load: 'LADEN', at: 'from', day: -3 },
  { milestone: 'vessel_loaded', type: 'EQUIPMENT', code: 'LOAD', load: 'LADEN', at: 'from', day: -1 },
  { milestone: 'vessel_departed', type: 'TRANSPORT', code: 'DEPA', load: 'LADEN', at: 'from', day: 0 },
]
const change: readonly Step[] = [
  { milestone: 'transshipment_arrived', type: 'TRANSPORT', code: 'ARRI', load: 'LADEN', at: 'via', day: 6 },
  {
    milestone: 'transshipment_discharged',
    type: 'EQUIPMENT',
    code: 'DISC',
    load: 'LADEN',
    at: 'via',
    day: 7,
  },
  { milestone: 'transshipment_loaded', type: 'EQUIPMENT', code: 'LOAD', load: 'LADEN', at: 'via', day: 9 },
  { milestone: 'transshipment_departed', type: 'TRANSPORT', code: 'DEPA', load: 'LADEN', at: 'via', day: 10 },
]
const home: readonly Step[] = [
  { milestone: 'vessel_arrived', type: 'TRANSPORT', code: 'ARRI', load: 'LADEN', at: 'to', day: 26 },
  { milestone: 'vessel_discharged', type: 'EQUIPMENT', code: 'DISC', load: 'LADEN', at: 'to', day: 27 },
  { milestone: 'full_out', type: 'EQUIPMENT', code: 'GTOT', load: 'LADEN', at: 'to', day: 29 },
]

/** All statements are made within `tellMs`. `nowMs` is the end of the journeys, so that all events are in the past. */
export function inventJourney(
  serial: number,
  by: {
    readonly scac: string
    readonly tellMs: number
    readonly nowMs: number
    readonly random: () => number
    /** Default: three. */
    readonly boxesCount?: number
    readonly isAlwaysKnown?: boolean
  },
): Journey {
  const { scac, tellMs, random, boxesCount = boxesEach, isAlwaysKnown = false } = by
  const bill = `${scac}${700_000_000 + serial}`
  const boxes = Array.from({ length: boxesCount }, (_, n) => {
    const body = `MSKU${String(100_000 + serial * boxesMax + n)}`
    return body + String(containerCheckDigit(body))
  })
  const departedMs = Math.floor(by.nowMs / dayMs) * dayMs - 31 * dayMs + 3_600_000
  const steps = [...out, ...(random() < 0.3 ? change : []), ...home]
  const isMoved = random() < 0.25
  const isRetracted = random() < 0.15
  const write = (
    step: Step,
    of: { id: string; statedMs: number; atMs: number; box: string | null; classifier: string },
  ) => writeEvent(step, { ...of, bill, boxes, serial })
  const statements: Statement[] = []
  for (const [place, step] of steps.entries()) {
    // The first statement is known at once. The others follow about in order; sometimes one comes before its
    // predecessor.
    const fromMs = place === 0 ? 0 : tellMs * Math.min(0.8, (place / steps.length) * 0.8 + random() * 0.1)
    for (const box of step.type === 'TRANSPORT' ? [null] : boxes) {
      const id = uuidV5(LANDFALL_NAMESPACE, `chaos ${bill} ${step.milestone} ${box}`)
      const atMs = departedMs + step.day * dayMs
      const first = write(step, { id, statedMs: atMs + 3_600_000, atMs, box, classifier: 'ACT' })
      const versions = [{ fromMs, event: first }]
      const isFirstBox = box === null || box === boxes[0]
      if (isMoved && isFirstBox && (step.code === 'DEPA' || step.code === 'LOAD')) {
        const moved = write(step, {
          id,
          statedMs: atMs + 9 * 3_600_000,
          atMs: atMs + 5 * 3_600_000,
          box,
          classifier: 'ACT',
        })
        versions.push({ fromMs: fromMs + tellMs * 0.15, event: moved })
      }
      const isTakenBack = isRetracted && box === boxes[1] && step.milestone === 'full_in'
      if (isTakenBack) {
        const statedMs = atMs + 12 * 3_600_000
        const gone = { ...first, eventCreatedDateTime: new Date(statedMs).toISOString(), isRetracted: true }
        versions.push({ fromMs: fromMs + tellMs * 0.2, event: gone })
      }
      statements.push({
        id,
        versions,
        milestone: isTakenBack ? null : step.milestone,
        boxes: box === null ? boxes : [box],
      })
    }
  }
  statements.push(forecast(home[0] as Step))
  const knownAfterMs = random() < 0.15 && !isAlwaysKnown ? tellMs * 0.1 : 0
  return { scac, bill, boxes, statements, knownAfterMs, isAlwaysKnown }

  function forecast(step: Step): Statement {
    const id = uuidV5(LANDFALL_NAMESPACE, `chaos ${bill} forecast`)
    const versions = [0, 1, 2].map((nth) => {
      const atMs = departedMs + (step.day - 3 + nth * 2) * dayMs
      const statedMs = departedMs + nth * dayMs
      return {
        fromMs: tellMs * 0.2 * nth,
        event: write(step, { id, statedMs, atMs, box: null, classifier: 'EST' }),
      }
    })
    return { id, versions, milestone: null, boxes }
  }
}

/** An event in DCSA Track & Trace 2.2. */
function writeEvent(
  step: Step,
  of: {
    readonly id: string
    readonly bill: string
    readonly boxes: readonly string[]
    readonly serial: number
    readonly statedMs: number
    readonly atMs: number
    readonly box: string | null
    readonly classifier: string
  },
): CarrierEvent {
  const UNLocationCode = ports[step.at]

  const call = {
    transportCallID: uuidV5(LANDFALL_NAMESPACE, `chaos call ${of.bill} ${step.at}`),
    UNLocationCode,
    facilityTypeCode: 'POTE',
    modeOfTransport: 'VESSEL',
    exportVoyageNumber: `${100 + of.serial}W`,
    vessel: { vesselIMONumber: '9321483', vesselName: 'EMMA MAERSK' },
  }
  const common = {
    eventID: of.id,
    eventCreatedDateTime: new Date(of.statedMs).toISOString(),
    eventType: step.type,
    eventClassifierCode: of.classifier,
    eventDateTime: new Date(of.atMs).toISOString(),
    transportCall: call,
    documentReferences: [{ documentReferenceType: 'TRD', documentReferenceValue: of.bill }],
  }
  if (of.box === null)
    return {
      ...common,
      transportEventTypeCode: step.code,
      references: of.boxes.map((referenceValue) => ({ referenceType: 'EQ', referenceValue })),
    }
  return {
    ...common,
    equipmentEventTypeCode: step.code,
    equipmentReference: of.box,
    ISOEquipmentCode: '45G1',
    emptyIndicatorCode: step.load,
    eventLocation: { UNLocationCode },
  }
}
