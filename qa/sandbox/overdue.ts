/**
 * Proves what is said of overdue containers: follows shipments of a world of which a share stops, poll by poll, and
 * compares what would be called overdue with where the containers really stood.
 */

import { DAY, HOUR } from '../../sandbox/local-time.ts'
import type { Shipment } from '../../sandbox/shipment.ts'
import { type Stop, stopOf, WorldWithStops } from '../../sandbox/stops.ts'
import { World } from '../../sandbox/world.ts'
import { type Expectation, expect, nextStepOf, type UsualTime, usualTimeOf } from '../../src/domain/view/expectation.ts'
import { type Move, movesOf, reportKey, type StepTime, stepTimesOf } from '../../src/domain/view/expected-steps.ts'
import type { ContainerProjection } from '../../src/domain/view/projection.ts'
import { priorTimes } from '../../src/reference/step-times.ts'
import { follow } from '../../test/sandbox/ways.ts'
import type { Report } from '../kill/checks.ts'

/** What was seen of one container: after each poll what had happened, and when each event was first told. */
export interface Followed {
  readonly scac: string
  readonly stop: Stop | null
  readonly polls: readonly {
    readonly atMs: number
    readonly container: ContainerProjection
    readonly moves: readonly Move[]
  }[]
  readonly times: readonly StepTime[]
}

const epochMs = Date.parse('2026-01-01T00:00:00Z')
const pollEveryMs = 3 * HOUR

/** Containers of shipments that were booked before the world began, until each has come back. `share` of them stop. */
export function followWorld(of: {
  readonly seed: number
  readonly share: number
  readonly shipments: number
}): readonly Followed[] {
  const truth = new World(of.seed, epochMs)
  const world = of.share === 0 ? truth : new WorldWithStops(of.seed, epochMs, of.share)
  const booked = truth
    .recent(epochMs, 150, null)
    .filter(({ scenario, cancelledAt }) => isUsual(scenario) && cancelledAt === null)
  return booked.slice(0, of.shipments).flatMap((shipment) => {
    const stop = stopOf(shipment, of.share)
    const [told = shipment] = world
      .find(shipment.line, shipment.booking, epochMs)
      .filter(({ key }) => key === shipment.key)
    return followShipment(world, told, stop)
  })
}

/** Stories, and corrections that the line makes on purpose, are no usual journeys. */
function isUsual(scenario: Shipment['scenario']): boolean {
  return !scenario.startsWith('story_') && !['retracted', 'container_reused', 'bill_entered_late'].includes(scenario)
}

function followShipment(world: World, shipment: Shipment, stop: Stop | null): readonly Followed[] {
  const polls = [...new Set(shipment.statements.map(({ created }) => Math.ceil(created / pollEveryMs) * pollEveryMs))]
  const told = new Map<string, Record<string, string>>()
  const seen = new Map<string, Followed['polls'][number][]>()
  // An answer without a journey shows nothing, so each poll is followed by its own moment.
  const shown = follow(world, shipment, polls)
  const first = polls.length - shown.length
  for (const [index, { containers }] of shown.entries()) {
    const atMs = polls[first + index] ?? 0
    for (const container of containers) {
      const times = told.get(container.number) ?? {}
      told.set(container.number, times)
      for (const milestone of container.milestones)
        if (milestone.kind === 'actual') times[reportKey(milestone)] ??= new Date(atMs).toISOString()
      const of = seen.get(container.number) ?? []
      seen.set(container.number, of)
      of.push({ atMs, container, moves: movesOf(container, times) })
    }
  }
  return [...seen.values()].map((of) => {
    const last = of.at(-1)
    return {
      scac: shipment.line.scac,
      stop,
      polls: of,
      times: last === undefined ? [] : stepTimesOf(last.container, last.moves),
    }
  })
}

/** How long a step usually takes, as far as is known. */
export type UsualOf = (step: string) => UsualTime | null

export function usualByPrior(): UsualOf {
  const rows = priorTimes()
  return (step) => rows.get(step) ?? null
}

/**
 * By containers of the past where there are enough, else by the prior. All lines count as one, because a world has few
 * shipments of each.
 */
export function usualByOwn(past: readonly Followed[]): UsualOf {
  const byStep = Map.groupBy(
    past.flatMap(({ times }) => times),
    ({ step }) => step,
  )
  const prior = usualByPrior()
  return (step) => {
    const usual = usualTimeOf((byStep.get(step) ?? []).map(({ hours }) => hours))
    return usual === null ? prior(step) : { by: 'own', ...usual }
  }
}

