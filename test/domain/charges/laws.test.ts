/** Laws of charges that hold for all terms, calendars and containers. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sumByCurrency } from '../../../src/domain/charges/bill.ts'
import { describeReason } from '../../../src/domain/charges/day-statement.ts'
import { parseMoney, writeAmount } from '../../../src/domain/charges/money.ts'
import { readCalendars } from '../../../src/domain/charges/read-calendars.ts'
import { calculateCharges } from '../../../src/domain/charges/read-charges.ts'
import { readTerms } from '../../../src/domain/charges/read-terms.ts'
import { openTermsBook } from '../../../src/domain/charges/terms-book.ts'
import type { FactClaim } from '../../../src/domain/journey/trip.ts'
import { addDays } from '../../../src/domain/values/time.ts'
import { chargedBox, happened } from '../../support/charged-box.ts'
import { versionsOf } from '../../support/told-charges.ts'

const instant = fc
  .integer({ min: Date.parse('2026-02-20T00:00Z'), max: Date.parse('2026-03-20T00:00Z') })
  .map((ms) => new Date(ms).toISOString())

const termsRow = fc.record({
  code: fc.constantFrom('a', 'b', 'c'),
  origin: fc.constantFrom('contract', 'tariff'),
  kind: fc.constantFrom('demurrage', 'storage', 'combined', 'detention'),
  charged_by: fc.constantFrom('line', 'terminal'),
  currency: fc.constantFrom('USD', 'JPY'),
  calendar: fc.constant('cal'),
  start: fc.constantFrom('vessel_discharged', 'available_at_port'),
  start_first_full_day: fc.constantFrom('yes', 'no'),
  start_offset: fc.constantFrom('0', '1', '2'),
  start_on_working_day: fc.constantFrom('yes', 'no'),
  stop: fc.constantFrom('full_out', 'empty_in'),
  stop_day_counts: fc.constantFrom('yes', 'no'),
  free: fc.integer({ min: 0, max: 9 }).map(String),
  free_unit: fc.constantFrom('calendar_days', 'working_days', 'hours'),
  charged_unit: fc.constantFrom('calendar_days', 'working_days'),
  tiers: fc.constantFrom('1-:100', '1-3:100 4-:250', '1-2:? 3-:7'),
  stops_for: fc.constantFrom('', 'any_hold', 'hold:customs closure', 'not_available'),
  stopped_day: fc.constantFrom('touched', 'whole'),
  locked_by: fc.constantFrom('clock_start', 'each_day'),
  valid_from: fc.constantFrom('', '2026-03-01'),
  valid_to: fc.constantFrom('', '2026-04-30'),
  source: fc.constant('Invented'),
})

const calendar = fc
  .record({
    weekend: fc.constantFrom('sat sun', 'sun', 'fri'),
    off: fc.uniqueArray(fc.integer({ min: 0, max: 40 }), { maxLength: 6 }),
    zone: fc.constantFrom('America/Los_Angeles', 'Pacific/Auckland', 'Europe/Berlin'),
  })
  .map(({ weekend, off, zone }) => [
    { code: 'cal', entry: 'zone', on: '', value: zone },
    { code: 'cal', entry: 'weekend', on: '', value: weekend },
    ...off.map((days, index) => ({
      code: 'cal',
      entry: index % 2 === 0 ? 'holiday' : 'closure',
      on: addDays('2026-02-20', days),
      value: 'Off',
    })),
  ])

const hold = fc.record({
  name: fc.constantFrom('customs' as const, 'freight' as const),
  status: fc.constantFrom('hold' as const, 'released' as const, 'pending' as const),
  at: instant,
})

const world = fc
  .record({
    rows: fc.array(termsRow, { minLength: 1, maxLength: 4 }),
    calendar,
    holds: fc.array(hold, { maxLength: 5 }),
    discharged: instant,
    available: fc.option(instant),
    out: fc.option(fc.integer({ min: 0, max: 20 })),
    now: instant,
    later: fc.integer({ min: 0, max: 30 }),
  })
  .map(({ rows, calendar: calendarRows, holds, discharged, available, out, now, later }) => {
    const terms = rows.map((row) => {
      const read = readTerms(row)
      assert.ok(read.ok, JSON.stringify(read))
      return read.value
    })
    const calendars = readCalendars(calendarRows)
    assert.ok(calendars.ok)
    const book = openTermsBook(versionsOf(terms), versionsOf(calendars.value))
    const milestones = [
      happened('vessel_discharged', { kind: 'instant', at: discharged }, 'discharge'),
      ...(available === null || available < discharged
        ? []
        : [happened('available', { kind: 'instant', at: available }, 'available')]),
      ...(out === null
        ? []
        : [
            happened(
              'full_out',
              {
                kind: 'instant',
                at: addDays(available !== null && available > discharged ? available : discharged, out),
              },
              'out',
            ),
          ]),
    ]
    const words = holds.map(
      ({ name, status, at }, index): FactClaim => ({
        id: `hold-${index}`,
        source: { kind: 'terminal', code: 'Y258' },
        observation: {
          kind: 'fact',
          fact: 'hold',
          key: `hold-${index}`,
          equipment: 'TCNU1234565',
          statedAt: at,
          isRetracted: false,
          value: { name, status, description: null },
        },
        readAt: at,
        recordedAt: at,
        standsAt: at,
        hand: 'first',
        deliveryKey: null,
        retiredAt: null,
      }),
    )
    return { book, box: chargedBox(milestones, { holdClaims: words }), now, later }
  })

type World = typeof world extends fc.Arbitrary<infer Given> ? Given : never
const holdsFor = (check: (given: World) => void) => fc.assert(fc.property(world, check), { numRuns: 300 })

test('lists each day at most once per terms, without a gap, and the days add up to the totals', () =>
  holdsFor(({ book, box: container, now }) => {
    const { charges } = calculateCharges(container, book, { now, until: '2026-04-10' })
    for (const { days, forecast, owed } of charges) {
      for (const [index, { on }] of days.entries())
        if (index > 0) assert.equal(on, addDays(days[index - 1]?.on ?? '', 1))
      assert.deepEqual(forecast.totals, sumByCurrency(days.map(({ amount }) => amount)))
      assert.deepEqual(owed.totals, sumByCurrency(days.filter(({ isAhead }) => !isAhead).map(({ amount }) => amount)))
      for (const bill of [forecast, owed]) {
        assert.deepEqual(bill.totals, sumByCurrency(bill.lines.map(({ amount }) => amount)))
        assert.ok(bill.totals.every(({ minor }) => Number.isSafeInteger(minor)))
      }
      assert.equal(forecast.chargedDays, days.filter(({ outcome }) => outcome === 'charged').length)
    }
  }))

test('the order of statements, terms and calendars does not change the charges', () =>
  holdsFor(({ book, box: container, now }) => {
    const requested = { now, until: '2026-04-10' }
    const turned = {
      ...container,
      holdWords: container.holdClaims.toReversed(),
      facts: container.facts.toReversed(),
    }
    const bookTurned = openTermsBook(book.series.flat().toReversed(), [...book.calendars.values()].toReversed())
    assert.deepEqual(
      calculateCharges(turned, bookTurned, requested).charges,
      calculateCharges(container, book, requested).charges,
    )
  }))

test('law: a later calculation of charges changes no day that was already past', () =>
  holdsFor(({ book, box: container, now, later }) => {
    const until = '2026-05-10'
    const read = (at: string) => calculateCharges(container, book, { now: at, until }).charges
    const [before, after] = [read(now), read(addDays(now, later))]
    assert.equal(before.length, after.length)
    for (const [index, { days, lastFreeDay }] of before.entries()) {
      const over = days.filter(({ isAhead }) => !isAhead)
      assert.deepEqual(after[index]?.days.slice(0, over.length), over)
      assert.deepEqual(after[index]?.lastFreeDay, lastFreeDay)
    }
  }))

test('no day up to the last free day is charged, and each day has a reason and the claim that starts the clock', () =>
  holdsFor(({ book, box: container, now }) => {
    const { charges } = calculateCharges(container, book, { now, until: '2026-04-10' })
    for (const { days, lastFreeDay, start } of charges)
      for (const day of days) {
        if (day.outcome === 'charged' && lastFreeDay !== null)
          assert.ok(day.on > lastFreeDay.day || lastFreeDay.until !== null)
        assert.equal(day.claimIds[0], start?.claimId)
        assert.match(describeReason(day), /^[A-Z].*\.$/)
      }
  }))

test('never applies combined terms together with demurrage or detention terms', () =>
  holdsFor(({ book, box: container, now }) => {
    const { charges } = calculateCharges(container, book, { now, until: '2026-04-10' })
    const kinds = charges.map(({ terms }) => `${terms.chargedBy} ${terms.kind}`)
    assert.equal(new Set(kinds).size, kinds.length)
    for (const charger of ['line', 'terminal'])
      if (kinds.includes(`${charger} combined`))
        assert.ok(!kinds.includes(`${charger} demurrage`) && !kinds.includes(`${charger} detention`))
  }))

test('writes an amount of money and reads back the same minor units', () =>
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 1_000_000_000 }),
      fc.constantFrom('USD', 'JPY', 'KWD', 'CLF'),
      (minor, currency) =>
        assert.deepEqual(parseMoney(writeAmount({ minor, currency }), currency), { minor, currency }),
    ),
  ))
