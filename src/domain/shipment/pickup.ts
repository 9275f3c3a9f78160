/**
 * Where a container is picked up: at the inland ramp when it goes on by rail, at the quay where a barge discharged it,
 * else at the terminal of the port of discharge.
 */

import { actualOf, callAt, findSlot, hasSlot, isReachedByFeeder, statementAt } from '../journey/call-slots.ts'
import type { Call } from '../journey/journey.ts'
import type { Railways } from '../journey/railways.ts'
import type { TripRoute } from '../journey/roles.ts'
import type { JourneyStep } from '../milestones/milestones.ts'
import { nowhere, type ObservedPlace } from '../statements/observation.ts'
import { placeKeyOf } from '../statements/statement.ts'

export interface Pickup {
  readonly callKey: string
  readonly place: ObservedPlace
  readonly facility: ObservedPlace | null
  readonly timeZone: string | null
  /**
   * The port where the container waits to go inland. The statements of the port's terminal about the container are
   * about this place. Null when the container does not go by rail, or has left.
   */
  readonly port: Pick<Pickup, 'callKey' | 'place'> | null
  /** The container has left the port by rail or barge. */
  readonly isOnward: boolean
}

interface PickupInput {
  readonly steps: readonly JourneyStep[]
  readonly railways: Railways
  readonly podTerminal: ObservedPlace | null
}

export function pickupOf(way: TripRoute, { steps, railways, podTerminal }: PickupInput): Pickup {
  const { journey, roles, named } = way
  const pod = callAt(journey, roles.pod)
  const wasFetched = steps.some(({ step, happening }) => step === 'full_out' && happening.callIndex === roles.pod)
  const portZone = pod?.place.timeZone ?? named.portOfDischarge?.timeZone ?? null
  const place = podTerminal ?? pod?.place ?? named.portOfDischarge ?? nowhere
  const callKey = pod?.key ?? `${placeKeyOf(named.portOfDischarge ?? place)}#1`
  const isOnward = hasGoneInland(steps)
  if (!wasFetched && goesByRail(way, railways))
    return { ...findRampPickup(way), port: isOnward ? null : { callKey, place }, isOnward }
  const quay = wasFetched ? null : quayOfBarge(way)
  if (quay !== null)
    return {
      callKey: quay.key,
      place: quay.place,
      facility: null,
      timeZone: quay.place.timeZone,
      port: null,
      isOnward: true,
    }
  const timeZone = podTerminal?.timeZone ?? portZone
  return { callKey, place, facility: podTerminal, timeZone, port: null, isOnward: false }
}

/**
 * Where a barge or feeder has discharged the container beyond the port of discharge. While that port is unknown, beyond
 * the port of loading, as long as no other port is named. A quay at which a ship loads the container is on the way.
 */
function quayOfBarge({ journey, roles, named }: TripRoute): Call | null {
  const from = roles.pod ?? (named.portOfDischarge === null ? roles.pol : null)
  if (from === null) return null
  const beyond = journey.calls.slice(from + 1)
  return (
    beyond.findLast((call, index) => {
      const isReloaded = beyond.slice(index).some((later) => hasSlot(later, 'LOAD LADEN VESSEL', 'DEPA VESSEL'))
      return actualOf(call, 'DISC LADEN BARGE') !== null && isReachedByFeeder(call) && !isReloaded
    }) ?? null
  )
}

function hasGoneInland(steps: readonly JourneyStep[]): boolean {
  const discharged = steps.findLastIndex(({ step }) => step === 'vessel_discharged')
  return steps.some(
    ({ step }, index) => index > discharged && (step.startsWith('rail_') || step === 'arrived_at_inland_destination'),
  )
}

/**
 * Whether the container goes by rail to an end that is known: a train is reported there or on the way, a railway is
 * named, or the documents name a ramp.
 */
function goesByRail({ journey, roles, named }: TripRoute, railways: Railways): boolean {
  if (!roles.goesInland) return false
  const isOnTracks = journey.calls.some((call, index) => index >= (roles.pod ?? 0) && hasRail(call))
  return isOnTracks || railways.isPlanned || named.placeOfDelivery?.facilityType === 'RAMP'
}

function hasRail(call: Call): boolean {
  return call.slots.some((slot) => slot.key.endsWith('RAIL'))
}

/** The ramp that was reported where the container is handled, else the one that the documents name. */
function findRampPickup({ journey, roles, named }: TripRoute): Omit<Pickup, 'port' | 'isOnward'> {
  const inland = callAt(journey, roles.destination)
  const { placeOfDelivery } = named
  const statedPlaces = inland === null ? [] : handled.flatMap((key) => statementAt(inland, key)?.event.place ?? [])
  const slot = inland === null ? null : (findSlot(inland, 'DISC LADEN RAIL') ?? findSlot(inland, 'ARRI RAIL'))
  const vague = (slot?.actual ?? slot?.estimate)?.event.place ?? inland?.place ?? placeOfDelivery ?? nowhere
  const facility = [...statedPlaces, placeOfDelivery].find((place) => place !== null && namesRamp(place)) ?? vague
  const callKey = inland?.key ?? `${placeKeyOf(placeOfDelivery ?? nowhere)}#1`
  return { callKey, place: facility, facility, timeZone: facility.timeZone ?? vague.timeZone }
}

const handled = ['DISC LADEN RAIL', 'GTOT LADEN GATE', 'AVPU', 'ARRI RAIL']

function namesRamp({ terminalId, facilityCode }: ObservedPlace): boolean {
  return terminalId !== null || facilityCode !== null
}
