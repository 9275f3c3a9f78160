/**
 * When to look again at a shipment that is tracked: often when something is about to happen or just did, seldom on the
 * open sea, and no longer once the box is back. About four looks a day over a whole journey.
 */

import type { ContainerStatus } from '../shown/projection.ts'
import { msBetween } from '../values/time.ts'
import { unreachable } from '../values/unreachable.ts'
import type { Urgency } from './request-budget.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

export interface LookRules {
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
   * The free time ends within `freeWithinMs`, or ended no longer ago than that; or the box is held; or a box that waits
   * had news within `newsWithinMs`.
   */
  readonly sharpGapMs: number
  readonly freeWithinMs: number
  readonly newsWithinMs: number
  /** No gap is shorter than this. */
  readonly gapMinMs: number
  /** The share of a gap by which the jitter moves it, either way. */
  readonly jitterShare: number
}

export const defaultLookRules: LookRules = {
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

/** What a container's journey says about when something may be news; ISO instants, null when nobody said. */
export interface LookFacts {
  readonly status: ContainerStatus
  readonly isTerminated: boolean
  /**
   * The next event that is predicted (departure, arrival, inland arrival …). It may be in the past when it is overdue.
   */
  readonly nextExpectedAt: string | null
  readonly arrivedAt: string | null
  readonly lastChangeAt: string | null
  /** When the last free day begins, as long as the box has not been picked up. */
  readonly freeUntil?: string | null
  readonly isHeld?: boolean
}

/** The moment and the jitter, from -1 to 1, of one look. */
export interface LookMoment {
  readonly now: string
  readonly jitter: number
}

/**
 * Milliseconds until the next look at a shipment: the shortest that any of its containers asks for; null when every
 * one has gone back. A shipment without containers is only a booking.
 */
export function lookGapMs(
  containers: readonly LookFacts[],
  moment: LookMoment,
  rules: LookRules = defaultLookRules,
): number | null {
  if (containers.length === 0) return jittered(rules.bookedGapMs, moment.jitter, rules)
  const gaps = containers
    .filter((facts) => !facts.isTerminated)
    .map((facts) => gapOf(facts, moment.now, rules))
  return gaps.length === 0 ? null : jittered(Math.min(...gaps), moment.jitter, rules)
}

/**
 * How urgent a look at that moment is, compared with all others that a channel has to make. Only a new request is
 * `new`, which is decided elsewhere.
 */
export function lookUrgency(
  containers: readonly LookFacts[],
  at: string,
  rules: LookRules = defaultLookRules,
): Exclude<Urgency, 'new'> {
  const open = containers.filter(({ isTerminated }) => !isTerminated)
  if (open.some((facts) => isFreeTimeEnding(facts, at, rules))) return 'urgent'
  const isSoon = (facts: LookFacts): boolean =>
    isNear(facts.nextExpectedAt, at, rules) || isSharp(facts, at, rules) || isAshore.has(facts.status)
  return open.some(isSoon) ? 'near' : 'calm'
}

const isAshore: ReadonlySet<ContainerStatus> = new Set([
  'grounded',
  'available',
  'not_available',
  'awaiting_inland_transfer',
])

function isFreeTimeEnding({ freeUntil = null }: LookFacts, at: string, rules: LookRules): boolean {
  return freeUntil !== null && Math.abs(msBetween({ from: at, to: freeUntil })) <= rules.freeWithinMs
}

/** Whether something may happen any time that has to be known within the hour. */
function isSharp(facts: LookFacts, at: string, rules: LookRules): boolean {
  if (facts.isHeld === true || isFreeTimeEnding(facts, at, rules)) return true
  const { lastChangeAt, status } = facts
  return (
    isAshore.has(status) &&
    lastChangeAt !== null &&
    msBetween({ from: lastChangeAt, to: at }) < rules.newsWithinMs
  )
}

function gapOf(facts: LookFacts, now: string, rules: LookRules): number {
  if (isSharp(facts, now, rules)) return Math.min(rules.sharpGapMs, stageGap(facts, now, rules))
  const gapMs = isNear(facts.nextExpectedAt, now, rules)
    ? Math.min(rules.nearGapMs, stageGap(facts, now, rules))
    : stageGap(facts, now, rules)
  const isQuiet =
    facts.lastChangeAt !== null && msBetween({ from: facts.lastChangeAt, to: now }) > rules.quietAfterMs
  return isQuiet ? Math.min(gapMs * rules.quietFactor, Math.max(gapMs, rules.gapMaxMs)) : gapMs
}

function stageGap(facts: LookFacts, now: string, rules: LookRules): number {
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
function seaGap(nextExpectedAt: string | null, now: string, rules: LookRules): number {
  if (nextExpectedAt === null) return rules.underWayGapMs
  return msBetween({ from: now, to: nextExpectedAt }) > rules.farBeyondMs
    ? rules.farGapMs
    : rules.underWayGapMs
}

function isNear(nextExpectedAt: string | null, now: string, rules: LookRules): boolean {
  if (nextExpectedAt === null) return false
  return Math.abs(msBetween({ from: now, to: nextExpectedAt })) <= rules.nearWithinMs
}

function jittered(gapMs: number, jitter: number, rules: LookRules): number {
  const share = Math.max(-1, Math.min(1, jitter)) * rules.jitterShare
  return Math.max(rules.gapMinMs, Math.round(gapMs * (1 + share)))
}

/**
 * How long until something that failed is tried again: soon at first, then less and less often. `failures`: how often
 * in a row it failed before.
 */
export function failureGapMs(failures: number, rules: LookRules): number {
  return Math.min(rules.gapMinMs * 2 ** Math.min(failures, 20), rules.gapMaxMs)
}

/** The gap of something that keeps failing: doubled from its second failure in a row on, up to the longest gap. */
export function stretchedGapMs(gapMs: number, failures: number, rules: LookRules = defaultLookRules): number {
  if (failures <= 1) return gapMs
  return Math.max(gapMs, Math.min(gapMs * 2 ** Math.min(failures - 1, 20), rules.gapMaxMs))
}

const leftAloneMsMax = hourMs

/**
 * How long a line that asked for a pause (Retry-After) is not asked: as long as it said, an hour at most, since one
 * wrong figure would keep its news from everybody. If a line says so again directly afterwards, it is serious: each
 * time in a row doubles the accepted wait, up to a day. `refusals`: how often in a row it has said so before.
 */
export function leaveAloneMs(line: { readonly askedMs: number; readonly refusals: number }): number {
  return Math.min(line.askedMs, leftAloneMsMax * 2 ** Math.min(line.refusals, 10), dayMs)
}

/** A number from -1 to 1 that a subject's key always yields (FNV-1a), so that looks spread without a random source. */
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