/** What was called overdue: at `dueAt`, unless a poll before that told something else. */
function callsOf({ polls }: Followed, usualOf: UsualOf): readonly Expectation[] {
  const calls = new Map<string, Expectation>()
  for (const [index, { atMs, container, moves }] of polls.entries()) {
    const next = nextStepOf(container, moves)
    const usual = next === null ? null : usualOf(next.step)
    if (next === null || usual === null) continue
    const expectation = expect(next, usual)
    const untilMs = polls[index + 1]?.atMs ?? Number.POSITIVE_INFINITY
    const calledMs = Math.max(atMs, Date.parse(expectation.dueAt))
    const key = `${next.after} ${next.afterCall}`
    if (calledMs < untilMs && !calls.has(key))
      calls.set(key, { ...expectation, dueAt: new Date(calledMs).toISOString() })
  }
  return [...calls.values()]
}

export interface OverdueFigures {
  readonly stops: number
  /** Called overdue within 24 hours after the limit. */
  readonly found: number
  readonly legsOnTime: number
  /** Of these, called overdue at any time. */
  readonly calledWrongly: number
  readonly missed: readonly string[]
  readonly wrong: ReadonlyMap<string, number>
}

export function countOverdue(all: readonly Followed[], usualOf: UsualOf): OverdueFigures {
  const wrong = new Map<string, number>()
  const missed: string[] = []
  let [stops, found, legsOnTime, calledWrongly] = [0, 0, 0, 0]
  for (const followed of all) {
    const calls = callsOf(followed, usualOf)
    const moves = followed.polls.at(-1)?.moves ?? []
    const { stop, polls } = followed
    // Of what the line tells only after its stop, nobody can know that it stands.
    if (stop !== null && (polls[0]?.atMs ?? 0) > stop.fromMs + 2 * DAY) continue
    for (const [index, from] of moves.entries()) {
      const to = moves[index + 1]
      if (to === undefined) continue
      // By its time: while its port counts as another one, an arrival has another name.
      const call = calls.find(({ afterAt }) => Date.parse(afterAt) === from.atMs)
      if (stop !== null && from.atMs <= stop.fromMs && to.atMs > stop.fromMs) {
        stops += 1
        if (call !== undefined && isInTime(call)) found += 1
        else missed.push(`${followed.scac} ${from.name}>${to.name} ${call?.dueAt ?? 'never'}`)
      } else if (stop === null) {
        legsOnTime += 1
        if (call === undefined) continue
        calledWrongly += 1
        wrong.set(call.step, (wrong.get(call.step) ?? 0) + 1)
      }
    }
  }
  return { stops, found, legsOnTime, calledWrongly, missed, wrong }
}

function isInTime({ dueAt, afterAt, estimateAt, limitHours }: Expectation): boolean {
  const limitMs = Date.parse(estimateAt ?? afterAt) + Math.max(0, limitHours) * HOUR
  return Date.parse(dueAt) <= limitMs + DAY
}

export const foundMin = 0.9
export const wronglyMax = 0.06

/** Half of the containers are the past by which the other half is judged. */
export function checkOverdue(of: { readonly seed: number; readonly shipments: number }): Report {
  const all = followWorld({ ...of, share: 0.1 })
  const past = all.filter((_, index) => index % 2 === 0)
  const judged = all.filter((_, index) => index % 2 === 1)
  const figures = [
    ['by the shipped table', countOverdue(judged, usualByPrior())],
    ['by the own past', countOverdue(judged, usualByOwn(past))],
  ] as const
  return {
    says: figures
      .map(
        ([by, { stops, found, legsOnTime, calledWrongly }]) =>
          `${by}: ${found} of ${stops} stops found within 24 hours after the limit, ${calledWrongly} of ${legsOnTime} legs on time called overdue`,
      )
      .join('; '),
    problems: figures.flatMap(([by, each]) => [
      ...(each.found < foundMin * each.stops ? [`${by}: ${each.missed.slice(0, 5).join(', ')}`] : []),
      ...(each.calledWrongly > wronglyMax * each.legsOnTime ? [`${by}: ${JSON.stringify([...each.wrong])}`] : []),
    ]),
  }
}
