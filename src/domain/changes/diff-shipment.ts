/** What became different between two projections of a shipment, in the order in which subscribers are notified. */

import { writeTime } from '../notation/notation-values.ts'
import { isWorthPublishing } from '../shipment/estimates.ts'
import { isSameTerminal } from '../shipment/pod-terminal.ts'
import type { FactName } from '../statements/observation.ts'
import { mayBeSameVessel, placeKeyOf } from '../statements/statement.ts'
import { type EventTime, instantOf } from '../values/time.ts'
import { pickupLfd } from '../view/free-time.ts'
import type { ContainerProjection, Milestone, MilestoneName, ShipmentProjection } from '../view/projection.ts'
import type { ProjectionRules } from '../view/projection-rules.ts'
import type { Change } from './change.ts'
import { compareFields, sourceKindOf } from './compare-fields.ts'

/**
 * Empty for two equal projections. Ordered by number and trip of the containers; for each container first its actual
 * events, then its estimates, then its other fields.
 */
export function diffShipment(
  before: ShipmentProjection | null,
  after: ShipmentProjection,
  rules: ProjectionRules,
): readonly Change[] {
  const known = new Map(before?.containers.map((container) => [keyOf(container), container]))
  const changes = after.containers.flatMap((container) => {
    const was = known.get(keyOf(container))
    if (was === container) return []
    return was === undefined ? describeCreated(container, rules) : describeUpdated(was, container, rules)
  })
  return [...changes, ...compareShipmentEta(before, after, rules)]
}

function keyOf({ number, trip }: ContainerProjection): string {
  return `${number}#${trip}`
}

type TripReference = Pick<ContainerProjection, 'number' | 'trip'>

function tripReferenceOf({ number, trip }: TripReference): TripReference {
  return { number, trip }
}

/** A new container is published with all its known values. Only its milestones and estimates are changes besides. */
function describeCreated(container: ContainerProjection, rules: ProjectionRules): readonly Change[] {
  return [{ kind: 'container_created', ...tripReferenceOf(container) }, ...compareMilestones([], container, rules)]
}

function describeUpdated(
  before: ContainerProjection,
  after: ContainerProjection,
  rules: ProjectionRules,
): readonly Change[] {
  return [
    ...compareMilestones(before.milestones, after, rules),
    ...comparePodTerminal(before, after),
    ...compareFreeTime(before, after),
    ...compareAppointment(before, after),
    ...compareFields(before, after).map(
      (changed): Change => ({ kind: 'container_updated', ...tripReferenceOf(after), ...changed }),
    ),
  ]
}

function compareMilestones(
  before: readonly Milestone[],
  container: ContainerProjection,
  rules: ProjectionRules,
): readonly Change[] {
  const of = tripReferenceOf(container)
  const happened = container.milestones.filter(isActual)
  const pairs = pairMilestones(before.filter(isActual), happened)
  const matched = new Set(pairs.values())
  const retracted = before
    .filter((milestone) => isActual(milestone) && !matched.has(milestone))
    .map((milestone): Change => ({ kind: 'milestone_retracted', ...of, before: milestone }))
  const reached = happened.flatMap((milestone): readonly Change[] => {
    const was = pairs.get(milestone)
    if (was === undefined) return [{ kind: 'milestone_reached', ...of, milestone }]
    return isCorrection(was, milestone) ? [{ kind: 'milestone_corrected', ...of, before: was, milestone }] : []
  })
  return [...retracted, ...reached, ...compareEstimates(before, container, rules)]
}

function isActual(milestone: Milestone): boolean {
  return milestone.kind === 'actual'
}

/**
 * Which milestone before corresponds to each milestone now: that of the same visit, else that of the same claim, else
 * the only one of its name that remains on both sides (a discharge that moved to another port).
 */
function pairMilestones(before: readonly Milestone[], after: readonly Milestone[]): ReadonlyMap<Milestone, Milestone> {
  const pairs = new Map<Milestone, Milestone>()
  const paired = new Set<Milestone>()
  const pair = (milestone: Milestone, was: Milestone | undefined) => {
    if (was === undefined) return
    pairs.set(milestone, was)
    paired.add(was)
  }
  const freeBefore = (name: MilestoneName) => before.filter((was) => was.name === name && !paired.has(was))
  const freeAfter = () => after.filter((milestone) => !pairs.has(milestone))
  for (const milestone of after) {
    pair(
      milestone,
      freeBefore(milestone.name).find((was) => was.callKey === milestone.callKey),
    )
  }
  for (const milestone of freeAfter()) {
    pair(
      milestone,
      freeBefore(milestone.name).find((was) => was.claimId === milestone.claimId),
    )
  }
  const left = freeAfter()
  for (const milestone of left) {
    const free = freeBefore(milestone.name)
    const isOnly = left.filter((other) => other.name === milestone.name).length === 1
    if (isOnly && free.length === 1) pair(milestone, free[0])
  }
  return pairs
}

