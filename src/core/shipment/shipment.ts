/**
 * One shipment as its live claims describe it: which boxes it has, what happened to each, and what is true for all. One
 * step of a fold: `previous` brings what was announced before and what was merely pending, `now` brings the clock.
 */

import { believe, believedValue } from '../journey/facts.ts'
import type { AreaOf } from '../journey/rail-area.ts'
import type { FactClaim, Trip } from '../journey/trip.ts'
import type { ShipmentRequest } from '../journey/trip-choice.ts'
import type {
  ContainerProjection,
  JourneyIssue,
  Leg,
  Milestone,
  ShipmentProjection,
} from '../shown/projection.ts'
import type { ProjectionRules } from '../shown/projection-rules.ts'
import type { Claim } from '../statements/observation.ts'
import { compareText, placeKeyOf, unknownPlaceKey, vesselKeyOf } from '../statements/statement.ts'
import { addMs } from '../values/time.ts'
import type { BoxMaking } from './box-making.ts'
import { type BillReading, readBill, tripsOfBox } from './box-trips.ts'
import { type ProjectedContainer, projectContainer } from './container.ts'
import { announceEstimates } from './estimates.ts'
import { firstPodEta, firstPodEtas, podEtaBefore } from './pod-etas.ts'
import type { SortedClaims } from './reading.ts'

export interface ShipmentInput {
  readonly claims: readonly Claim[]
  readonly line: {
    readonly scac: string
    /** Under a bill with several boxes, the stated weight is the whole bill's, to be shared evenly. */
    readonly isAverageWeight: boolean
  }
  readonly request: ShipmentRequest
  readonly now: string
  readonly previous: ShipmentProjection | null
  readonly rules: ProjectionRules
  readonly areaOf: AreaOf
  /** Called with the parts of the projection, for an explanation of it. Without it the projection is the same. */
  readonly recorder?: Recorder
}

export interface Recorder {
  readonly box: (made: BoxMaking) => void
  /** `shown`: the container that represents the shipment. */
  readonly shipment: (made: {
    readonly facts: readonly FactClaim[]
    readonly shown: ContainerProjection | null
  }) => void
}

export function projectShipment(input: ShipmentInput): ShipmentProjection {
  const { previous, request, rules } = input
  const knownNumbers = previous?.containers.map(({ number }) => number) ?? []
  const bill = readBill(input.claims, { knownNumbers, now: input.now })
  const { reading, numbers } = bill
  const rowsOf = Map.groupBy(previous?.containers ?? [], ({ number }) => number)
  const projected = numbers.flatMap((number) => projectBox(number, rowsOf.get(number) ?? [], bill, input))
  const boxes = projected.map(({ container }) => container)
  const lead = findLead(boxes) ?? null
  const unboxed = lead === null ? projectUnboxed(reading, input) : null
  const shown = lead ?? unboxed?.container ?? null
  const current = projected.find(({ container }) => container === lead) ?? unboxed
  const facts = allFacts(reading)
  const announcedEta = announceEta(current?.estimates ?? [], previous, rules)
  const awaited = current?.estimates.find(({ name }) => name === 'vessel_arrived') ?? null
  const firstEtas = firstPodEtas(awaited, previous)
  input.recorder?.shipment({ facts, shown })
  const issues = [...reading.issues, ...projected.flatMap((box) => box.issues), ...(unboxed?.issues ?? [])]
  return {
    billOfLadingNumber:
      believedValue('bill_of_lading_number', facts) ??
      (request.kind === 'bill_of_lading' ? request.number : null),
    bookingNumber:
      believedValue('booking_number', facts) ?? (request.kind === 'booking' ? request.number : null),
    isBookingCancelled: believe('booking_cancelled', facts)?.value ?? false,
    portOfLoading: shown?.portOfLoading ?? noLeg,
    portOfDischarge: shown?.portOfDischarge ?? noLeg,
    destination: shown?.destination ?? agreedDestination(boxes),
    originalEtd: previous?.originalEtd ?? timeOf(shown, 'vessel_departed'),
    podEta: shown?.podEta ?? null,
    firstPodEtas: firstEtas,
    originalEta: firstPodEta(firstEtas, shown?.portOfDischarge ?? noLeg),
    originalDestinationEta:
      previous?.originalDestinationEta ?? timeOf(shown, 'arrived_at_inland_destination'),
    announcedEta,
    podVessel: shown?.podVessel ?? null,
    podVoyage: shown?.podVoyage ?? null,
    containers: boxes,
    issues: distinctIssues(issues),
  }
}

/**
 * The common destination of the boxes whose destination is known, when the box that represents the shipment has none.
 */
function agreedDestination(boxes: readonly ContainerProjection[]): Leg | null {
  const [first, ...others] = boxes.flatMap(({ destination }) => destination ?? [])
  const keyOf = ({ place }: Leg): string => (place === null ? unknownPlaceKey : placeKeyOf(place))
  return first !== undefined && others.every((other) => keyOf(other) === keyOf(first)) ? first : null
}

/** The bill under which the claims say that the boxes travel; null when they do not say. */
export function heardBill(claims: readonly Claim[], now: string): string | null {
  const { reading } = readBill(claims, { knownNumbers: [], now })
  return believedValue('bill_of_lading_number', allFacts(reading))
}

const noLeg = { place: null, etd: null, atd: null, eta: null, ata: null }

