/**
 * The tally of one container: its charges by all terms that count, as runs of equal days up to a horizon. It is small.
 * Sums over many containers are made of tallies, and two tallies show which changes have another cause than time.
 */

import { addDays, compareInstants, localDateIn } from '../values/time.ts'
import { type Bill, subtractBill, sumBills, sumByCurrency } from './bill.ts'
import { slotOf } from './choose-terms.ts'
import { boundsOf } from './clock.ts'
import { type DayStatement, describeReason } from './day-statement.ts'
import type { MissingReason } from './evidence.ts'
import type { LastFreeDay } from './last-free-day.ts'
import type { Money } from './money.ts'
import type { ContainerCharges, TermsCharges } from './read-charges.ts'
import type { ChargeKind, Charger } from './terms.ts'

/** How many days have this outcome, and what each of them costs. Null: no charged day, or a rate that is not known. */
export type DayRun = readonly [outcome: DayStatement['outcome'], days: number, each: Money | null]

export const tallyPhases = ['unknown', 'free', 'charged', 'stopped'] as const
export type TallyPhase = (typeof tallyPhases)[number]

export interface TermsTally {
  /** Terms of one slot are about the same days, so the next terms of a slot replace these. */
  readonly slot: string
  readonly code: string
  readonly version: number
  readonly kind: ChargeKind
  readonly chargedBy: Charger
  readonly chargerCode: string | null
  readonly currency: string
  readonly recordedAt: string
  readonly missing: MissingReason | null
  readonly phase: TallyPhase
  /** The zone of the days. */
  readonly zone: string | null
  /** The day of the first run; null when nothing is counted. */
  readonly from: string | null
  readonly runs: readonly DayRun[]
  readonly stoppedOn: string | null
  readonly lastFreeDay: LastFreeDay | null
  /** When the first charged day begins; null when there is none up to the horizon. */
  readonly chargedFrom: { readonly day: string; readonly at: string } | null
  /** Why the last day that has begun is what it is. */
  readonly sentence: string | null
  readonly claimIds: readonly string[]
}

export interface ContainerTally {
  /** The last day that was counted, where the clock runs. */
  readonly horizon: string
  readonly terms: readonly TermsTally[]
  /** Whether some terms depend on unknown properties of the container. */
  readonly isUndecided: boolean
}

/** `horizon`: the day until which `charges` were read. */
export function tallyOf(
  { charges, passedOver }: ContainerCharges,
  { now, horizon }: { readonly now: string; readonly horizon: string },
): ContainerTally {
  return {
    horizon,
    terms: charges.map((each) => tallyTerms(each, now)).toSorted((a, b) => (a.slot < b.slot ? -1 : 1)),
    isUndecided: passedOver.some(({ isUndecided }) => isUndecided),
  }
}

function tallyTerms(charges: TermsCharges, now: string): TermsTally {
  const { terms, start, stop, days, lastFreeDay, missing } = charges
  const zone = start?.zone ?? null
  const first = days.find(({ outcome }) => outcome === 'charged')?.on ?? null
  const chargedFrom = first === null ? null : { day: first, at: findChargedDayStart(first, zone, lastFreeDay) }
  const latestDay = days.findLast(({ isAhead }) => !isAhead) ?? null
  return {
    slot: slotOf(terms),
    code: terms.code,
    version: terms.version,
    kind: terms.kind,
    chargedBy: terms.chargedBy,
    chargerCode: terms.chargerCode,
    currency: terms.currency,
    recordedAt: terms.recordedAt,
    missing,
    phase:
      missing !== null
        ? 'unknown'
        : stop !== null
          ? 'stopped'
          : chargedFrom !== null && compareInstants(chargedFrom.at, now) <= 0
            ? 'charged'
            : 'free',
    zone,
    from: days[0]?.on ?? null,
    runs: runsOf(days),
    stoppedOn: stop?.day ?? null,
    lastFreeDay,
    chargedFrom,
    sentence: latestDay === null ? null : describeReason(latestDay),
    claimIds: latestDay?.claimIds ?? (start === null ? [] : [start.claimId]),
  }
}

/** Hours that end within the first charged day: it costs from then on. */
function findChargedDayStart(day: string, zone: string | null, lastFreeDay: LastFreeDay | null): string {
  if (lastFreeDay?.day === day && lastFreeDay.until !== null) return lastFreeDay.until
  return new Date(boundsOf(day, zone).fromMs).toISOString()
}

