/**
 * When a tracked shipment is polled again: often when an event is near in time, before or after, seldom on the open
 * sea, and no longer once the container is back. About four polls a day over a whole journey.
 */

import { msBetween } from '../values/time.ts'
import { unreachable } from '../values/unreachable.ts'
import type { ContainerStatus } from '../view/projection.ts'
import type { Urgency } from './request-budget.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

export interface PollRules {
  /** No container yet, or one that has not been loaded: only a booking. */
  readonly bookedGapMs: number
  /** At sea with the next event further away than `farBeyondMs`. */
  readonly farGapMs: number
  readonly farBeyondMs: number
  /** At sea, between far and near, or without a predicted event. */
  readonly underWayGapMs: number
  /** From `nearWithinMs` before a predicted event until as long after it, if it has not been reported. */
  readonly nearGapMs: number
  readonly nearWithinMs: number
  readonly atTerminalGapMs: number
  readonly onRailGapMs: number
  /** Out of the gate: only the empty return is missing. */
  readonly outGapMs: number
  /** Nothing changed for `quietAfterMs`: gaps are stretched by `quietFactor`, to at most `gapMaxMs`. */
  readonly quietAfterMs: number
  readonly quietFactor: number
  readonly gapMaxMs: number
  /**
   * The free time ends within `freeWithinMs`, or ended no longer ago than that; or the container is held; or a
   * container that waits had news within `newsWithinMs`.
   */
  readonly sharpGapMs: number
  readonly freeWithinMs: number
  readonly newsWithinMs: number
  /** No gap is shorter than this. */
  readonly gapMinMs: number
  /** The share of a gap by which the jitter moves it, either way. */
  readonly jitterShare: number
}

export const defaultPollRules: PollRules = {
  bookedGapMs: 12 * hourMs,
  farGapMs: 12 * hourMs,
  farBeyondMs: 14 * dayMs,
  underWayGapMs: 6 * hourMs,
  nearGapMs: 2.5 * hourMs,
  nearWithinMs: 3 * dayMs,
  atTerminalGapMs: 2 * hourMs,
  onRailGapMs: 4 * hourMs,
  outGapMs: 12 * hourMs,
  quietAfterMs: 21 * dayMs,
  quietFactor: 2,
  gapMaxMs: 24 * hourMs,
  sharpGapMs: 1.5 * hourMs,
  freeWithinMs: 2 * dayMs,
  newsWithinMs: 6 * hourMs,
  gapMinMs: 15 * minuteMs,
  jitterShare: 0.1,
}

/** The facts of a container's journey that show when news may come; ISO instants, null when not stated. */
export interface PollFacts {
  readonly status: ContainerStatus
  readonly isTerminated: boolean
  /**
   * The next event that is predicted (departure, arrival, inland arrival …). It may be in the past when it is overdue.
   */
  readonly nextExpectedAt: string | null
  readonly arrivedAt: string | null
  readonly lastChangeAt: string | null
  /** When the last free day begins, as long as the container has not been picked up. */
  readonly freeUntil?: string | null
  readonly isHeld?: boolean
}

/** The moment and the jitter, from -1 to 1, of one poll. */
export interface PollMoment {
  readonly now: string
  readonly jitter: number
}

/**
 * Milliseconds until the next poll of a shipment: the shortest gap of all its containers; null when every one has gone
 * back. A shipment without containers is only a booking.
 */
export function pollGapMs(
  containers: readonly PollFacts[],
  moment: PollMoment,
  rules: PollRules = defaultPollRules,
): number | null {
  if (containers.length === 0) return withJitter(rules.bookedGapMs, moment.jitter, rules)
  const gaps = containers.filter((facts) => !facts.isTerminated).map((facts) => gapOf(facts, moment.now, rules))
  return gaps.length === 0 ? null : withJitter(Math.min(...gaps), moment.jitter, rules)
}

/**
 * How urgent a poll at that moment is, compared with all other polls of a channel. Only a new request is `new`, which
 * is decided elsewhere.
 */
export function pollUrgency(
  containers: readonly PollFacts[],
  at: string,
  rules: PollRules = defaultPollRules,
): Exclude<Urgency, 'new'> {
  const open = containers.filter(({ isTerminated }) => !isTerminated)
  if (open.some((facts) => isFreeTimeEnding(facts, at, rules))) return 'urgent'
  const isSoon = (facts: PollFacts): boolean =>
    isNear(facts.nextExpectedAt, at, rules) || needsHourlyPoll(facts, at, rules) || isAshore.has(facts.status)
  return open.some(isSoon) ? 'near' : 'calm'
}

const isAshore: ReadonlySet<ContainerStatus> = new Set([
  'grounded',
  'available',
  'not_available',
  'awaiting_inland_transfer',
])

