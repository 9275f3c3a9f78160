/**
 * Simulates a day or a year of looks without lines and database: the real plan of looks, classes and budgets, on its
 * own clock.
 */

import { type AccountQueue, dealRoundRobin } from '../../src/domain/polling/deal-round-robin.ts'
import { noUsage, type RequestLimits, type RequestUsage, urgencies } from '../../src/domain/polling/request-budget.ts'
import { seededChance } from './measure.ts'
import { Line, RollingCounts, windowNames } from './polling-counts.ts'
import { journeyHours, type PlannedHour, planJourney, type Stage, stages } from './polling-journey.ts'

export interface SimulatedWorld {
  readonly containers: number
  readonly days: number
  readonly lines: number
  readonly accounts: number
  /** Seconds of the simulated clock between two rounds of dealing. */
  readonly tickSeconds: number
  /** How much of the wanted looks a line allows: 1.5 is plenty; below 1 some looks have to wait. */
  readonly shareOf: (line: number) => number
  readonly seed: number
}

export interface StageAges {
  readonly stage: Stage
  readonly looks: number
  readonly meanHours: number
  /** 95 % of the looks came at most this long after the look before. */
  readonly lateHours: number
}

export interface AccountLooks {
  readonly containers: number
  readonly looks: number
  readonly meanHours: number
}

export interface Simulated {
  readonly looks: number
  readonly looksASecond: number
  readonly busiestSecond: number
  readonly ages: readonly StageAges[]
  /** The fullest window of each length at any line, as a share of the line's limit. Must never be above 1. */
  readonly fullest: Readonly<Record<'perMinute' | 'perHour' | 'perDay', number>>
  /**
   * The smallest and the largest account at the line that allows least, in the second half of the time: the looks
   * without urgency, and the mean hours since the look before.
   */
  readonly small: AccountLooks
  readonly large: AccountLooks
  /** New requests at that line: their mean wait in minutes. */
  readonly newWaitMinutes: number
}

/** The looks that are due for one account, in one class, at one line. */
interface Waiting extends AccountQueue<number> {
  items: number[]
  readonly all: Line<number>
}

const dealtAtOnce = 64
const buckets = 24 * 60

/** Counts over all lines. */
interface Tally {
  readonly inTick: Uint32Array
  readonly ageCounts: readonly Uint32Array[]
  readonly ageSums: Float64Array
  readonly fullest: { perMinute: number; perHour: number; perDay: number }
  /** Counts at the line that allows least. */
  readonly least: Record<'small' | 'large' | 'fresh', { containers: number; sum: number; count: number }>
}

/** Lines do not influence each other, so they are simulated one after the other, each over the whole time. */
export function simulatePolling(world: SimulatedWorld): Simulated {
  const plan = planJourney()
  const ticks = Math.ceil((world.days * 86_400) / world.tickSeconds)
  const tally: Tally = {
    inTick: new Uint32Array(ticks),
    ageCounts: stages.map(() => new Uint32Array(buckets)),
    ageSums: new Float64Array(stages.length),
    fullest: { perMinute: 0, perHour: 0, perDay: 0 },
    least: {
      small: { containers: 0, sum: 0, count: 0 },
      large: { containers: 0, sum: 0, count: 0 },
      fresh: { containers: 0, sum: 0, count: 0 },
    },
  }
  for (let line = 0; line < world.lines; line += 1) simulateLine(world, line, plan, tally)
  const looks = tally.inTick.reduce((all, each) => all + each, 0)
  const mean = ({ sum, count }: { sum: number; count: number }): number => (count === 0 ? 0 : sum / count)
  const looksOf = (of: Tally['least']['small']): AccountLooks => {
    return { containers: of.containers, looks: of.count, meanHours: mean(of) / 3_600 }
  }
  const { least, fullest } = tally
  return {
    looks,
    looksASecond: looks / (world.days * 86_400),
    busiestSecond: tally.inTick.reduce((most, each) => Math.max(most, each), 0) / world.tickSeconds,
    ages: stages.map((stage, place) =>
      agesOf(stage, tally.ageCounts[place] ?? new Uint32Array(0), tally.ageSums[place] ?? 0),
    ),
    fullest,
    small: looksOf(least.small),
    large: looksOf(least.large),
    newWaitMinutes: mean(least.fresh) / 60,
  }
}

