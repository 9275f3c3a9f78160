/** The charges of a container as JSON: of each terms the days with their reasons, the bill, and the last free days. */

import * as schema from '../../api/shape/schema.ts'
import type { Bill } from '../../domain/charges/bill.ts'
import { type DayStatement, dayOutcomes, dayReasons, describeReason } from '../../domain/charges/day-statement.ts'
import { type ClockMoment, missingReasons } from '../../domain/charges/evidence.ts'
import type { TermsCharges } from '../../domain/charges/read-charges.ts'
import { reportedOf } from '../../domain/charges/reported.ts'
import { chargeKinds, chargers, clockEvents, termsOrigins } from '../../domain/charges/terms.ts'
import { Type } from '../../platform/json-schema.ts'
import { money, moneyOrNull, sums, writeMoney, writeSum } from './charge-parts-resource.ts'
import type { ChargesReading } from './get-charges.ts'

const day = schema.text({ format: 'date' })
const version = schema.object({ code: schema.text(), version: Type.Integer({ minimum: 1 }) })
const versionOrNull = schema.anyOf([version, schema.nothing()])
const moment = schema.anyOf([
  schema.object({ event: schema.oneOf(clockEvents), day, claim_id: schema.text() }),
  schema.nothing(),
])
const bill = schema.object({
  ...sums,
  lines: schema.list(
    schema.object({
      terms: version,
      tier: Type.Integer({ minimum: 1 }),
      days: Type.Integer({ minimum: 0 }),
      rate: moneyOrNull,
      amount: moneyOrNull,
    }),
  ),
})
const statement = schema.object({
  on: day,
  outcome: schema.oneOf(dayOutcomes),
  reason: schema.oneOf(dayReasons),
  sentence: schema.text(),
  amount: moneyOrNull,
  terms: version,
  calendar: versionOrNull,
  claim_ids: schema.texts(),
  is_ahead: Type.Boolean({ description: 'True: the day has not begun. This is the forecast if nothing happens.' }),
})
const charges = schema.object({
  terms: version,
  origin: schema.oneOf(termsOrigins),
  kind: schema.oneOf(chargeKinds),
  charged_by: schema.oneOf(chargers),
  charger_code: schema.textOrNull(),
  missing: schema.oneOfOrNull(missingReasons, {
    description: 'Why no day can be counted; null if days are counted.',
  }),
  start: moment,
  stop: moment,
  last_free_day: schema.dayOrNull(),
  free_until: schema.instantOrNull({ description: 'Where free time ends within the last free day.' }),
  days: schema.list(statement),
  owed: bill,
  forecast: bill,
  avoidable: schema.list(money, { description: 'Amount that is saved if the clock stops today.' }),
})

export const containerChargesSchema = schema.object({
  data: schema.object({
    id: schema.id({ description: 'Of the container.' }),
    type: schema.constant('container_charges'),
    attributes: schema.object({
      as_of: schema.instant(),
      until: day,
      charges: schema.list(charges),
      passed_over: schema.list(
        schema.object({
          terms: version,
          is_undecided: Type.Boolean({
            description: 'True: the terms depend on a property of the container that is not known.',
          }),
          why: schema.text(),
        }),
      ),
      reported: schema.list(
        schema.object({
          of: schema.oneOf(reportedOf, { description: 'Whose free time; `return`: of the empty container.' }),
          day,
          source: schema.object({ kind: schema.text(), code: schema.text() }),
          claim_id: schema.text(),
          is_believed: Type.Boolean(),
        }),
      ),
      differences: schema.list(
        schema.object({
          of: schema.oneOf(reportedOf),
          terms: version,
          calculated: day,
          reported: day,
          claim_id: schema.text(),
        }),
        { description: 'Reported last free days that differ from those of the terms.' },
      ),
    }),
  }),
})

export function writeContainerCharges(id: string, reading: ChargesReading): object {
  const { now, until, charges: all, passedOver, reported, differences } = reading
  const attributes = {
    as_of: now,
    until,
    charges: all.map(writeCharges),
    passed_over: passedOver.map(({ terms, isUndecided, why }) => ({
      terms: { code: terms.code, version: terms.version },
      is_undecided: isUndecided,
      why,
    })),
    reported: reported.map(({ of, day: on, source, claimId, isBelieved }) => ({
      of,
      day: on,
      // A person is shown as such; the statements of the container show who it was.
      source: { kind: source.kind, code: source.code },
      claim_id: claimId,
      is_believed: isBelieved,
    })),
    differences: differences.map(({ claimId, ...rest }) => ({ ...rest, claim_id: claimId })),
  }
  return { data: { id, type: 'container_charges', attributes } }
}

function writeCharges(each: TermsCharges): object {
  const { terms, lastFreeDay } = each
  return {
    terms: { code: terms.code, version: terms.version },
    origin: terms.origin,
    kind: terms.kind,
    charged_by: terms.chargedBy,
    charger_code: terms.chargerCode,
    missing: each.missing,
    start: writeMoment(each.start),
    stop: writeMoment(each.stop),
    last_free_day: lastFreeDay?.day ?? null,
    free_until: lastFreeDay?.until ?? null,
    days: each.days.map(writeDay),
    owed: writeBill(each.owed),
    forecast: writeBill(each.forecast),
    avoidable: each.avoidable.map(writeMoney),
  }
}

function writeMoment(found: ClockMoment | null): object | null {
  return found && { event: found.event, day: found.day, claim_id: found.claimId }
}

function writeDay(dayStatement: DayStatement): object {
  return {
    on: dayStatement.on,
    outcome: dayStatement.outcome,
    reason: dayStatement.reason.kind,
    sentence: describeReason(dayStatement),
    amount: dayStatement.amount && writeMoney(dayStatement.amount),
    terms: dayStatement.terms,
    calendar: dayStatement.calendar,
    claim_ids: dayStatement.claimIds,
    is_ahead: dayStatement.isAhead,
  }
}

function writeBill(bill: Bill): object {
  return {
    ...writeSum(bill),
    lines: bill.lines.map(({ terms, tier, days, rate, amount }) => ({
      terms,
      tier,
      days,
      rate: rate && writeMoney(rate),
      amount: amount && writeMoney(amount),
    })),
  }
}