function isFreeTimeEnding({ freeUntil = null }: PollFacts, at: string, rules: PollRules): boolean {
  return freeUntil !== null && Math.abs(msBetween({ from: at, to: freeUntil })) <= rules.freeWithinMs
}

/** Whether something may happen any time that has to be known within the hour. */
function needsHourlyPoll(facts: PollFacts, at: string, rules: PollRules): boolean {
  if (facts.isHeld === true || isFreeTimeEnding(facts, at, rules)) return true
  const { lastChangeAt, status } = facts
  return isAshore.has(status) && lastChangeAt !== null && msBetween({ from: lastChangeAt, to: at }) < rules.newsWithinMs
}

function gapOf(facts: PollFacts, now: string, rules: PollRules): number {
  if (needsHourlyPoll(facts, now, rules)) return Math.min(rules.sharpGapMs, stageGap(facts, now, rules))
  const gapMs = isNear(facts.nextExpectedAt, now, rules)
    ? Math.min(rules.nearGapMs, stageGap(facts, now, rules))
    : stageGap(facts, now, rules)
  const isQuiet = facts.lastChangeAt !== null && msBetween({ from: facts.lastChangeAt, to: now }) > rules.quietAfterMs
  return isQuiet ? Math.min(gapMs * rules.quietFactor, Math.max(gapMs, rules.gapMaxMs)) : gapMs
}

function stageGap(facts: PollFacts, now: string, rules: PollRules): number {
  switch (facts.status) {
    case 'new':
      return rules.bookedGapMs
    case 'on_ship':
      return facts.arrivedAt === null ? seaGap(facts.nextExpectedAt, now, rules) : rules.atTerminalGapMs
    case 'grounded':
    case 'available':
    case 'not_available':
    case 'awaiting_inland_transfer':
      return rules.atTerminalGapMs
    case 'on_rail':
      return rules.onRailGapMs
    case 'picked_up':
    case 'off_dock':
    case 'delivered':
    case 'dropped':
    case 'loaded':
    case 'empty_returned':
      return rules.outGapMs
    default:
      return unreachable(facts.status)
  }
}

/** Without a prediction anything may come next, so the gap is not the long one of the open sea. */
function seaGap(nextExpectedAt: string | null, now: string, rules: PollRules): number {
  if (nextExpectedAt === null) return rules.underWayGapMs
  return msBetween({ from: now, to: nextExpectedAt }) > rules.farBeyondMs ? rules.farGapMs : rules.underWayGapMs
}

function isNear(nextExpectedAt: string | null, now: string, rules: PollRules): boolean {
  if (nextExpectedAt === null) return false
  return Math.abs(msBetween({ from: now, to: nextExpectedAt })) <= rules.nearWithinMs
}

function withJitter(gapMs: number, jitter: number, rules: PollRules): number {
  const share = Math.max(-1, Math.min(1, jitter)) * rules.jitterShare
  return Math.max(rules.gapMinMs, Math.round(gapMs * (1 + share)))
}

/**
 * How long until something that failed is tried again: soon at first, then less and less often. `failures`: how often
 * in a row it failed before.
 */
export function failureGapMs(failures: number, rules: PollRules): number {
  return Math.min(rules.gapMinMs * 2 ** Math.min(failures, 20), rules.gapMaxMs)
}

/** The gap of something that keeps failing: doubled from its second failure in a row on, up to the longest gap. */
export function stretchedGapMs(gapMs: number, failures: number, rules: PollRules = defaultPollRules): number {
  if (failures <= 1) return gapMs
  return Math.max(gapMs, Math.min(gapMs * 2 ** Math.min(failures - 1, 20), rules.gapMaxMs))
}

const cooldownMsMax = hourMs

/**
 * How long a line is not polled that requested a pause (Retry-After): as long as it requested, but an hour at most,
 * since one wrong number would stop its news for everybody. If the line repeats it directly afterwards, it is serious:
 * each repetition in a row doubles the accepted cooldown, up to a day. `refusals`: how often in a row the line has
 * requested it before.
 */
export function cooldownMs(line: { readonly requestedMs: number; readonly refusals: number }): number {
  return Math.min(line.requestedMs, cooldownMsMax * 2 ** Math.min(line.refusals, 10), dayMs)
}

/**
 * A number from -1 to 1 that is always the same for the key of a poll target (FNV-1a), so that polls spread without a
 * random source.
 */
export function jitterOf(key: string): number {
  let hash = 0x811c9dc5
  for (let position = 0; position < key.length; position += 1) {
    hash = Math.imul(hash ^ key.charCodeAt(position), 0x01000193)
  }
  // A last mixing: otherwise keys that differ only in their final character would lie close together.
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39)
  return ((hash ^ (hash >>> 15)) >>> 0) / 0x7fffffff - 1
}
