/**
 * Makes up journeys and answers about them as a DCSA 2.2 carrier would, look by look: plans, estimates that slip,
 * actuals, corrections, changed ships, late facts, and statements that are left out again. The same seed makes the same
 * journeys.
 */

import { containerCheckDigit } from '../../src/domain/values/identifiers.ts'

export interface JourneyPlan {
  readonly scac: string
  readonly bill: string
  readonly booking: string
  readonly containers: readonly string[]
  /** The DCSA answer about it at this look (from 0). Every look gives another answer. */
  readonly answerAt: (look: number) => readonly Json[]
  /** How many looks it takes until every box is back. */
  readonly looks: number
}

export type Json = Readonly<Record<string, unknown>>

/** A number from 0 to 1 for each call (mulberry32). */
export function openChance(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const dayMs = 86_400_000
const hourMs = 3_600_000
const lanes = [
  ['CNSHG', 'SGSIN', 'NLRTM'],
  ['CNNGB', 'KRPUS', 'USLAX'],
  ['VNSGN', 'SGSIN', 'DEHAM'],
] as const

interface Step {
  readonly code: string
  readonly load: 'EMPTY' | 'LADEN' | null
  readonly port: number
  readonly day: number
  readonly box: string | null
}

/** `startAt`: when the first box is picked up; one look every `daysPerLook` days. */
export function planJourney(of: {
  readonly seed: number
  readonly scac: string
  readonly startAt: number
  readonly daysPerLook: number
}): JourneyPlan {
  const chance = openChance(of.seed)
  const pick = <T>(from: readonly T[]): T => from[Math.floor(chance() * from.length)] as T
  const lane = pick(lanes)
  const hasTransshipment = chance() < 0.4
  const containers = Array.from({ length: 1 + Math.floor(chance() * 3) }, () => containerNumber(chance))
  const lateBox = containers.length > 1 && chance() < 0.4 ? containers.at(-1) : undefined
  const ships = [imoNumber(chance), imoNumber(chance)] as const
  const changesShipAt = chance() < 0.3 ? 4 : 99
  const steps = [...stepsOf(containers, hasTransshipment)].map((step, index) => ({
    ...step,
    index,
    atMs: of.startAt + step.day * dayMs + Math.floor(chance() * 20) * hourMs,
    /** How many looks late the carrier reports it, and when the carrier corrects its actual time. */
    lateLooks: chance() < 0.1 ? 2 : 0,
    correctedAfter: chance() < 0.15 ? 2 : 99,
    /** The carrier reports it for two looks and then leaves it out: it never happened. */
    isGhost: step.code === 'GTOT' && step.load === 'LADEN' && chance() < 0.2,
    slip: Array.from({ length: 40 }, () => (chance() < 0.3 ? Math.floor(chance() * 60 - 12) * hourMs : 0)),
  }))
  const answerAt = (look: number): readonly Json[] => {
    const nowMs = of.startAt + look * of.daysPerLook * dayMs
    const ship = look >= changesShipAt ? ships[1] : ships[0]
    return steps.flatMap((step): readonly Json[] => {
      if (step.box !== null && step.box === lateBox && look < 3) return []
      const since = Math.floor((nowMs - step.atMs) / (of.daysPerLook * dayMs))
      const isActual = since >= step.lateLooks && nowMs >= step.atMs
      if (step.isGhost && isActual && since < 4) {
        // Reported too early by four looks. Two looks say so, then it is left out until it is true. A carrier may
        // withdraw it, or simply no longer state it.
        if (since === 2 && of.seed % 2 === 1) return [takeBack(step.index, nowMs)]
        if (since >= 2) return []
      }
      const slipMs = step.slip.slice(0, look + 1).reduce((sum, each) => sum + each, 0)
      const isPredicted = step.code === 'ARRI' || step.code === 'DEPA'
      if (!isActual && !isPredicted) return []
      const correctionMs = since >= step.correctedAfter ? 3 * hourMs : 0
      const time = isActual ? step.atMs + correctionMs : Math.max(step.atMs + slipMs, nowMs + hourMs)
      const classifier = isActual ? 'ACT' : look === 0 ? 'PLN' : 'EST'
      const statedAt = isActual ? step.atMs + hourMs + (correctionMs > 0 ? 2 * of.daysPerLook * dayMs : 0) : nowMs
      return [tell(step, { classifier, time, statedAt, ship, of, lane })]
    })
  }
  const takeBack = (index: number, statedAt: number): Json => ({
    eventID: uuidOf(`${of.seed}`, `r${index}`),
    eventCreatedDateTime: new Date(statedAt).toISOString(),
    retractedEventID: uuidOf(`${of.seed}`, `a${index}`),
  })
  const tell = (step: (typeof steps)[number], said: Said): Json => {
    const port = said.lane[step.port] ?? said.lane[0]
    return {
      // An estimate that moves keeps its id, an actual has another id: carriers do it like this.
      eventID: uuidOf(`${of.seed}`, said.classifier === 'ACT' ? `a${step.index}` : `e${step.index}`),
      eventCreatedDateTime: new Date(said.statedAt).toISOString(),
      eventType: step.box === null ? 'TRANSPORT' : 'EQUIPMENT',
      eventClassifierCode: said.classifier,
      eventDateTime: new Date(said.time).toISOString(),
      ...(step.box === null
        ? {
            transportEventTypeCode: step.code,
            references: containers.map((box) => ({ referenceType: 'EQ', referenceValue: box })),
          }
        : {
            equipmentEventTypeCode: step.code,
            equipmentReference: step.box,
            emptyIndicatorCode: step.load,
            ISOEquipmentCode: '45G1',
            eventLocation: { UNLocationCode: port },
          }),
      transportCall: {
        transportCallID: `${of.seed}-${step.port}`,
        transportCallSequenceNumber: step.port + 1,
        UNLocationCode: port,
        facilityTypeCode: 'POTE',
        modeOfTransport: 'VESSEL',
        exportVoyageNumber: `${of.seed % 900}E`,
        vessel: { vesselIMONumber: said.ship, vesselName: `Vessel ${said.ship}` },
      },
      documentReferences: [
        { documentReferenceType: 'BKG', documentReferenceValue: booking },
        { documentReferenceType: 'TRD', documentReferenceValue: bill },
      ],
    }
  }
  const bill = `LF${String(of.seed).padStart(7, '0')}`
  const booking = `LB${String(of.seed).padStart(7, '0')}`
  const looks = Math.ceil((Math.max(...steps.map(({ day }) => day)) + 6) / of.daysPerLook)
  return { scac: of.scac, bill, booking, containers, answerAt, looks }
}

interface Said {
  readonly classifier: string
  readonly time: number
  readonly statedAt: number
  readonly ship: string
  readonly of: { readonly seed: number }
  readonly lane: readonly string[]
}

function* stepsOf(containers: readonly string[], hasTransshipment: boolean): Iterable<Step> {
  const last = 2
  for (const box of containers) {
    yield { code: 'GTOT', load: 'EMPTY', port: 0, day: 0, box }
    yield { code: 'GTIN', load: 'LADEN', port: 0, day: 2, box }
    yield { code: 'LOAD', load: 'LADEN', port: 0, day: 4, box }
  }
  yield { code: 'DEPA', load: null, port: 0, day: 5, box: null }
  if (hasTransshipment) {
    yield { code: 'ARRI', load: null, port: 1, day: 11, box: null }
    for (const box of containers) {
      yield { code: 'DISC', load: 'LADEN', port: 1, day: 12, box }
      yield { code: 'LOAD', load: 'LADEN', port: 1, day: 15, box }
    }
    yield { code: 'DEPA', load: null, port: 1, day: 16, box: null }
  }
  yield { code: 'ARRI', load: null, port: last, day: 30, box: null }
  for (const box of containers) {
    yield { code: 'DISC', load: 'LADEN', port: last, day: 31, box }
    yield { code: 'GTOT', load: 'LADEN', port: last, day: 34, box }
    yield { code: 'GTIN', load: 'EMPTY', port: last, day: 38, box }
  }
}

function containerNumber(chance: () => number): string {
  const firstTen = `LDFU${String(Math.floor(chance() * 1e6)).padStart(6, '0')}`
  return `${firstTen}${containerCheckDigit(firstTen)}`
}

/** IMO resolution A.1117: the first six digits weigh 7 to 2. */
function imoNumber(chance: () => number): string {
  const digits = String(910_000 + Math.floor(chance() * 80_000))
  const sum = [...digits].reduce((total, digit, index) => total + Number(digit) * (7 - index), 0)
  return `${digits}${sum % 10}`
}

function uuidOf(seed: string, name: string): string {
  const hex = Buffer.from(`${seed.padStart(8, '0')}${name.padStart(8, '-')}`)
    .toString('hex')
    .slice(0, 32)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