function simulateLine(world: SimulatedWorld, line: number, plan: readonly PlannedHour[], tally: Tally): void {
  const { accounts, tickSeconds: tick } = world
  const chance = seededChance(world.seed + line)
  const ticks = tally.inTick.length
  const containers = Math.floor(world.containers / world.lines)
  const bornAt = new Float64Array(containers)
  const lookedAt = new Float64Array(containers)
  const dueAt = new Float64Array(containers)
  const accountOf = new Uint16Array(containers)
  const isNew = new Uint8Array(containers)
  // A linked list per tick of the containers that are due then. Containers that are due after the end are in no list.
  const firstDue = new Int32Array(ticks).fill(-1)
  const nextDue = new Int32Array(containers).fill(-1)
  const hourOf = (container: number, at: number): number =>
    Math.floor((at - (bornAt[container] ?? 0)) / 3_600) % journeyHours
  const plannedAt = (container: number, at: number): PlannedHour =>
    plan[hourOf(container, at)] ?? { gapSeconds: 43_200, urgency: 3, stage: 0 }
  const schedule = (container: number, at: number): void => {
    dueAt[container] = at
    const place = Math.ceil(at / tick)
    if (place >= ticks) return
    nextDue[container] = firstDue[place] ?? -1
    firstDue[place] = container
  }

  // At the first line the smallest account has ten containers. The largest has a third of that line's, but at most a
  // hundredth of all.
  const large = line === 0 ? Math.floor(Math.min(world.containers / 100, containers / 3)) : 0
  let wanted = 0
  for (let container = 0; container < containers; container += 1) {
    bornAt[container] = -Math.floor(chance() * journeyHours * 3_600)
    accountOf[container] =
      line === 0 && container < 10 ? 0 : container < large ? 1 : 2 + Math.floor(chance() * (accounts - 2))
    const { gapSeconds } = plannedAt(container, 0)
    lookedAt[container] = -chance() * gapSeconds
    schedule(container, Math.max(0, (lookedAt[container] ?? 0) + gapSeconds))
    wanted += 86_400 / gapSeconds
  }
  if (line === 0) {
    tally.least.small.containers = 10
    tally.least.large.containers = large - 10
  }
  const limits = limitsFor(wanted * world.shareOf(line))
  let spending: RequestUsage = noUsage
  let dealtBefore = 0
  const turns = urgencies.map(() => new Line<Waiting>())
  const byAccount = urgencies.map(() => new Map<number, Waiting>())
  const sent = new RollingCounts(tick)

  const queue = (container: number, at: number): void => {
    const urgency = isNew[container] === 1 ? 0 : plannedAt(container, at).urgency
    const account = accountOf[container] ?? 0
    let waiting = byAccount[urgency]?.get(account)
    if (waiting === undefined) {
      waiting = { urgency, items: [], all: new Line<number>() }
      byAccount[urgency]?.set(account, waiting)
    }
    if (waiting.all.length === 0) turns[urgency]?.push(waiting)
    waiting.all.push(container)
  }

  const look = (container: number, place: number): void => {
    const at = place * tick
    const { gapSeconds, stage } = plannedAt(container, at)
    const age = at - (lookedAt[container] ?? 0)
    if (line === 0 && place > ticks / 2) {
      const isCalm = plannedAt(container, dueAt[container] ?? 0).urgency === 3
      const size = accountOf[container] === 0 ? 'small' : accountOf[container] === 1 ? 'large' : null
      const who = isNew[container] === 1 ? 'fresh' : isCalm ? size : null
      if (who !== null) {
        tally.least[who].sum += who === 'fresh' ? at - (dueAt[container] ?? 0) : age
        tally.least[who].count += 1
      }
    }
    if (isNew[container] === 0) {
      const counts = tally.ageCounts[stage]
      const bucket = Math.min(buckets - 1, Math.floor(age / 60))
      if (counts !== undefined) counts[bucket] = (counts[bucket] ?? 0) + 1
      tally.ageSums[stage] = (tally.ageSums[stage] ?? 0) + age
    }
    lookedAt[container] = at
    // After the end of a journey a new request takes its place.
    const left = (journeyHours - hourOf(container, at)) * 3_600
    isNew[container] = gapSeconds > left ? 1 : 0
    schedule(container, at + (gapSeconds > left ? left : gapSeconds * (0.9 + 0.2 * chance())))
  }

  for (let place = 0; place < ticks; place += 1) {
    const at = place * tick
    for (let container = firstDue[place] ?? -1; container >= 0; ) {
      const next = nextDue[container] ?? -1
      queue(container, at)
      container = next
    }
    let inTick = 0
    for (let nowMs = at * 1_000; nowMs < (at + tick) * 1_000; ) {
      const shown = turns.flatMap((each) => each.first(dealtAtOnce))
      if (shown.length === 0) break
      for (const turn of shown) turn.items = turn.all.first(4)
      const room = dealtAtOnce
      const dealt = dealRoundRobin({
        queues: shown,
        spending,
        limits,
        dealt: dealtBefore,
        capacity: room,
        nowMs,
        requestsOf: () => 1,
      })
      spending = dealt.spending
      dealtBefore += dealt.picks.length
      inTick += dealt.picks.length
      const had = new Set<Waiting>()
      for (const { item, queue: turn } of dealt.picks) {
        turn.all.drop(1)
        look(item, place)
        had.add(turn)
      }
      // Accounts that had a turn go behind the others. They were the first of their class, so they are dropped from the
      // front.
      for (const { urgency } of had) turns[urgency]?.drop(1)
      for (const turn of had) if (turn.all.length > 0) turns[turn.urgency]?.push(turn)
      // Within a tick, looks that wait for a limit continue when the limit allows, a few at a time.
      if (dealt.waits.size > 0) nowMs = Math.max(Math.min(...dealt.waits.values()), nowMs + tick * 50)
      else if (dealt.picks.length === 0) break
    }
    sent.add(place, inTick)
    tally.inTick[place] = (tally.inTick[place] ?? 0) + inTick
  }
  for (const window of windowNames) {
    const share = sent.fullest[window] / (limits.rate[window] ?? 1)
    tally.fullest[window] = Math.max(tally.fullest[window], share)
  }
}

/**
 * Limits that follow from the looks per day: an hour may have twice its average share of the day, a minute three times
 * its share of that hour.
 */
function limitsFor(aDay: number): RequestLimits {
  const perDay = Math.max(100, Math.round(aDay))
  const perHour = Math.max(20, Math.round(perDay / 12))
  const perMinute = Math.max(10, Math.round(perHour / 20))
  return { rate: { perMinute, perHour, perDay }, quota: {} }
}

function agesOf(stage: Stage, counts: Uint32Array, sum: number): StageAges {
  const looks = counts.reduce((all, each) => all + each, 0)
  let seen = 0
  const late = counts.findIndex((each) => {
    seen += each
    return seen >= looks * 0.95
  })
  return { stage, looks, meanHours: looks === 0 ? 0 : sum / looks / 3_600, lateHours: (late + 1) / 60 }
}
