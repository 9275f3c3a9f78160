/** Journeys of the sandbox's world as a sequence of sayings. The proof sends the same sayings in each language. */

import { fraction } from '../../sandbox/chance.ts'
import { NUMBER_KINDS } from '../../sandbox/lines.ts'
import { DAY, writeDay, writeLocal } from '../../sandbox/local-time.ts'
import { getPlace } from '../../sandbox/places.ts'
import type { Call, Shipment, Statement } from '../../sandbox/shipment.ts'
import { World } from '../../sandbox/world.ts'
import { type EventObservation, nowhere, type Observation } from '../../src/domain/statements/observation.ts'
import type { TransportMode } from '../../src/domain/values/codes.ts'
import type { EventTime } from '../../src/domain/values/time.ts'
import { findPlaceByCode } from '../../src/reference/places.ts'
import { findShippingLine } from '../../src/reference/shipping-lines.ts'
import { terminalSayings } from './terminal-sayings.ts'

export interface Saying {
  readonly by: 'line' | 'terminal'
  /** An ISO 8601 instant. */
  readonly writtenAt: string
  /** The key is the speaker's own. */
  readonly observation: Observation & { readonly equipment: string }
  readonly bill: string | null
  readonly booking: string | null
}

export interface Journey {
  readonly name: string
  readonly scenario: string
  readonly scac: string
  readonly asked: {
    readonly type: 'bill_of_lading' | 'booking_number' | 'container'
    readonly number: string
  }
  /** In the order of writing. */
  readonly sayings: readonly Saying[]
}

const daysBack = 150
/** Two boxes of a bill are enough to prove what holds for more. */
const boxesMax = 2
const estimatesMax = 3

/** Complete and unfinished journeys, the hand-written stories first. Each seed has another world. */
export function inventJourneys(wanted: {
  readonly count: number
  readonly seed: number
  readonly nowMs: number
}): readonly Journey[] {
  const { count, seed, nowMs } = wanted
  const world = new World(seed, nowMs - 75 * DAY)
  const shipments = world.recent(nowMs, daysBack + 75, null).filter(({ cancelledAt }) => cancelledAt === null)
  const stories = shipments.filter(({ scenario }) => scenario.startsWith('story_'))
  const others = shipments
    .filter(({ scenario }) => !scenario.startsWith('story_'))
    .toSorted((a, b) => fraction(`${seed} ${a.key}`) - fraction(`${seed} ${b.key}`))
  const byNumber = new Map<string, Journey>()
  for (const shipment of [...stories, ...others]) {
    if (byNumber.size >= count) break
    for (const journey of journeysOf(shipment, world, nowMs))
      if (journey.sayings.length > 0 && byNumber.size < count)
        byNumber.set(`${journey.scac} ${journey.asked.type} ${journey.asked.number}`, journey)
  }
  return [...byNumber.values()]
}

/** One journey. For a line that can be asked by container only, one for each box, with all its trips. */
function journeysOf(shipment: Shipment, world: World, nowMs: number): readonly Journey[] {
  const { line, key, scenario } = shipment
  const tracks = findShippingLine(line.scac)?.tracksBy
  const kind = NUMBER_KINDS.find((each) => {
    if (each === 'bill_of_lading')
      return tracks?.billOfLading && line.kinds.includes(each) && (shipment.billKnownAt ?? nowMs) < nowMs
    return tracks?.[each] && line.kinds.includes(each)
  })
  if (kind === undefined || tracks === undefined) return []
  const base = { scenario, scac: line.scac }
  if (kind !== 'container') {
    const asked =
      kind === 'bill_of_lading'
        ? ({ type: kind, number: shipment.bill } as const)
        : ({ type: 'booking_number', number: shipment.booking } as const)
    const boxes = shipment.boxes.map(({ number }) => number)
    const some = boxes.length > boxesMax ? [boxes[0] ?? '', boxes.at(-1) ?? ''] : boxes
    return [{ ...base, name: key, asked, sayings: sayingsOf(shipment, some, { nowMs, isNamed: true }) }]
  }
  return shipment.boxes.slice(0, boxesMax).map(({ number }) => {
    const trips = world.find(line, number, nowMs)
    const sayings = trips.flatMap((trip) => sayingsOf(trip, [number], { nowMs, isNamed: false })).toSorted(byMoment)
    const asked = { type: 'container', number } as const
    return { ...base, name: `${key} ${number}`, asked, sayings }
  })
}

interface Of {
  readonly nowMs: number
  /** Whether the sayings name the documents. Otherwise they name only the box. */
  readonly isNamed: boolean
}

