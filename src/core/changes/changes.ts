/** What became different between two projections of a shipment, in the order in which subscribers are notified. */

import { writeTime } from '../notation/notation-values.ts'
import { isNews } from '../shipment/estimates.ts'
import { isSameTerminal } from '../shipment/pod-terminal.ts'
import { pickupLfd } from '../shown/free-time.ts'
import type {
  ContainerProjection,
  Milestone,
  MilestoneName,
  ShipmentProjection,
} from '../shown/projection.ts'
import type { ProjectionRules } from '../shown/projection-rules.ts'
import type { FactName } from '../statements/observation.ts'
import { mayBeSameVessel, placeKeyOf } from '../statements/statement.ts'
import { type EventTime, instantOf } from '../values/time.ts'
import type { Change } from './change.ts'
import { compareFields, speakerOf } from './changeset.ts'

/**
 * Empty for two equal projections. Ordered by number and trip of the boxes; for each box first what happened, then what
 * is expected, then its other fields.
 */
export function diffShipment(
  before: ShipmentProjection | null,
  after: ShipmentProjection,
  rules: ProjectionRules,
): readonly Change[] {
  const known = new Map(before?.containers.map((box) => [keyOf(box), box]))
  const changes = after.containers.flatMap((box) => {
    const was = known.get(keyOf(box))
    if (was === box) return []
    return was === undefined ? created(box, rules) : updated(was, box, rules)
  })
  return [...changes, ...shipmentEta(before, after, rules)]
}

function keyOf({ number, trip }: ContainerProjection): string {
  return `${number}#${trip}`
}

type OfContainer = Pick<ContainerProjection, 'number' | 'trip'>

function ofContainer({ number, trip }: OfContainer): OfContainer {
  return { number, trip }
}

/** A new box is announced with all that is known about it. Only its milestones and estimates are changes besides. */
function created(box: ContainerProjection, rules: ProjectionRules): readonly Change[] {
  return [{ kind: 'container_created', ...ofContainer(box) }, ...compareMilestones([], box, rules)]
}

function updated(
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
      (changed): Change => ({ kind: 'container_updated', ...ofContainer(after), ...changed }),
    ),
  ]
}

function compareMilestones(
  before: readonly Milestone[],
  box: ContainerProjection,
  rules: ProjectionRules,
): readonly Change[] {
  const of = ofContainer(box)
  const happened = box.milestones.filter(isActual)
  const pairs = pairUp(before.filter(isActual), happened)
  const kept = new Set(pairs.values())
  const retracted = before
    .filter((milestone) => isActual(milestone) && !kept.has(milestone))
    .map((milestone): Change => ({ kind: 'milestone_retracted', ...of, before: milestone }))
  const reached = happened.flatMap((milestone): readonly Change[] => {
    const was = pairs.get(milestone)
    if (was === undefined) return [{ kind: 'milestone_reached', ...of, milestone }]
    return isCorrection(was, milestone)
      ? [{ kind: 'milestone_corrected', ...of, before: was, milestone }]
      : []
  })
  return [...retracted, ...reached, ...compareEstimates(before, box, rules)]
}

function isActual(milestone: Milestone): boolean {
  return milestone.kind === 'actual'
}

/**
 * Which milestone before corresponds to each milestone now: that of the same visit, else that of the same claim, else
 * the only one of its name that remains on both sides (a discharge that moved to another port).
 */
function pairUp(
  before: readonly Milestone[],
  after: readonly Milestone[],
): ReadonlyMap<Milestone, Milestone> {
  const pairs = new Map<Milestone, Milestone>()
  const taken = new Set<Milestone>()
  const pair = (milestone: Milestone, was: Milestone | undefined) => {
    if (was === undefined) return
    pairs.set(milestone, was)
    taken.add(was)
  }
  const freeBefore = (name: MilestoneName) => before.filter((was) => was.name === name && !taken.has(was))
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
  box: ContainerProjection,
  rules: ProjectionRules,
): readonly Change[] {
  const of = ofContainer(box)
  const told = before.filter((milestone) => !isActual(milestone))
  const expected = box.milestones.filter((milestone) => !isActual(milestone))
  const withdrawn = told
    .filter((was) => !expected.some(({ name }) => name === was.name))
    .map((was): Change => {
      const names = fulfilling[was.name] ?? [was.name]
      const fulfilled = box.milestones.some((other) => isActual(other) && names.includes(other.name))
      return { kind: 'estimate_withdrawn', ...of, before: was, fulfilled }
    })
  const announced = expected.flatMap((milestone): readonly Change[] => {
    const was = told.find(({ name }) => name === milestone.name) ?? null
    if (was !== null && !isNews(was, milestone, rules)) return []
    return [{ kind: 'estimate_announced', ...of, before: was, milestone }]
  })
  return [...withdrawn, ...announced]
}

function comparePodTerminal(before: ContainerProjection, after: ContainerProjection): readonly Change[] {
  const place = after.podTerminal
  if (place === null || isSameTerminal(before.podTerminal, place)) return []
  const source = speakerOf(['pod_terminal'], after) ?? 'shipping_line'
  return [{ kind: 'pod_terminal_changed', ...ofContainer(after), place, source }]
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
    const source = speakerOf(facts, after) ?? speakerOf(facts, before) ?? 'shipping_line'
    return [{ kind: 'lfd_changed', ...ofContainer(after), of, value, source }]
  })
}

function compareAppointment(before: ContainerProjection, after: ContainerProjection): readonly Change[] {
  const value = after.pickupAppointment
  if (isSameTime(before.pickupAppointment, value)) return []
  const source =
    speakerOf(['pickup_appointment'], after) ?? speakerOf(['pickup_appointment'], before) ?? 'terminal'
  return [{ kind: 'appointment_changed', ...ofContainer(after), value, source }]
}

function isSameTime(a: EventTime | null, b: EventTime | null): boolean {
  if (a === null || b === null) return a === b
  return a.kind === b.kind && writeTime(a) === writeTime(b)
}

/** The ETA of the shipment as a whole. The arrival of its ship is announced with its boxes. */
function shipmentEta(
  before: ShipmentProjection | null,
  after: ShipmentProjection,
  rules: ProjectionRules,
): readonly Change[] {
  const eta = after.announcedEta
  if (eta === null) return []
  const was = before?.announcedEta ?? null
  if (was !== null && !isNews(was, eta, rules)) return []
  return [
    { kind: 'shipment_eta_changed', eta: eta.time, place: eta.place, voyage: eta.voyage, source: eta.source },
  ]
}
