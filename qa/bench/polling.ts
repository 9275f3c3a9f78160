/**
 * Polling: how long it takes to find whom to ask next among many channels, and the result of the plan for a day and for
 * a year with very many boxes.
 */

import { type Figure, progress } from './measure.ts'
import { benchLease } from './polling-lease.ts'
import { type Simulated, type SimulatedWorld, simulatePolling } from './polling-world.ts'
import { isFull } from './size.ts'

const aDay: SimulatedWorld = {
  containers: 1_000_000,
  days: 1,
  lines: 38,
  accounts: 1_000,
  tickSeconds: 10,
  // The first line allows fewer looks than are wanted. The others allow enough.
  shareOf: (line) => (line === 0 ? 0.85 : 1.6),
  seed: 7,
}
const aYear: SimulatedWorld = { ...aDay, containers: 10_000, days: 365, lines: 8, tickSeconds: 60 }

/** With `--full` ten times as many boxes: the planned size for a day, and a hundred thousand boxes for a year. */
export async function benchPolling(): Promise<readonly Figure[]> {
  const times = isFull() ? 10 : 1
  return [
    await benchLease({ channels: 30_000, rounds: 300, taken: 1 }),
    ...simulated({ ...aDay, containers: times * aDay.containers }, 'a day'),
    ...simulated({ ...aYear, containers: times * aYear.containers }, 'a year'),
  ]
}

function simulated(world: SimulatedWorld, span: string): readonly Figure[] {
  const boxes = world.containers.toLocaleString('en-US')
  progress(`polling: ${boxes} containers for ${span}, on a clock of its own`)
  const startedAt = performance.now()
  const made = simulatePolling(world)
  const seconds = Math.round((performance.now() - startedAt) / 1_000)
  const { looksASecond, fullest, small, large } = made
  const base = { bench: 'polling', limit: null, ratio: null, postgres: null }
  const fullestShare = Math.max(...Object.values(fullest))
  return [
    {
      ...base,
      what: `Looks a second, ${boxes} containers for ${span}`,
      unit: 'looks/s',
      figure: looksASecond,
      aim: 'at most six looks a container and day',
      isMet: looksASecond * 86_400 <= 6 * world.containers,
      note: `${made.looks.toLocaleString('en-US')} looks in ${seconds} s of simulation; the busiest ${world.tickSeconds} s had ${Math.round(made.busiestSecond)} a second; ${agesOf(made)}`,
    },
    {
      ...base,
      what: `The fullest window of any line, ${boxes} containers for ${span}`,
      unit: 'of its limit',
      figure: fullestShare,
      aim: 'never above 1',
      isMet: fullestShare <= 1,
      note: `a minute ${fullest.perMinute.toFixed(2)}, an hour ${fullest.perHour.toFixed(2)}, a day ${fullest.perDay.toFixed(2)}; ${world.lines} lines, one of which allows 85 of 100 looks that are wanted of it`,
    },
    {
      ...base,
      what: `Calm looks of an account of ${small.containers} beside one of ${large.containers.toLocaleString('en-US')} at the line that allows too little`,
      unit: 'looks each',
      figure: large.looks === 0 ? 0 : small.looks / Math.max(1, Math.min(large.looks, small.containers * world.days)),
      aim: 'at least 0.5 of as many, or of one a day for each of its boxes',
      isMet: small.looks >= 0.5 * Math.min(large.looks, (small.containers * world.days) / 2),
      note: `in the second half ${small.looks} and ${large.looks} looks, ${small.meanHours.toFixed(1)} and ${large.meanHours.toFixed(1)} hours after the one before; a new request waits ${made.newWaitMinutes.toFixed(1)} min in the mean`,
    },
  ]
}

function agesOf({ ages }: Simulated): string {
  const each = ages.map(
    ({ stage, meanHours, lateHours }) => `${stage} ${meanHours.toFixed(1)} h (95 of 100 below ${lateHours.toFixed(1)})`,
  )
  return `age of what is known when it is looked at again: ${each.join(', ')}`
}