function sayingsOf(shipment: Shipment, boxes: readonly string[], of: Of): readonly Saying[] {
  const said = boxes.flatMap((box) => {
    const place = shipment.boxes.findIndex(({ number }) => number === box)
    const own = shipment.statements.filter((each) => each.boxes.includes(place))
    return withoutMostEstimates(own).flatMap((each) => sayingsOfStatement(shipment, each, { ...of, box }))
  })
  const terminal = boxes.flatMap((box) => terminalSayings(shipment, box))
  const numbered = terminal.map(({ atMs, observation }) =>
    sayingAt(shipment, { atMs, observation, by: 'terminal' }, of),
  )
  return [...said, ...numbered].filter(({ writtenAt }) => Date.parse(writtenAt) <= of.nowMs).toSorted(byMoment)
}

export function byMoment(a: Saying, b: Saying): number {
  return a.writtenAt < b.writtenAt ? -1 : a.writtenAt > b.writtenAt ? 1 : 0
}

/** Keeps the first and the last estimates of a slot. Those between add nothing to the proof. */
function withoutMostEstimates(statements: readonly Statement[]): readonly Statement[] {
  const slots = Map.groupBy(statements, ({ about, classifier }) =>
    'call' in about ? `${classifier} ${about.code} ${about.call.id}` : '',
  )
  return [...slots.values()].flatMap((slot) =>
    slot[0]?.classifier === 'ACT' || slot.length <= estimatesMax
      ? slot
      : [...slot.slice(0, 1), ...slot.slice(1 - estimatesMax)],
  )
}

/** A statement that leaves a line's answer becomes a withdrawal here, because a sender has to withdraw it. */
function sayingsOfStatement(
  shipment: Shipment,
  statement: Statement,
  of: Of & { readonly box: string },
): readonly Saying[] {
  const { created, until } = statement
  const observation = observationOf(shipment, statement, of.box)
  if (observation === null) return []
  const say = (atMs: number, isRetracted: boolean): Saying =>
    sayingAt(shipment, { atMs, observation: { ...observation, isRetracted }, by: 'line' }, of)
  return until === null ? [say(created, false)] : [say(created, false), say(until, true)]
}

function sayingAt(
  { bill, billKnownAt, booking }: Shipment,
  said: Pick<Saying, 'by' | 'observation'> & { readonly atMs: number },
  { isNamed }: Of,
): Saying {
  const { atMs, by, observation } = said
  const writtenAt = new Date(atMs).toISOString()
  const isBilled = isNamed && billKnownAt !== null && atMs >= billKnownAt
  return {
    by,
    writtenAt,
    observation: { ...observation, statedAt: writtenAt },
    bill: isBilled ? bill : null,
    booking: isNamed ? booking : null,
  }
}

const modes: Readonly<Record<Call['mode'], TransportMode>> = {
  VESSEL: 'VESSEL',
  FEEDER: 'BARGE',
  BARGE: 'BARGE',
  RAIL: 'RAIL',
  TRUCK: 'TRUCK',
}

function observationOf(
  shipment: Shipment,
  statement: Statement,
  box: string,
): (EventObservation & { readonly equipment: string }) | null {
  const { about, classifier, key } = statement
  if (about.kind === 'SHIPMENT') return null
  const { call, code } = about
  const unlocode = findPlaceByCode(call.place)
  return {
    kind: 'event',
    key: `${shipment.key} ${key} ${box}`,
    equipment: box,
    statedAt: null,
    isRetracted: false,
    classifier,
    code,
    load: about.kind === 'EQUIPMENT' ? about.load : null,
    mode: modes[call.mode],
    time: timeOf(shipment, statement, call),
    place: {
      ...nowhere,
      unlocode: unlocode?.unlocode ?? null,
      timeZone: unlocode?.timeZone ?? null,
      name: getPlace(call.place).name,
      facilityType: call.facilityType === 'RAMP' ? 'RAMP' : call.facilityType === 'DEPO' ? 'DEPO' : 'POTE',
    },
    vessel: call.vessel,
    voyage: call.voyage,
    callId: call.id,
    callSequence: null,
    original: code,
  }
}

/** An instant, or, at lines that write so, sometimes the local time without a zone, or the day. */
function timeOf({ line, key }: Shipment, statement: Statement, { place }: Call): EventTime {
  const { zone } = getPlace(place)
  if (line.quirks.has('day_only_times')) return { kind: 'day', on: writeDay(zone, statement.at) }
  const isBare = line.quirks.has('some_times_without_zone') && fraction(`bare ${key} ${statement.key}`) < 0.2
  if (isBare) return { kind: 'local', local: writeLocal(zone, statement.at) }
  return { kind: 'instant', at: new Date(statement.at).toISOString() }
}
