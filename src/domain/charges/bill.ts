/** The bill of counted days: a line for each tier, and totals in whole minor units for each currency. */

import type { DayStatement } from './day-statement.ts'
import type { Money } from './money.ts'

export interface BillLine {
  readonly terms: { readonly code: string; readonly version: number }
  readonly tier: number
  readonly days: number
  /** Null: a rate that nobody has given us. */
  readonly rate: Money | null
  readonly amount: Money | null
}

export interface Bill {
  readonly lines: readonly BillLine[]
  /** In order of the currency's code. Empty when nothing with a known rate is charged. */
  readonly totals: readonly Money[]
  readonly chargedDays: number
  /** Days that are charged at a rate that is not known: the totals are without them. */
  readonly unpricedDays: number
  /** Days of which it is unknown whether they are charged. */
  readonly unknownDays: number
}

export const emptyBill: Bill = { lines: [], totals: [], chargedDays: 0, unpricedDays: 0, unknownDays: 0 }

export function billOf(days: readonly DayStatement[]): Bill {
  const lines = new Map<string, { -readonly [Name in keyof BillLine]: BillLine[Name] }>()
  let [chargedDays, unpricedDays, unknownDays] = [0, 0, 0]
  for (const { outcome, reason, amount, terms } of days) {
    if (outcome === 'unknown') unknownDays += 1
    if (reason.kind !== 'tier') continue
    chargedDays += 1
    if (amount === null) unpricedDays += 1
    const key = `${terms.code} ${terms.version} ${reason.tier}`
    const line = lines.get(key)
    if (line === undefined) lines.set(key, { terms, tier: reason.tier, days: 1, rate: reason.rate, amount })
    else {
      line.days += 1
      line.amount = line.amount === null || amount === null ? null : addMoney(line.amount, amount)
    }
  }
  const billed = [...lines.values()]
  return {
    lines: billed,
    totals: sumByCurrency(billed.map(({ amount }) => amount)),
    chargedDays,
    unpricedDays,
    unknownDays,
  }
}

function addMoney(a: Money, b: Money): Money {
  const minor = a.minor + b.minor
  if (!Number.isSafeInteger(minor)) throw new Error('a sum of money that is too large to be exact')
  return { minor, currency: a.currency }
}

/** One sum for each currency. Sums of different currencies are never added up. */
export function sumByCurrency(amounts: readonly (Money | null)[]): readonly Money[] {
  const sums = new Map<string, Money>()
  for (const amount of amounts) {
    if (amount === null) continue
    const sum = sums.get(amount.currency)
    sums.set(amount.currency, sum === undefined ? amount : addMoney(sum, amount))
  }
  return [...sums.values()].toSorted((a, b) => (a.currency < b.currency ? -1 : 1))
}

/** What the later bill has more than the earlier one of the same days; nothing where they are equal. */
export function subtractBill(later: Bill, earlier: Bill): readonly Money[] {
  return later.totals.flatMap(({ minor, currency }) => {
    const before = earlier.totals.find((total) => total.currency === currency)?.minor ?? 0
    return minor === before ? [] : [{ minor: minor - before, currency }]
  })
}

/** The sum of the bills of many containers: of a shipment, a customer or all. */
export function sumBills(bills: readonly Bill[]): Omit<Bill, 'lines'> {
  let [chargedDays, unpricedDays, unknownDays] = [0, 0, 0]
  for (const bill of bills) {
    chargedDays += bill.chargedDays
    unpricedDays += bill.unpricedDays
    unknownDays += bill.unknownDays
  }
  return {
    totals: sumByCurrency(bills.flatMap(({ totals }) => totals)),
    chargedDays,
    unpricedDays,
    unknownDays,
  }
}
