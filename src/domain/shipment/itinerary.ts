/**
 * The places that a container is carried through, in order, each with how the container comes and how it continues.
 * Planned and actual calls are listed together. They come from the same journey as the milestones, but with the planned
 * calls, which milestones do not have.
 */

import { actualOf, estimateOf, hasSlot, isReachedByFeeder } from '../journey/call-slots.ts'
import type { Call } from '../journey/journey.ts'
import type { AreaOf } from '../journey/rail-area.ts'
import { readTripRoute } from '../journey/read-way.ts'
import { assignRoles, isPassedThrough, type Roles } from '../journey/roles.ts'
import type { ShipmentRequest } from '../journey/trip-choice.ts'
import type { ObservedPlace, ObservedVessel } from '../statements/observation.ts'
import { placeKeyOf, type Statement } from '../statements/statement.ts'
import type { TransportMode } from '../values/codes.ts'
import type { EventTime } from '../values/time.ts'
import type { ContainerProjection } from '../view/projection.ts'
import { type BillReading, tripsOfContainer } from './container-trips.ts'

/** Coming to a place or going from it. */
export interface Movement {
  readonly mode: TransportMode
  readonly estimatedAt: EventTime | null
  /** Whether the source calls `estimatedAt` planned (DCSA: PLN) or estimated (EST); null where there is none. */
  readonly estimateIs: 'planned' | 'estimated' | null
  readonly actualAt: EventTime | null
  /** The ship or barge, as far as it was named. */
  readonly vessel: ObservedVessel | null
  readonly voyage: string | null
}

export interface Stop {
  /** Place and ordinal of the visit there: `USLAX#1`. */
  readonly key: string
  readonly place: ObservedPlace
  readonly inbound: Movement | null
  readonly outbound: Movement | null
  /** A statement shows that the container has been here, or further on. */
  readonly isReached: boolean
  /** A statement shows that the container has gone on from here. */
  readonly hasDeparted: boolean
}

export interface ItineraryInput {
  readonly bill: BillReading
  readonly number: string
  readonly trip: number
  /** The projections of this container so far. */
  readonly rows: readonly ContainerProjection[]
  readonly request: ShipmentRequest
  readonly areaOf: AreaOf
}

/** Empty when nobody named a place that the container is carried to or from. */
export function readItinerary(input: ItineraryInput): readonly Stop[] {
  const { number, bill, rows, request } = input
  const trip = tripsOfContainer(number, bill, { rows, request }).trips.find(({ ordinal }) => ordinal === input.trip)
  const { journey, named } = readTripRoute(trip?.trip ?? { statements: [], facts: [] })
  const podKey = named.portOfDischarge === null ? null : placeKeyOf(named.portOfDischarge)
  const roles = assignRoles(journey, named, input.areaOf)
  const called = journey.calls.flatMap((call, index) =>
    isOnTheWay(journey.calls, index, roles) ? [readHalt(call, index, roles)] : [],
  )
  const lastCalled = called.at(-1)
  const dischargedAt = roles.pod === null ? podKey : (journey.calls[roles.pod]?.placeKey ?? null)
  const isDestinationMissing = roles.destination === null && (roles.goesInland || dischargedAt === null)
  const halts = [
    ...(roles.pol === null ? plannedHalt(named.portOfLoading, { outbound: byShip }) : []),
    ...called,
    ...(roles.pod === null ? plannedHalt(named.portOfDischarge, { inbound: byShip }) : []),
    ...(isDestinationMissing ? plannedHalt(named.placeOfDelivery, {}) : []),
  ].filter((halt, index) => index === 0 || halt.index !== null || halt.placeKey !== lastCalled?.placeKey)
  return halts.map((halt, index) => {
    const isPast = halts.slice(index + 1).some(hasBegun)
    return {
      key: halt.key,
      place: halt.place,
      inbound: halt.inbound?.movement ?? null,
      outbound: halt.outbound?.movement ?? null,
      isReached: isPast || hasBegun(halt),
      hasDeparted: isPast || (halt.outbound?.movement.actualAt ?? null) !== null,
    }
  })
}

/**
 * A place of the way, with the statements about coming and going there. `index` is null when the place is only named.
 */
interface Halt {
  readonly index: number | null
  readonly key: string
  readonly placeKey: string
  readonly place: ObservedPlace
  readonly inbound: StatedMovement | null
  readonly outbound: StatedMovement | null
}

