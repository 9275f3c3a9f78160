/** One journey in the simulation of polling, and what the plan of looks says for each of its hours. */

import { urgencies } from '../../src/domain/polling/request-budget.ts'
import { type PollFacts, pollGapMs, pollUrgency } from '../../src/domain/polling/schedule.ts'
import type { ContainerStatus } from '../../src/domain/view/projection.ts'

export const stages = ['booked', 'at sea', 'near port', 'at terminal', 'free time ends', 'out'] as const
export type Stage = (typeof stages)[number]

const hourMs = 3_600_000
/** From the booking until the empty return. After that another box takes its place. */
export const journeyHours = 47 * 24
const sailsAt = 10 * 24
const arrivesAt = 35 * 24
const outAt = 40 * 24
const freeUntilAt = 40 * 24

/** What the plan of looks says for one hour of the journey. */
export interface PlannedHour {
  readonly gapSeconds: number
  readonly urgency: number
  readonly stage: number
}

function statusAt(hour: number): ContainerStatus {
  if (hour < sailsAt) return 'new'
  if (hour < arrivesAt) return 'on_ship'
  return hour < outAt ? 'available' : 'picked_up'
}

function stageAt(hour: number): Stage {
  if (hour < sailsAt) return 'booked'
  if (hour < arrivesAt - 72) return 'at sea'
  if (hour < arrivesAt) return 'near port'
  if (hour < outAt) return hour < freeUntilAt - 48 ? 'at terminal' : 'free time ends'
  return 'out'
}

export function planJourney(): readonly PlannedHour[] {
  const startMs = Date.parse('2026-01-01T00:00:00Z')
  const at = (hour: number): string => new Date(startMs + hour * hourMs).toISOString()
  return Array.from({ length: journeyHours }, (_, hour) => {
    const hasArrived = hour >= arrivesAt
    const facts: PollFacts = {
      status: statusAt(hour),
      isTerminated: false,
      nextExpectedAt: hasArrived ? null : at(hour < sailsAt ? sailsAt : arrivesAt),
      arrivedAt: hasArrived ? at(arrivesAt) : null,
      lastChangeAt: at(Math.max(0, hour - 48)),
      freeUntil: hasArrived && hour < outAt ? at(freeUntilAt) : null,
    }
    const gapMs = pollGapMs([facts], { now: at(hour), jitter: 0 }) ?? 24 * hourMs
    const urgency = urgencies.indexOf(pollUrgency([facts], new Date(startMs + hour * hourMs + gapMs).toISOString()))
    return { gapSeconds: Math.round(gapMs / 1_000), urgency, stage: stages.indexOf(stageAt(hour)) }
  })
}
