/**
 * Where a ship will be, minute by minute, on its way to a port. It moves evenly along the way by sea. It starts when it
 * left, or at its present position if the caller gives it, and ends at the arrival that the account's own shipments on
 * board give.
 */

import type { GeoPoint } from '../../domain/geography/great-circle.ts'
import { findPlaceById } from '../../reference/places.ts'
import { type Context, requireScope } from '../access/context.ts'
import { ServiceError } from '../errors.ts'
import { readContainerItinerary } from '../routes/container-itinerary.ts'
import { readJourneysAboard } from '../routes/container-journeys-sql.ts'
import {
  courseFrom,
  type EstimatedPosition,
  followGivenPosition,
  followShip,
  type KnownPosition,
  positionOn,
  readSeaLegs,
  type SeaLeg,
} from '../routes/sea-legs.ts'
import { journeyNow, type Service } from '../service.ts'

export interface FuturePositionsInput {
  /** IMO number. */
  readonly imo: string
  readonly portId: string
  readonly previousPortId: string
  /** Where the ship is now, when the caller knows a better position. */
  readonly point: GeoPoint | null
}

export interface FuturePositions {
  readonly positions: readonly EstimatedPosition[]
  /** How many positions there are until the ship arrives; more than are returned when the arrival is far off. */
  readonly total: number
}

/** A week of minutes. */
export const positionsMax = 10_080
const minuteMs = 60_000
/** How many of the account's containers on the ship are read. All of them report on the same voyage. */
const containersMax = 5

export async function listFuturePositions(
  service: Service,
  context: Context,
  input: FuturePositionsInput,
): Promise<FuturePositions> {
  requireScope(context, 'read')
  refuseUnknownPorts(input)
  const now = journeyNow(service, context.account.isSandbox)
  const { leg, known } = await followLeg(service, context, {
    input,
    leg: await findLeg(service, context, input),
  })
  const course = courseFrom(leg, known)
  if (course === null) return { positions: [], total: 0 }
  const first = Math.ceil(Math.max(Date.parse(now), Date.parse(course.startAt)) / minuteMs) * minuteMs
  const total = Math.max(0, Math.floor((Date.parse(course.endAt) - first) / minuteMs) + 1)
  const positions = Array.from({ length: Math.min(total, positionsMax) }, (_, minute) =>
    positionOn(course, new Date(first + minute * minuteMs).toISOString()),
  )
  return { positions, total }
}

function refuseUnknownPorts({ portId, previousPortId }: FuturePositionsInput): void {
  for (const [parameter, id] of [
    ['port_id', portId],
    ['previous_port_id', previousPortId],
  ] as const) {
    const place = findPlaceById(id)
    if (place === null || place.latitude === null)
      throw new ServiceError('invalid', `No port whose position is known has the id in \`${parameter}\`.`, {
        source: { parameter },
      })
  }
}

/**
 * Refuses (`not_found`) a voyage on which the account has no container, because then no source stated when it begins
 * and ends.
 */
async function findLeg(service: Service, context: Context, input: FuturePositionsInput): Promise<SeaLeg> {
  const { imo } = input
  const rows = await readJourneysAboard(service.pool, {
    accountId: context.account.id,
    imo,
    limit: containersMax,
  })
  let found: SeaLeg | null = null
  for (const row of rows) {
    for (const leg of readSeaLegs(await readContainerItinerary(service, context, row))) {
      const isRequested = leg.from.at.id === input.previousPortId && leg.to.at.id === input.portId
      if (isRequested && leg.state !== 'sailed' && leg.vessel?.imo === imo) found ??= leg
    }
  }
  if (found === null) {
    throw new ServiceError(
      'not_found',
      'None of your containers is on this vessel between these two ports, so its departure and arrival are not known.',
    )
  }
  if (found.eta === null || (found.atd ?? found.etd) === null) {
    const missing = found.eta === null ? 'arrival' : 'departure'
    throw new ServiceError('not_found', `No source has given the ${missing} of this vessel on this leg yet.`)
  }
  return found
}

/** The leg along the way that the ship takes, and where the ship was last known to be. */
async function followLeg(
  service: Service,
  context: Context,
  { input, leg: planned }: { readonly input: FuturePositionsInput; readonly leg: SeaLeg },
): Promise<{ readonly leg: SeaLeg; readonly known: KnownPosition }> {
  const now = journeyNow(service, context.account.isSandbox)
  const { point } = input
  if (point !== null) return { leg: followGivenPosition(planned, point), known: { point, at: now } }
  const { leg, fixes } = await followShip(service, context, planned)
  const fix = fixes.at(-1)
  if (fix === undefined) return { leg, known: { point: leg.from.point, at: leg.atd ?? leg.etd ?? now } }
  const { latitude, longitude, heardAt: receivedAt } = fix
  return { leg, known: { point: { latitude, longitude }, at: receivedAt } }
}