/** Another moment, place or ship is a correction. What merely became known (a ship where none was named) is not. */
function isCorrection(before: Milestone, after: Milestone): boolean {
  return (
    momentOf(before) !== momentOf(after) ||
    before.callKey !== after.callKey ||
    placeKeyOf(before.place) !== placeKeyOf(after.place) ||
    !mayBeSameVessel(before.vessel, after.vessel)
  )
}

function momentOf({ time, place }: Milestone): string {
  return instantOf(time, place.timeZone).at
}

/** What fulfils an estimate. An estimate that is missing here is fulfilled only by the milestone of its own name. */
const fulfilling: Readonly<Partial<Record<MilestoneName, readonly MilestoneName[]>>> = {
  vessel_arrived: ['vessel_arrived', 'vessel_berthed', 'vessel_discharged'],
  arrived_at_inland_destination: ['arrived_at_inland_destination', 'rail_unloaded'],
}

function compareEstimates(
  before: readonly Milestone[],
  container: ContainerProjection,
  rules: ProjectionRules,
): readonly Change[] {
  const of = tripReferenceOf(container)
  const earlier = before.filter((milestone) => !isActual(milestone))
  const expected = container.milestones.filter((milestone) => !isActual(milestone))
  const withdrawn = earlier
    .filter((was) => !expected.some(({ name }) => name === was.name))
    .map((was): Change => {
      const names = fulfilling[was.name] ?? [was.name]
      const fulfilled = container.milestones.some((other) => isActual(other) && names.includes(other.name))
      return { kind: 'estimate_withdrawn', ...of, before: was, fulfilled }
    })
  const changedEstimates = expected.flatMap((milestone): readonly Change[] => {
    const was = earlier.find(({ name }) => name === milestone.name) ?? null
    if (was !== null && !isWorthPublishing(was, milestone, rules)) return []
    return [{ kind: 'estimate_announced', ...of, before: was, milestone }]
  })
  return [...withdrawn, ...changedEstimates]
}

function comparePodTerminal(before: ContainerProjection, after: ContainerProjection): readonly Change[] {
  const place = after.podTerminal
  if (place === null || isSameTerminal(before.podTerminal, place)) return []
  const source = sourceKindOf(['pod_terminal'], after) ?? 'shipping_line'
  return [{ kind: 'pod_terminal_changed', ...tripReferenceOf(after), place, source }]
}

const freeTimes = [
  { of: 'any', read: pickupLfd, facts: ['pickup_lfd_line', 'pickup_lfd_terminal', 'pickup_lfd_rail'] },
  { of: 'line', read: ({ line }) => line, facts: ['pickup_lfd_line'] },
  { of: 'terminal', read: ({ terminal }) => terminal, facts: ['pickup_lfd_terminal'] },
  { of: 'rail', read: ({ rail }) => rail, facts: ['pickup_lfd_rail'] },
] as const satisfies readonly {
  readonly of: string
  readonly read: (freeTime: ContainerProjection['freeTime']) => EventTime | null
  readonly facts: readonly FactName[]
}[]

function compareFreeTime(before: ContainerProjection, after: ContainerProjection): readonly Change[] {
  return freeTimes.flatMap(({ of, read, facts }): readonly Change[] => {
    const value = read(after.freeTime)
    if (isSameTime(read(before.freeTime), value)) return []
    const source = sourceKindOf(facts, after) ?? sourceKindOf(facts, before) ?? 'shipping_line'
    return [{ kind: 'lfd_changed', ...tripReferenceOf(after), of, value, source }]
  })
}

function compareAppointment(before: ContainerProjection, after: ContainerProjection): readonly Change[] {
  const value = after.pickupAppointment
  if (isSameTime(before.pickupAppointment, value)) return []
  const source =
    sourceKindOf(['pickup_appointment'], after) ?? sourceKindOf(['pickup_appointment'], before) ?? 'terminal'
  return [{ kind: 'appointment_changed', ...tripReferenceOf(after), value, source }]
}

function isSameTime(a: EventTime | null, b: EventTime | null): boolean {
  if (a === null || b === null) return a === b
  return a.kind === b.kind && writeTime(a) === writeTime(b)
}

/** The ETA of the whole shipment. The arrival of its ship is published with its containers. */
function compareShipmentEta(
  before: ShipmentProjection | null,
  after: ShipmentProjection,
  rules: ProjectionRules,
): readonly Change[] {
  const eta = after.announcedEta
  if (eta === null) return []
  const was = before?.announcedEta ?? null
  if (was !== null && !isWorthPublishing(was, eta, rules)) return []
  return [{ kind: 'shipment_eta_changed', eta: eta.time, place: eta.place, voyage: eta.voyage, source: eta.source }]
}
