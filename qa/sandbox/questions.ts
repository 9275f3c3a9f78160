/**
 * What is requested: shipments of the world, each by one of its numbers, every scenario, every fault, and unknown
 * numbers.
 */

import { FAULT_KINDS, faultBox } from '../../sandbox/faults.ts'
import { LINES } from '../../sandbox/lines.ts'
import { DAY } from '../../sandbox/local-time.ts'
import { namedScenarios } from '../../sandbox/named.ts'
import type { Shipment } from '../../sandbox/shipment.ts'
import type { World } from '../../sandbox/world.ts'

interface Question {
  readonly scac?: string | undefined
  readonly request_type: string
  readonly request_number: string
  readonly auto_detect_vocc_scac?: boolean
}

export interface TrueBox {
  readonly shipment: Shipment
  /** Index of the box in the shipment. */
  readonly place: number
  /** Whether the line is asked about the box: by its own number, or by a number of the whole shipment. */
  readonly isAsked: boolean
}

export interface Asked {
  readonly shipments: readonly Shipment[]
  readonly questions: readonly Question[]
  /** Key: the number. Numbers that occur twice are left out. */
  readonly boxes: ReadonlyMap<string, TrueBox>
}

/**
 * Shipments that are under way on the first day. Shipments with corrections or a second trip are left out, because
 * scenarios cover these.
 */
export function chooseQuestions(
  world: World,
  of: { readonly journeys: number; readonly seed: number; readonly fromMs: number },
): Asked {
  const { journeys, seed, fromMs } = of
  const shipments = world
    .recent(fromMs, 60, null)
    .filter(({ scenario, endsAt, bookingKnownAt }) => {
      const isPlain = !/^story_|corrected|retracted|reused|late/.test(scenario)
      return isPlain && endsAt > fromMs + DAY && bookingKnownAt < fromMs
    })
    .slice(0, journeys)
  const questions = shipments.map((shipment, n) => questionOf(shipment, n + seed))
  const boxes = new Map<string, TrueBox>()
  const often = new Set<string>()
  for (const [n, shipment] of shipments.entries())
    for (const [place, { number }] of shipment.boxes.entries()) {
      if (boxes.has(number)) often.add(number)
      const isAsked = questions[n]?.request_type !== 'container' || questions[n].request_number === number
      boxes.set(number, { shipment, place, isAsked })
    }
  for (const number of often) boxes.delete(number)
  return { shipments, questions: [...questions, ...scenarios(), ...faults(), ...unknown(questions)], boxes }
}

/** Requests the shipment by one of the kinds of number that its line takes, each kind in turn. */
function questionOf({ line, bill, booking, boxes, billKnownAt }: Shipment, turn: number): Question {
  const { scac, kinds } = line
  const asks: readonly Question[] = [
    ...(kinds.includes('bill_of_lading') && billKnownAt !== null
      ? [{ scac, request_type: 'bill_of_lading', request_number: bill }]
      : []),
    ...(kinds.includes('booking') ? [{ scac, request_type: 'booking_number', request_number: booking }] : []),
    ...(kinds.includes('container')
      ? [{ scac, request_type: 'container', request_number: boxes[0]?.number ?? '' }]
      : []),
  ]
  const question = asks[turn % asks.length]
  if (question === undefined) throw new Error(`${scac} takes no number`)
  return question
}

const requestTypes = {
  bill_of_lading: 'bill_of_lading',
  booking: 'booking_number',
  container: 'container',
} as const

function scenarios(): readonly Question[] {
  return namedScenarios().flatMap(({ scac, kind, number }) => {
    const numbers = kind === 'container' ? [number] : [number, number.replace(/01$/, '03'), number.replace(/01$/, '04')]
    return numbers.map((each) => ({ scac, request_type: requestTypes[kind], request_number: each }))
  })
}

/**
 * Each fault at another line, because a line that fails repeatedly is not asked for some time. The fault `slow` is left
 * out: it would take too long in real time.
 */
function faults(): readonly Question[] {
  const kinds = FAULT_KINDS.filter((kind) => kind !== 'slow')
  const takers = LINES.filter((line) => line.kinds.includes('bill_of_lading'))
  return kinds.map((kind, n) => ({
    scac: takers[n]?.scac,
    request_type: 'bill_of_lading',
    request_number: `FAULT${kind.toUpperCase()}1`,
  }))
}

function unknown(questions: readonly Question[]): readonly Question[] {
  return [
    { scac: 'MAEU', request_type: 'bill_of_lading', request_number: '299999999' },
    { scac: 'HLCU', request_type: 'container', request_number: 'HLXU9999997' },
    { scac: 'PCIU', request_type: 'container', request_number: faultBox('unknown') },
    { scac: 'PCIU', request_type: 'container', request_number: faultBox('nodata') },
    { request_type: 'bill_of_lading', request_number: 'FAULTUNKNOWN0002', auto_detect_vocc_scac: true },
    // These are tracked under their line already, which is found only after the request.
    ...questions.slice(0, 5).map((question) => ({ ...question, scac: undefined, auto_detect_vocc_scac: true })),
  ]
}