/** `rows`: the projections of this box so far. */
function projectBox(
  number: string,
  rows: readonly ContainerProjection[],
  bill: BillReading,
  input: ShipmentInput,
): readonly ProjectedContainer[] {
  const { numbers } = bill
  const isOnlyBox = numbers.length === 1
  const { trips, others } = tripsOfBox(number, bill, { rows, request: input.request })
  const otherIssues = others.flatMap((trip) => otherTripIssues(trip, number))
  return trips.map(({ trip, ordinal, previous }, index) => {
    const box = projectContainer({
      number,
      ordinal,
      trip,
      isOnlyBox,
      averageWeightKg: averageWeight(trip, numbers.length, input),
      isEarlierTrip: isLongOver(trip, input.request),
      previous,
      podEtaBefore: podEtaBefore(previous ?? unboxedBefore(input)),
      now: input.now,
      rules: input.rules,
      areaOf: input.areaOf,
      ...recording(input),
    })
    const issues = [...box.issues, ...strayIssues(trip), ...(index === 0 ? otherIssues : [])]
    return { ...box, issues }
  })
}

const earlierTripMsMin = 7 * 86_400_000

/** Whoever asks for a box a week after it went back empty asks for its next trip. */
function isLongOver(trip: Trip, request: ShipmentRequest): boolean {
  const { kind, requestedAt = null } = request
  if (kind !== 'container' || requestedAt === null || trip.completedAt === null) return false
  return trip.completedAt < Date.parse(requestedAt) - earlierTripMsMin
}

function averageWeight(trip: Trip, boxCount: number, { line }: ShipmentInput): number | null {
  if (!line.isAverageWeight || boxCount < 2) return null
  const whole = believe('weight_kg', trip.facts, (_, claim) => claim.observation.equipment === null)
  return whole === null ? null : whole.value / boxCount
}

function otherTripIssues(trip: Trip, number: string): readonly JourneyIssue[] {
  const told = [...trip.statements, ...trip.strays].map(({ claim }) => claim)
  return [...told, ...trip.facts, ...trip.strayFacts]
    .filter((claim) => claim.observation.equipment === number)
    .map((claim) => ({
      kind: 'other_trip',
      claimId: claim.id,
      detail: 'said of another trip of the same box',
    }))
}

function strayIssues({ strays, strayFacts }: Trip): readonly JourneyIssue[] {
  const told = [
    ...strays.map(({ claim, code, placeKey }) => ({ claim, what: `${code} at ${placeKey}` })),
    ...strayFacts.map((claim) => ({ claim, what: claim.observation.fact })),
  ]
  return told
    .filter(({ claim }) => claim.observation.equipment !== null)
    .map(({ claim, what }) => ({
      kind: 'other_trip',
      claimId: claim.id,
      detail: `${what} is said of the time after the empty return, and shows no other trip`,
    }))
}

/** Before any box is named, the ships' calls under the bill are all that is known. */
function projectUnboxed(reading: SortedClaims, input: ShipmentInput): ProjectedContainer {
  return projectContainer({
    number: '',
    ordinal: 1,
    trip: { ...reading.underBill, strays: [], strayFacts: [], completedAt: null, lastActualAt: null },
    isOnlyBox: false,
    averageWeightKg: null,
    isEarlierTrip: false,
    previous: null,
    podEtaBefore: podEtaBefore(unboxedBefore(input)),
    now: input.now,
    rules: input.rules,
    areaOf: input.areaOf,
    ...recording(input),
  })
}

/** The shipment as it was before any box of it was named. */
function unboxedBefore({ previous }: ShipmentInput): ShipmentProjection | null {
  return previous?.containers.length === 0 ? previous : null
}

function recording({ recorder }: ShipmentInput) {
  return recorder === undefined ? {} : { record: recorder.box }
}

/**
 * The box that represents the shipment. Among the latest trips, the largest group on one ship to one port counts: its
 * first box.
 */
function findLead(boxes: readonly ContainerProjection[]): ContainerProjection | undefined {
  const lastTrips = new Map<string, number>()
  for (const { number, trip } of boxes) lastTrips.set(number, Math.max(trip, lastTrips.get(number) ?? trip))
  const latest = boxes.filter(({ number, trip }) => trip === lastTrips.get(number))
  const groups = Map.groupBy(latest, ({ portOfDischarge: { place }, podVessel }) => {
    return `${place === null ? '' : placeKeyOf(place)} ${vesselKeyOf(podVessel) ?? ''}`
  })
  let largest: readonly ContainerProjection[] = []
  for (const group of groups.values()) if (group.length > largest.length) largest = group
  return largest[0]
}

function announceEta(
  estimates: readonly Milestone[],
  previous: ShipmentProjection | null,
  rules: ProjectionRules,
): Milestone | null {
  const before = previous?.announcedEta ?? null
  const arrival = estimates.filter(({ name }) => name === 'vessel_arrived')
  return announceEstimates(before === null ? [] : [before], arrival, rules)[0] ?? null
}

function timeOf(box: ContainerProjection | null, name: Milestone['name']): Milestone['time'] | null {
  return box?.milestones.find((told) => told.kind === 'estimated' && told.name === name)?.time ?? null
}

function allFacts(reading: SortedClaims): readonly FactClaim[] {
  return [...reading.underBill.facts, ...[...reading.byBox.values()].flatMap(({ facts }) => facts)]
}

function distinctIssues(issues: readonly JourneyIssue[]): readonly JourneyIssue[] {
  const byKey = new Map(issues.map((issue) => [`${issue.claimId} ${issue.kind} ${issue.detail}`, issue]))
  return [...byKey].toSorted(([a], [b]) => compareText(a, b)).map(([, issue]) => issue)
}

/** When a waiting prediction will have been unchanged for long enough to be believed; null when none waits. */
export function nextTimerAt(projection: ShipmentProjection, rules: ProjectionRules): string | null {
  const ends = projection.containers.flatMap(({ pendingPodTerminal }) =>
    pendingPodTerminal === null ? [] : [addMs(pendingPodTerminal.since, rules.podTerminalDwellMs)],
  )
  return ends.toSorted(compareText)[0] ?? null
}
