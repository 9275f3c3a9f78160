/**
 * The free time and the charges of one container: of each terms that count for the clock, one statement for each day,
 * the last free day, the bill until now, the expected cost, and the part of it that is still avoidable. A pure function
 * of the projection, the terms, the calendars and now.
 */

import { localDateIn } from '../values/time.ts'
import { type Bill, billOf, emptyBill, subtractBill } from './bill.ts'
import { type ChargeCalendar, dayAfter } from './calendar.ts'
import { type ChosenTerms, chooseTerms, type RejectedTerms } from './choose-terms.ts'
import { type Clock, createDayDecider, type DecidedDay, firstDayOf } from './clock.ts'
import type { DayStatement } from './day-statement.ts'
import {
  type ChargedContainer,
  type ClockMoment,
  findStartMilestone,
  findStopMilestone,
  type MissingReason,
  momentOf,
} from './evidence.ts'
import { type LastFreeDay, lastFreeDayOf } from './last-free-day.ts'
import type { Money } from './money.ts'
import {
  differencesOf,
  type LastFreeDayDifference,
  type ReportedLastFreeDay,
  reportedLastFreeDays,
} from './reported.ts'
import { standstillsOf } from './standstill.ts'
import type { ChargeTerms } from './terms.ts'
import type { TermsBook } from './terms-book.ts'

export interface TermsCharges {
  readonly terms: ChargeTerms
  readonly calendar: ChargeCalendar | null
  readonly start: ClockMoment | null
  readonly stop: ClockMoment | null
  /** Why nothing can be counted; null when it can. */
  readonly missing: MissingReason | null
  readonly days: readonly DayStatement[]
  readonly lastFreeDay: LastFreeDay | null
  /** Until today, today included. */
  readonly owed: Bill
  /** Until the last requested day, if the container stays. */
  readonly forecast: Bill
  /** What is saved when the clock stops today. */
  readonly avoidable: readonly Money[]
}

export interface ContainerCharges {
  readonly charges: readonly TermsCharges[]
  readonly passedOver: readonly RejectedTerms[]
  readonly reported: readonly ReportedLastFreeDay[]
  readonly differences: readonly LastFreeDayDifference[]
}

export interface ChargesQuery {
  readonly now: string
  /** Last day of the forecast. */
  readonly until: string
}

export function calculateCharges(
  chargedContainer: ChargedContainer,
  book: TermsBook,
  query: ChargesQuery,
): ContainerCharges {
  const { chosen, passedOver } = chooseTerms(chargedContainer, book)
  const charges = chosen.map((each) => chargesOf(chargedContainer, each, book, query))
  const reported = reportedLastFreeDays(chargedContainer.facts, chargedContainer.container.pickupTimeZone)
  const differences = charges.flatMap(({ terms, lastFreeDay }) => differencesOf(terms, lastFreeDay, reported))
  return { charges, passedOver, reported, differences }
}

function chargesOf(
  chargedContainer: ChargedContainer,
  chosen: ChosenTerms,
  book: TermsBook,
  query: ChargesQuery,
): TermsCharges {
  const read = readClock(chargedContainer, chosen, book)
  const { terms } = chosen
  if ('missing' in read) {
    const nothing = { days: [], lastFreeDay: null, owed: emptyBill, forecast: emptyBill, avoidable: [] }
    return { terms, calendar: null, start: read.start, stop: null, missing: read.missing, ...nothing }
  }
  const { clock } = read
  const days = decideDays(clock, query)
  const forecast = billOf(days)
  const owed = billOf(days.filter(({ isAhead }) => !isAhead))
  return {
    terms,
    calendar: clock.calendar,
    start: clock.start,
    stop: clock.stop,
    missing: null,
    days,
    lastFreeDay: lastFreeDayOf(clock),
    owed,
    forecast,
    avoidable: subtractBill(forecast, owed),
  }
}

type ClockResult = { readonly clock: Clock } | { readonly missing: MissingReason; readonly start: ClockMoment | null }

function readClock(chargedContainer: ChargedContainer, { terms, ratesOn }: ChosenTerms, book: TermsBook): ClockResult {
  const milestone = findStartMilestone(chargedContainer.container, terms.start.event)
  if (milestone === null) return { missing: 'start', start: null }
  const calendar = terms.calendar === null ? null : (book.calendars.get(terms.calendar) ?? null)
  if (terms.calendar !== null && calendar === null) return { missing: 'calendar', start: null }
  const start = momentOf(terms.start.event, milestone, calendar?.zone ?? null)
  if (start === null || start.zone === null) return { missing: 'zone', start }
  if (terms.freeUnit === 'hours' && start.atMs === null && !terms.start.isFirstFullDay)
    return { missing: 'hour_of_start', start }
  const first = firstDayOf(terms, calendar, start)
  if ('missing' in first) return { missing: first.missing, start }
  const stopped = findStopMilestone(chargedContainer.container, terms, milestone)
  const stop = stopped === null ? null : momentOf(stopped.event, stopped.milestone, calendar?.zone ?? null)
  if (stopped !== null && stop === null) return { missing: 'zone', start }
  const standstills = standstillsOf(chargedContainer, terms)
  return {
    clock: { terms, ratesOn, calendar, zone: start.zone, start, stop, standstills, firstDay: first.day },
  }
}

/** More days than any container waits; a container without further events is counted no further. */
const daysMax = 2_000

function decideDays(clock: Clock, { now, until }: ChargesQuery): readonly DayStatement[] {
  const { terms, calendar, start, stop, firstDay, zone } = clock
  const today = localDateIn(now, zone)
  const end = stop?.day ?? (until > today ? until : today)
  const decide = createDayDecider(clock)
  const statements: DayStatement[] = []
  const versions = { calendar: calendar && { code: calendar.code, version: calendar.version } }
  for (let day = start.day; day <= end && statements.length < daysMax; day = dayAfter(day)) {
    const decided =
      day < firstDay
        ? decideDayBeforeFirst(clock)
        : isUncountedStop(clock, day)
          ? decideStopDay(clock)
          : decide.next(day)
    const { outcome, reason, rates, claimId } = decided
    const isStopDay = stop !== null && day === stop.day
    statements.push({
      on: day,
      outcome,
      reason,
      amount: reason.kind === 'tier' ? reason.rate : null,
      terms: { code: terms.code, version: rates.version },
      ...versions,
      claimIds: [start.claimId, ...(isStopDay ? [stop.claimId] : []), ...(claimId === null ? [] : [claimId])],
      isAhead: stop === null && day > today,
    })
  }
  return statements
}

function decideDayBeforeFirst({ terms, start, firstDay }: Clock): DecidedDay {
  const reason = { kind: 'before_first_day', event: start.event, firstDay } as const
  return { outcome: 'not_counted', reason, claimId: null, rates: terms }
}

function isUncountedStop({ terms, stop }: Clock, day: string): boolean {
  return stop !== null && day === stop.day && !terms.isStopDayCounted
}

function decideStopDay({ terms, start, stop }: Clock): DecidedDay {
  const reason = { kind: 'stop_day', event: stop?.event ?? start.event } as const
  return { outcome: 'not_counted', reason, claimId: null, rates: terms }
}
