/** The result of our own statements for one day that an invoice charges: agreed, disputed, or unknown. */

import { type DayStatement, describeReason, eventLabels } from './day-statement.ts'
import type { Invoice } from './invoice.ts'
import { type Money, writeMoney } from './money.ts'
import type { ContainerCharges, TermsCharges } from './read-charges.ts'
import type { ChargeTerms } from './terms.ts'

export const dayFindings = ['agrees', 'disputed', 'unknown'] as const

/** The closed list of why a day was found so. */
export const findingReasons = [
  'charged',
  'lower_rate',
  'free',
  'not_counted',
  'before_start',
  'after_stop',
  'charged_twice',
  'charged_before',
  'rate_unknown',
  'other_currency',
  'day_unknown',
  'not_begun',
  'container_unknown',
  'container_of_other_bill',
  'terms_unknown',
  'clock_unknown',
] as const

export interface DayJudgement {
  readonly finding: (typeof dayFindings)[number]
  readonly reason: (typeof findingReasons)[number]
  readonly sentence: string
  /** The cost of the day by our terms; null when we do not know, zero is never written. */
  readonly amount: Money | null
  readonly claimIds: readonly string[]
  readonly statement: DayStatement | null
}

/** What is known about the container of a line: its charges, or why it is not certain which container it is. */
export type ResolvedContainer = { readonly charges: ContainerCharges } | 'unknown' | 'of_other_bill'

export function createDayJudge(resolved: ResolvedContainer, invoice: Invoice): (day: string) => DayJudgement {
  if (resolved === 'unknown')
    return () => unknownJudgement('container_unknown', 'No container of this account is certainly the one meant.')
  if (resolved === 'of_other_bill')
    return () =>
      unknownJudgement('container_of_other_bill', 'We know this container under another bill than the invoice names.')
  const { charges } = resolved
  const appliesToInvoice = (terms: ChargeTerms) => matchesInvoice(terms, invoice)
  const [found, ...others] = charges.charges.filter(({ terms }) => appliesToInvoice(terms))
  const isUndecided = charges.passedOver.some((each) => each.isUndecided && appliesToInvoice(each.terms))
  if (isUndecided || others.length > 0)
    return () => unknownJudgement('terms_unknown', 'It is not certain which of the terms on record count.')
  if (found === undefined) return () => unknownJudgement('terms_unknown', 'No terms on record count for this charge.')
  const { missing } = found
  if (missing !== null)
    return () => unknownJudgement('clock_unknown', `No day can be counted: ${missing.replaceAll('_', ' ')} is missing.`)
  const statements = new Map(found.days.map((day) => [day.on, day]))
  return (day) => {
    const statement = statements.get(day)
    return statement === undefined ? judgeDayOutsideClock(found, day) : judgeStatement(statement)
  }
}

/** Combined terms count for demurrage and for detention. */
function matchesInvoice(terms: ChargeTerms, { kind, chargedBy, chargerCode }: Invoice): boolean {
  const isKind = terms.kind === kind || (terms.kind === 'combined' && (kind === 'demurrage' || kind === 'detention'))
  const isCharger = chargerCode === null || terms.chargerCode === null || terms.chargerCode === chargerCode
  return isKind && terms.chargedBy === chargedBy && isCharger
}

function judgeStatement(statement: DayStatement): DayJudgement {
  const { outcome, amount, claimIds, isAhead } = statement
  const base = { sentence: describeReason(statement), amount, claimIds, statement }
  if (isAhead) return { ...base, finding: 'unknown', reason: 'not_begun' }
  if (outcome === 'unknown') return { ...base, finding: 'unknown', reason: 'day_unknown' }
  if (outcome !== 'charged') return { ...base, finding: 'disputed', reason: outcome }
  return { ...base, finding: 'agrees', reason: 'charged' }
}

function judgeDayOutsideClock({ start, stop }: TermsCharges, day: string): DayJudgement {
  const nothing = { amount: null, statement: null }
  if (start !== null && day < start.day)
    return {
      ...nothing,
      finding: 'disputed',
      reason: 'before_start',
      sentence: `The clock starts on ${start.day}, by ${eventLabels[start.event]}.`,
      claimIds: [start.claimId],
    }
  if (stop !== null && day > stop.day)
    return {
      ...nothing,
      finding: 'disputed',
      reason: 'after_stop',
      sentence: `The clock stopped on ${stop.day}, by ${eventLabels[stop.event]}.`,
      claimIds: [stop.claimId],
    }
  return unknownJudgement('day_unknown', 'This day is beyond those that were counted.')
}

function unknownJudgement(reason: DayJudgement['reason'], sentence: string): DayJudgement {
  return { finding: 'unknown', reason, sentence, amount: null, claimIds: [], statement: null }
}

/** A day that both sides charge, at the rate of the invoice. A lower price than ours is no error. */
export function judgeRate(view: DayJudgement, billed: Money | null): DayJudgement {
  if (view.reason !== 'charged' || billed === null) return view
  const { amount } = view
  if (amount === null) return { ...view, finding: 'unknown', reason: 'rate_unknown' }
  if (amount.currency !== billed.currency) return { ...view, finding: 'unknown', reason: 'other_currency' }
  if (amount.minor >= billed.minor) return view
  const sentence = `${view.sentence.slice(0, -1)}; the invoice takes ${writeMoney(billed)}.`
  return { ...view, finding: 'disputed', reason: 'lower_rate', sentence }
}