interface StatedMovement {
  readonly movement: Movement
  /** The container was handled there, or its vehicle has come or gone. */
  readonly hasHappened: boolean
}

function hasBegun({ inbound, outbound }: Halt): boolean {
  return inbound?.hasHappened === true || outbound?.hasHappened === true
}

function plannedHalt(
  place: ObservedPlace | null,
  { inbound = null, outbound = null }: Partial<Pick<Halt, 'inbound' | 'outbound'>>,
): readonly Halt[] {
  if (place === null) return []
  const placeKey = placeKeyOf(place)
  return [{ index: null, key: `${placeKey}#1`, placeKey, place, inbound, outbound }]
}

/** The movement of a ship, at a port of loading or discharge without any statement yet. */
const byShip: StatedMovement = {
  movement: {
    mode: 'VESSEL',
    estimatedAt: null,
    estimateIs: null,
    actualAt: null,
    vessel: null,
    voyage: null,
  },
  hasHappened: false,
}

const atSea = ['VESSEL', 'BARGE', 'RAIL', 'TRUCK'] as const
/** Before the port of loading and after the port of discharge, ships that come or go do not concern the container. */
const onLand = ['BARGE', 'RAIL', 'TRUCK'] as const

function modesAt(index: number, roles: Roles, way: 'in' | 'out'): readonly TransportMode[] {
  const [pol, pod] = [roles.pol ?? -1, roles.pod ?? Number.POSITIVE_INFINITY]
  const isBetween = way === 'in' ? index > pol && index <= pod : index >= pol && index < pod
  return isBetween ? atSea : onLand
}

function isOnTheWay(calls: readonly Call[], index: number, roles: Roles): boolean {
  const call = calls[index]
  if (call === undefined) return false
  if (index === roles.pol || index === roles.pod || index === roles.destination) return true
  if (isPassedThrough(calls, index)) return false
  return readMovement(call, index, roles, 'in') !== null || readMovement(call, index, roles, 'out') !== null
}

function readHalt(call: Call, index: number, roles: Roles): Halt {
  return {
    index,
    key: call.key,
    placeKey: call.placeKey,
    place: call.place,
    inbound: readMovement(call, index, roles, 'in'),
    outbound: readMovement(call, index, roles, 'out'),
  }
}

/** The movement by the mode with which the container was or will be handled, else by the mode that comes or goes. */
function readMovement(call: Call, index: number, roles: Roles, way: 'in' | 'out'): StatedMovement | null {
  const modes = modesAt(index, roles, way)
  const [handling, moving] = way === 'in' ? ['DISC LADEN', 'ARRI'] : ['LOAD LADEN', 'DEPA']
  const mode =
    modes.find((each) => hasSlot(call, `${handling} ${each}`)) ??
    modes.find((each) => hasSlot(call, `${moving} ${each}`)) ??
    (way === 'in' && modes.includes('VESSEL') && hasSlot(call, 'BERTH VESSEL') ? 'VESSEL' : undefined)
  if (mode === undefined) return null
  const [handled, moved] = [`${handling} ${mode}`, `${moving} ${mode}`]
  const berthed = way === 'in' && mode === 'VESSEL' ? actualOf(call, 'BERTH VESSEL') : null
  const isByFeeder = way === 'in' && mode === 'VESSEL' && isReachedByFeeder(call)
  const actual = actualOf(call, moved) ?? berthed ?? (isByFeeder ? actualOf(call, 'ARRI BARGE') : null)
  const estimate = estimateOf(call, moved)
  const statements = [actualOf(call, handled), actual, estimateOf(call, handled), estimate]
  const carrier = mode === 'VESSEL' || mode === 'BARGE' ? statements.find(namesVessel) : undefined
  return {
    movement: {
      mode,
      estimatedAt: estimate?.event.time ?? null,
      estimateIs: estimate === null ? null : estimate.event.classifier === 'PLN' ? 'planned' : 'estimated',
      actualAt: actual?.event.time ?? null,
      vessel: carrier?.event.vessel ?? null,
      voyage: carrier?.event.voyage ?? null,
    },
    hasHappened: actual !== null || actualOf(call, handled) !== null,
  }
}

function namesVessel(statement: Statement | null): statement is Statement {
  return statement !== null && statement.vesselKey !== null
}
