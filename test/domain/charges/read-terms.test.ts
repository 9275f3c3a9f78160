/** Terms and calendars from rows: which rows are valid, and how each error is reported. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCalendars } from '../../../src/domain/charges/read-calendars.ts'
import { readTerms, termsFields } from '../../../src/domain/charges/read-terms.ts'

const good = {
  code: 'acme',
  origin: 'contract',
  kind: 'demurrage',
  charged_by: 'line',
  currency: 'USD',
  start: 'vessel_discharged',
  stop: 'full_out',
  free: '4',
  free_unit: 'calendar_days',
  tiers: '1-4:150.00 5-:200',
  source: 'Contract 17',
}

test('reads a valid row, with its amounts in minor units', () => {
  const read = readTerms(good)
  assert.ok(read.ok)
  assert.deepEqual(read.value.tiers, [
    { from: 1, to: 4, rate: { minor: 15_000, currency: 'USD' } },
    { from: 5, to: null, rate: { minor: 20_000, currency: 'USD' } },
  ])
  assert.equal(read.value.lockedBy, 'clock_start')
})

const wrong: readonly (readonly [string, Readonly<Record<string, string>>, string])[] = [
  ['no code', { code: '' }, 'code'],
  ['a code with a blank', { code: 'a b' }, 'code'],
  ['an unknown kind', { kind: 'fine' }, 'kind'],
  ['an unknown currency', { currency: 'XQQ' }, 'currency'],
  ['a price with a comma', { tiers: '1-:150,00' }, 'tiers'],
  ['a price with too many digits', { tiers: '1-:150.005' }, 'tiers'],
  ['cents of yen', { currency: 'JPY', tiers: '1-:150.50' }, 'tiers'],
  ['a negative price', { tiers: '1-:-5' }, 'tiers'],
  ['a gap between tiers', { tiers: '1-3:100 5-:200' }, 'tiers'],
  ['tiers that overlap', { tiers: '1-3:100 3-:200' }, 'tiers'],
  ['no last tier', { tiers: '1-3:100' }, 'tiers'],
  ['two last tiers', { tiers: '1-:100 2-:200' }, 'tiers'],
  ['tiers that do not begin after free time', { tiers: '1-:100', tiers_count: 'all' }, 'tiers'],
  ['a price without a source', { source: '' }, 'source'],
  ['a free time that is not a number', { free: 'four' }, 'free'],
  ['a negative free time', { free: '-1' }, 'free'],
  ['a day that is none', { valid_from: '2026-02-30' }, 'valid_from'],
  ['an end before the start', { valid_from: '2026-02-02', valid_to: '2026-02-01' }, 'valid_to'],
  ['working days without a calendar', { free_unit: 'working_days' }, 'calendar'],
  ['a start by the position of a ship', { start: 'vessel_arrived' }, 'start'],
  ['a stop by the start', { stop: 'vessel_discharged' }, 'stop'],
  ['no stop', { stop: '' }, 'stop'],
  ['stated terms for all bills', { origin: 'stated' }, 'bills'],
  ['an invalid port code', { ports: 'Los Angeles' }, 'ports'],
  ['an unknown type of container', { equipment: 'dry_39' }, 'equipment'],
  ['a field that is none', { colour: 'red' }, 'colour'],
  ['a yes that is not written as "yes"', { withdrawn: 'true' }, 'withdrawn'],
]
for (const [what, fields, field] of wrong)
  test(`refuses a row with ${what} and names the field ${field}`, () => {
    const read = readTerms({ ...good, ...fields })
    assert.ok(!read.ok)
    assert.deepEqual(
      read.faults.map((fault) => fault.field),
      [field],
      JSON.stringify(read.faults),
    )
  })

test('reports all errors of a row together, each field once', () => {
  const read = readTerms({ colour: 'red' })
  assert.ok(!read.ok)
  const fields = read.faults.map(({ field }) => field)
  assert.equal(new Set(fields).size, fields.length)
  for (const needed of ['code', 'origin', 'kind', 'charged_by', 'currency', 'start', 'stop', 'free', 'tiers'])
    assert.ok(fields.includes(needed), needed)
  assert.ok(fields.every((field) => field === 'colour' || (termsFields as readonly string[]).includes(field)))
})

const calendarFaults: readonly (readonly [string, object, string])[] = [
  ['no code', { code: '' }, 'code'],
  ['a field that is none', { entry: 'zone', value: 'UTC', colour: 'red' }, 'colour'],
  ['an unknown entry', { entry: 'moon' }, 'entry'],
  ['an unknown time zone', { entry: 'zone', value: 'Los Angeles' }, 'value'],
  ['an unknown weekday', { entry: 'weekend', value: 'caturday' }, 'value'],
  ['a day that is none', { entry: 'holiday', on: '2026-02-30', value: 'X' }, 'on'],
  ['a holiday without a name', { entry: 'holiday', on: '2026-02-20', value: '' }, 'value'],
  ['hours that end before they begin', { entry: 'gate_hours', on: 'mon', value: '17:00-07:00' }, 'value'],
  ['hours of an unknown weekday', { entry: 'gate_hours', on: 'Monday', value: '07:00-17:00' }, 'on'],
]
for (const [what, row, field] of calendarFaults)
  test(`refuses a calendar with ${what} and names its row and field`, () => {
    const read = readCalendars([
      { code: 'us', entry: 'zone', on: '', value: 'America/Los_Angeles' },
      { code: 'us', on: '', value: '', entry: '', ...row },
    ])
    assert.ok(!read.ok)
    assert.deepEqual(
      read.faults.map((fault) => [fault.row, fault.field]),
      [[1, field]],
    )
  })

test('refuses a week without a working day', () => {
  const read = readCalendars([{ code: 'us', entry: 'weekend', on: '', value: 'sun mon tue wed thu fri sat' }])
  assert.ok(!read.ok)
})