function runsOf(days: readonly DayStatement[]): readonly DayRun[] {
  const runs: [DayStatement['outcome'], number, Money | null][] = []
  for (const { outcome, amount } of days) {
    const last = runs.at(-1)
    const isSame =
      last !== undefined &&
      last[0] === outcome &&
      last[2]?.minor === amount?.minor &&
      last[2]?.currency === amount?.currency
    if (isSame) last[1] += 1
    else runs.push([outcome, 1, amount])
  }
  return runs
}

/** The runs of the days up to this one. */
export function runsUntil({ from, runs }: Pick<TermsTally, 'from' | 'runs'>, until: string): readonly DayRun[] {
  let remaining = from === null ? 0 : daysFrom(from, until)
  const cut: DayRun[] = []
  for (const [outcome, days, each] of runs) {
    if (remaining <= 0) break
    cut.push([outcome, Math.min(days, remaining), each])
    remaining -= days
  }
  return cut
}

const dayMs = 86_400_000

/** Both included. */
function daysFrom(from: string, until: string): number {
  return (Date.parse(until) - Date.parse(from)) / dayMs + 1
}

/**
 * The cost of one container or of many: until today, until a later day, and the part of it that is saved if all clocks
 * stop today.
 */
export interface ChargeSums {
  readonly owed: BillSum
  readonly forecast: BillSum
  readonly avoidable: readonly Money[]
}
export type BillSum = ReturnType<typeof sumBills>

export function calculateChargeSums(
  terms: Pick<TermsTally, 'from' | 'runs' | 'zone'>,
  { now, until }: { readonly now: string; readonly until: string },
): ChargeSums {
  const today = localDateIn(now, terms.zone)
  const owed = billUntil(terms, today)
  const forecast = billUntil(terms, laterDay(until, today))
  return { owed, forecast, avoidable: subtractBill(asBill(forecast), asBill(owed)) }
}

function billUntil(terms: Pick<TermsTally, 'from' | 'runs'>, until: string): BillSum {
  let [chargedDays, unpricedDays, unknownDays] = [0, 0, 0]
  const amounts: Money[] = []
  for (const [outcome, days, each] of runsUntil(terms, until)) {
    if (outcome === 'unknown') unknownDays += days
    if (outcome !== 'charged') continue
    chargedDays += days
    if (each === null) unpricedDays += days
    else amounts.push({ minor: each.minor * days, currency: each.currency })
  }
  return { totals: sumByCurrency(amounts), chargedDays, unpricedDays, unknownDays }
}

export function addChargeSums(all: readonly ChargeSums[]): ChargeSums {
  return {
    owed: sumBills(all.map(({ owed }) => asBill(owed))),
    forecast: sumBills(all.map(({ forecast }) => asBill(forecast))),
    avoidable: sumByCurrency(all.flatMap(({ avoidable }) => avoidable)),
  }
}

function asBill(sum: BillSum): Bill {
  return { ...sum, lines: [] }
}

function laterDay(a: string, b: string): string {
  return a > b ? a : b
}

/** The rate of the current day, or of the first charged day when that is still to come. Null: not known. */
export function rateOn(terms: TermsTally, now: string): Money | null {
  if (terms.from === null || terms.chargedFrom === null) return null
  const today = localDateIn(now, terms.zone)
  const first = terms.chargedFrom.day
  const last = runsUntil(terms, laterDay(today, first)).findLast(([outcome]) => outcome === 'charged')
  return last?.[2] ?? null
}

/** When something changes by itself: the first charged day begins, or the horizon comes near. Null: nothing does. */
export function findNextTallyTime({ horizon, terms }: ContainerTally): string | null {
  const running = terms.filter(({ missing, stoppedOn }) => missing === null && stoppedOn === null)
  if (running.length === 0) return null
  const begins = running.flatMap(({ phase, chargedFrom }) =>
    phase === 'free' && chargedFrom !== null ? [chargedFrom.at] : [],
  )
  const again = `${addDays(horizon, -daysSure)}T00:00:00.000Z`
  return [...begins, again].toSorted(compareInstants)[0] ?? null
}

/** A tally is read until so many days ahead, and read again while this many are left, so a forecast may go that far. */
export const daysRead = 120
export const daysSure = 62
