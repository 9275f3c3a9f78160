/** The charges of a story as text: the days of each terms, one a line, with what they stand on in the notation. */

import { parse } from 'csv-parse/sync'
import { type Bill, sumBills } from '../../src/domain/charges/bill.ts'
import { weekdayOf } from '../../src/domain/charges/calendar.ts'
import { type DayStatement, describeReason } from '../../src/domain/charges/day-statement.ts'
import type { ChargedContainer } from '../../src/domain/charges/evidence.ts'
import { type Money, writeMoney } from '../../src/domain/charges/money.ts'
import { type NamedCalendar, readCalendars } from '../../src/domain/charges/read-calendars.ts'
import { type ContainerCharges, calculateCharges, type TermsCharges } from '../../src/domain/charges/read-charges.ts'
import { type NamedTerms, readTerms } from '../../src/domain/charges/read-terms.ts'
import { openTermsBook, type TermsBook } from '../../src/domain/charges/terms-book.ts'
import type { FactClaim } from '../../src/domain/journey/trip.ts'
import { writeObservation } from '../../src/domain/notation/notation.ts'
import type { Claim } from '../../src/domain/statements/observation.ts'
import type { ShipmentProjection } from '../../src/domain/view/projection.ts'
import { zones } from './zones.ts'

type Row = Readonly<Record<string, string>>

export function rowsOf(csv: string): readonly Row[] {
  return parse(csv, {
    columns: true,
    comment: '#',
    comment_no_infix: true,
    skip_empty_lines: true,
    trim: true,
  }) as Row[]
}

/** Rows of one code are its versions, in order. */
export function bookOf(termsCsv: string, calendarsCsv: string): TermsBook {
  const terms = rowsOf(termsCsv).map((row): NamedTerms => {
    const read = readTerms(row)
    if (!read.ok) throw new Error(`terms ${row['code']}: ${JSON.stringify(read.faults)}`)
    return read.value
  })
  const calendars = readCalendars(rowsOf(calendarsCsv))
  if (!calendars.ok) throw new Error(`calendars: ${JSON.stringify(calendars.faults)}`)
  return openTermsBook(versionsOf<NamedTerms>(terms), versionsOf<NamedCalendar>(calendars.value))
}

export function versionsOf<Named extends { readonly code: string }>(
  named: readonly Named[],
): readonly (Named & { readonly version: number; readonly recordedAt: string })[] {
  const versions = new Map<string, number>()
  return named.map((each) => {
    const version = (versions.get(each.code) ?? 0) + 1
    versions.set(each.code, version)
    return { ...each, version, recordedAt: '2026-01-01T00:00:00.000Z' }
  })
}

export function boxOf(
  projection: ShipmentProjection,
  number: string,
  said: { readonly scac: string; readonly claims: readonly Claim[]; readonly live: readonly Claim[] },
): ChargedContainer {
  const container = projection.containers.findLast((each) => each.number === number)
  if (container === undefined) throw new Error(`there is no box ${number}`)
  const factsOf = (claims: readonly Claim[]) =>
    claims.filter(
      (claim): claim is FactClaim =>
        claim.observation.kind === 'fact' &&
        (claim.observation.equipment === null || claim.observation.equipment === number),
    )
  const holdWords = factsOf(said.claims).filter(
    ({ observation }) => observation.fact === 'hold' || observation.fact === 'holds',
  )
  const bill = projection.billOfLadingNumber
  return { container, scac: said.scac, bill, holdClaims: holdWords, facts: factsOf(said.live) }
}

export interface Asked {
  readonly now: string
  readonly until: string
}

export function tellCharges(box: ChargedContainer, book: TermsBook, asked: Asked, claims: readonly Claim[]): string[] {
  const read = calculateCharges(box, book, asked)
  const words = new Map(claims.map((claim) => [claim.id, wordsOf(claim)]))
  return [
    ...read.charges.flatMap((charges) => tellTerms(charges, words)),
    ...read.passedOver.map(({ why, isUndecided }) => `${isUndecided ? 'undecided' : 'passed over'}: ${why}`),
    ...tellReported(read),
  ]
}

function tellTerms(charges: TermsCharges, words: ReadonlyMap<string, string>): readonly string[] {
  const { terms, start, stop, missing, days, lastFreeDay, owed, forecast, avoidable } = charges
  const head = `terms ${terms.code} version ${terms.version}: ${terms.kind} by ${terms.chargedBy}, ${terms.origin}`
  if (missing !== null) return [head, `missing ${missing}`]
  return [
    head,
    `starts ${start?.day} ${words.get(start?.claimId ?? '')}`,
    ...days.map((day) => tellDay(day, words)),
    ...(stop === null ? [] : [`stops ${stop.day} ${words.get(stop.claimId)}`]),
    `last free day ${lastFreeDay?.day ?? '-'}${lastFreeDay?.until ? ` until ${lastFreeDay.until}` : ''}`,
    `owed ${tellBill(owed)}`,
    ...(stop === null ? [`forecast ${tellBill(forecast)}, avoidable ${tellMoney(avoidable)}`] : []),
  ]
}

function tellDay(day: DayStatement, words: ReadonlyMap<string, string>): string {
  const ahead = day.isAhead ? 'ahead ' : ''
  const amount = day.amount === null ? '' : ` ${writeMoney(day.amount)}`
  const claim = day.claimIds.at(-1) ?? ''
  const said = describeReason(day).replace(claim, words.get(claim) ?? claim)
  return `${day.on} ${weekdayOf(day.on)} ${ahead}${day.outcome}${amount}: ${said}`
}

function tellBill(bill: Bill): string {
  const { chargedDays, unpricedDays, unknownDays } = sumBills([bill])
  const days = bill.lines.map((line) => `${line.days} x ${line.rate === null ? '?' : writeMoney(line.rate)}`)
  const unpriced = unpricedDays > 0 ? ` and ${unpricedDays} days at unknown rates` : ''
  const unknown = unknownDays > 0 ? ` and ${unknownDays} unknown days` : ''
  return `${tellMoney(bill.totals)} for ${chargedDays} days${days.length > 0 ? ` (${days.join(', ')})` : ''}${unpriced}${unknown}`
}

function tellMoney(totals: readonly Money[]): string {
  return totals.length === 0 ? '0' : totals.map(writeMoney).join(' + ')
}

function tellReported({ reported, differences }: ContainerCharges): readonly string[] {
  const said = reported.map(
    ({ of, day, source, isBelieved }) =>
      `reported ${of} ${day} by ${source.kind}:${source.code}${isBelieved ? '' : ', not believed'}`,
  )
  const differs = differences.map(
    ({ of, terms, calculated, reported: day }) =>
      `differs: ${of} reports ${day}, terms ${terms.code} version ${terms.version} give ${calculated}`,
  )
  return [...said, ...differs]
}

/** The claim as a line of the notation, without the times of the record. */
function wordsOf({ source, observation }: Claim): string {
  const timeZoneOf = (code: string) => zones.get(code) ?? null
  return writeObservation(observation, source, { timeZoneOf, equipment: observation.equipment })
}
