/**
 * One container's trip, merged from all sources: its transport calls in order, each with what happened and what is
 * expected there. Statements are merged by transport call, not by port. The order in which they came does not matter.
 */

import type { ObservedPlace } from '../statements/observation.ts'
import { compareText, isIncoming, isOutgoing, type Statement } from '../statements/statement.ts'
import type { JourneyIssue } from '../view/projection.ts'
import { readRailGates } from './rail-gates.ts'
import { resolveSlots, type Slot } from './slots.ts'
import { groupVisits, type Visit } from './visits.ts'

export interface Call {
  /** Place and ordinal of the visit there: `USLAX#1`. */
  readonly key: string
  readonly placeKey: string
  readonly place: ObservedPlace
  readonly hasHappened: boolean
  readonly slots: readonly Slot[]
}

export interface Journey {
  readonly calls: readonly Call[]
  readonly issues: readonly JourneyIssue[]
}

const hourMs = 3_600_000
/** Sources that differ by no more than this on when a thing happened do not contradict each other. */
const contradictionMsMin = 6 * hourMs

/** `podKey`: the place where the container is to be discharged; null when no source stated it. */
export function mergeJourney(statements: readonly Statement[], podKey: string | null = null): Journey {
  const visits = groupVisits(readRailGates(statements)).map(measureVisit)
  const happened = visits.filter((visit) => visit.lastActual !== null).toSorted(compareVisits)
  const expected = visits.filter((visit) => visit.lastActual === null).toSorted(compareVisits)
  const ahead = dropOvertakenVisits(expected, happened, podKey)
  const overtaken = expected.filter((visit) => !ahead.includes(visit))
  const calls = toCalls([...happened, ...ahead])
  return { calls, issues: [...overtaken.flatMap(overtakenIssues), ...calls.flatMap(contradictionIssues)] }
}

interface MeasuredVisit extends Visit {
  readonly start: number
  readonly sequence: number
  readonly lastActual: Statement | null
  readonly lastPredicted: number
}

/**
 * When only the day is known, an arrival counts as late in that day and a departure as early, so that the calls of a
 * short hop keep their order.
 */
function measureVisit(visit: Visit): MeasuredVisit {
  let start = Infinity
  let sequence = Infinity
  let lastActual: Statement | null = null
  let lastPredicted = -Infinity
  const hasActual = visit.statements.some((statement) => statement.isActual)
  for (const statement of visit.statements) {
    if (statement.isActual === hasActual) {
      start = Math.min(start, isIncoming(statement) ? Math.max(statement.from, statement.until - 1) : statement.from)
    }
    sequence = Math.min(sequence, statement.event.callSequence ?? Infinity)
    if (!statement.isActual) lastPredicted = Math.max(lastPredicted, statement.until)
    else if (lastActual === null || statement.from > lastActual.from) lastActual = statement
  }
  return { ...visit, start, sequence, lastActual, lastPredicted }
}

function compareVisits(a: MeasuredVisit, b: MeasuredVisit): number {
  if (a.start !== b.start) return a.start - b.start
  if (a.sequence !== b.sequence) return a.sequence < b.sequence ? -1 : 1
  return compareText(a.placeKey, b.placeKey)
}

/**
 * A predicted visit is overtaken when something happened elsewhere after the predicted time. But when the plan puts the
 * visit after that other place, the visit is merely late. A container on board of something is going somewhere, so the
 * last arrival predicted for it stays ahead, however late.
 */
function dropOvertakenVisits(
  expected: readonly MeasuredVisit[],
  happened: readonly MeasuredVisit[],
  podKey: string | null,
): readonly MeasuredVisit[] {
  const isOver = happened.some((visit) => visit.statements.some(endsVoyage))
  const ahead = expected.filter(
    (visit) => (visit.placeKey === podKey && !isOver) || !happened.some((other) => isOvertakenBy(visit, other)),
  )
  if (ahead.some(hasArrival) || !isOnBoard(happened)) return ahead
  const late = expected.findLast(hasArrival)
  return late === undefined ? ahead : expected.filter((visit) => visit === late || ahead.includes(visit))
}

function endsVoyage(statement: Statement): boolean {
  if (!statement.isActual) return false
  if (statement.code === 'GTOT') return statement.load === 'LADEN'
  return statement.mode === 'RAIL' && isOutgoing(statement)
}

function isOvertakenBy(visit: MeasuredVisit, other: MeasuredVisit): boolean {
  if (other.placeKey === visit.placeKey || other.lastActual === null) return false
  return other.lastActual.from > visit.lastPredicted && !isPlannedAfter(visit, other)
}

function isPlannedAfter(visit: MeasuredVisit, other: MeasuredVisit): boolean {
  if (visit.sequence !== Infinity && other.sequence !== Infinity) return visit.sequence > other.sequence
  return other.statements.some(
    (planned) =>
      !planned.isActual &&
      visit.statements.some(
        (statement) => statement.claim.source.code === planned.claim.source.code && statement.from > planned.from,
      ),
  )
}

function hasArrival(visit: MeasuredVisit): boolean {
  return visit.statements.some(isIncoming)
}

function isOnBoard(happened: readonly MeasuredVisit[]): boolean {
  const last = happened.at(-1)?.lastActual ?? null
  return last !== null && isOutgoing(last)
}

function toCalls(visits: readonly MeasuredVisit[]): readonly Call[] {
  const visitsAt = new Map<string, number>()
  return visits.map((visit) => {
    const ordinal = (visitsAt.get(visit.placeKey) ?? 0) + 1
    visitsAt.set(visit.placeKey, ordinal)
    const slots = resolveSlots(visit.statements)
    return {
      key: `${visit.placeKey}#${ordinal}`,
      placeKey: visit.placeKey,
      place: placeOf(slots),
      hasHappened: visit.lastActual !== null,
      slots,
    }
  })
}

/** The place of the call itself, without the berth or gate of any one event. */
function placeOf(slots: readonly Slot[]): ObservedPlace {
  const winners = slots.map((slot) => slot.actual ?? slot.estimate).filter((statement) => statement !== null)
  const place = (winners.find((statement) => statement.event.place.timeZone !== null) ?? winners[0])?.event.place
  return {
    unlocode: place?.unlocode ?? null,
    terminalId: null,
    facilityCode: null,
    facilityType: null,
    name: place?.name ?? null,
    timeZone: place?.timeZone ?? null,
  }
}

function overtakenIssues(visit: MeasuredVisit): readonly JourneyIssue[] {
  return visit.statements.map((statement) => ({
    kind: 'overtaken_prediction',
    claimId: statement.claim.id,
    detail: `${statement.code} at ${statement.placeKey} was expected before something happened further on`,
  }))
}

function contradictionIssues(call: Call): readonly JourneyIssue[] {
  return call.slots.flatMap((slot) => {
    const { actual } = slot
    if (actual === null) return []
    return slot.losers
      .filter((loser) => loser.isActual && isFarFrom(loser, actual))
      .map(
        (loser): JourneyIssue => ({
          kind: 'contradicted',
          claimId: loser.claim.id,
          detail: `${slot.key} at ${call.key}: ${actual.claim.source.kind} is believed over ${loser.claim.source.kind}`,
        }),
      )
  })
}

function isFarFrom(a: Statement, b: Statement): boolean {
  return a.from - b.until > contradictionMsMin || b.from - a.until > contradictionMsMin
}
