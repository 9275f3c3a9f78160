import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  addDays,
  addMs,
  assumedUtc,
  compareInstants,
  compareTimes,
  type EventTime,
  instantOf,
  localDateIn,
  localMidnight,
  msBetween,
  parseEventTime,
} from '../../../src/domain/values/time.ts'
import { isTimeZone, offsetMsAt } from '../../../src/domain/values/time-zone.ts'

const read: readonly (readonly [text: string, value: string, why: string])[] = [
  ['2026-01-29', 'day 2026-01-29', 'a day stays a day'],
  ['2024-02-29', 'day 2024-02-29', 'a leap day'],
  ['2000-02-29', 'day 2000-02-29', '2000 was a leap year'],
  ['2026-01-06T14:30:00', 'local 2026-01-06T14:30:00', 'no zone is invented'],
  ['2026-01-06T14:30', 'local 2026-01-06T14:30:00', 'without seconds'],
  ['2026-01-06T14:30:15.999', 'local 2026-01-06T14:30:15', 'wall clocks keep seconds'],
  ['2026-01-06T14:30:00Z', 'instant 2026-01-06T14:30:00.000Z', ''],
  ['2026-01-06T14:30Z', 'instant 2026-01-06T14:30:00.000Z', 'without seconds'],
  ['2026-01-06T14:30:00.5Z', 'instant 2026-01-06T14:30:00.500Z', 'tenths'],
  ['2026-01-06T14:30:00.123456789Z', 'instant 2026-01-06T14:30:00.123Z', 'finer than ms is cut off'],
  ['2026-01-06T14:30:00,250Z', 'instant 2026-01-06T14:30:00.250Z', 'the decimal comma of ISO 8601'],
  ['2026-01-06T14:30:00+08:00', 'instant 2026-01-06T06:30:00.000Z', ''],
  ['2026-01-06T14:30:00+0800', 'instant 2026-01-06T06:30:00.000Z', 'basic offset'],
  ['2026-01-06T14:30:00+08', 'instant 2026-01-06T06:30:00.000Z', 'hours only'],
  ['2026-01-06T14:30:00-0330', 'instant 2026-01-06T18:00:00.000Z', 'Newfoundland'],
  ['2026-01-06T14:30:00+05:45', 'instant 2026-01-06T08:45:00.000Z', 'Nepal'],
  ['2026-01-01T00:30:00+14:00', 'instant 2025-12-31T10:30:00.000Z', 'the easternmost offset'],
  ['2026-01-06T14:30:00-00:00', 'instant 2026-01-06T14:30:00.000Z', 'RFC 3339: UTC, place unknown'],
  ['2026-01-06t14:30:00z', 'instant 2026-01-06T14:30:00.000Z', 'RFC 3339: lower case'],
  ['2026-01-06 14:30:00Z', 'instant 2026-01-06T14:30:00.000Z', 'RFC 3339: a blank for T'],
  ['2026-01-06T24:00:00Z', 'instant 2026-01-07T00:00:00.000Z', 'ISO 8601: the end of the day'],
  ['2026-12-31T24:00', 'local 2027-01-01T00:00:00', 'the end of the year'],
  ['2028-02-28T24:00:00.000+08:00', 'instant 2028-02-28T16:00:00.000Z', 'before a leap day, with an offset'],
  ['2026-01-06T14:30:60Z', 'instant 2026-01-06T14:31:00.000Z', 'a leap second, or a clock that counts to 60'],
  ['2026-06-30T23:59:60.5Z', 'instant 2026-07-01T00:00:00.500Z', 'the leap second of a day'],
  ['2026-01-06T14', 'local 2026-01-06T14:00:00', 'an hour without minutes'],
  ['2026-01-06T14Z', 'instant 2026-01-06T14:00:00.000Z', 'the same with a zone'],
  ['2026-01-06T24', 'local 2026-01-07T00:00:00', 'the last hour without minutes'],
]

test('reads a time with its stated precision and zone', () => {
  for (const [text, value, why] of read) {
    const time = parseEventTime(text)
    assert.ok(time, `${text}: ${why}`)
    assert.equal(`${time.kind} ${write(time)}`, value, `${text}: ${why}`)
  }
})

function write(time: EventTime): string {
  return time.kind === 'instant' ? time.at : time.kind === 'local' ? time.local : time.on
}

const unreadable: readonly (readonly [text: string, why: string])[] = [
  ['', 'nothing'],
  ['2026-02-30', 'February has no 30th'],
  ['2026-02-29', 'nor a 29th in 2026'],
  ['2100-02-29', 'nor in 2100'],
  ['2026-04-31', ''],
  ['2026-13-01', ''],
  ['2026-00-10', ''],
  ['2026-01-00', ''],
  ['2026-01-06T24:01:00Z', 'no day is longer than 24 hours'],
  ['2026-01-06T24:00:60Z', ''],
  ['2026-01-06T25:00:00Z', ''],
  ['2199-12-31T24:00:00Z', 'the first moment of 2200'],
  ['2026-01-06T14:60:00Z', ''],
  ['2026-01-06T14:30:61Z', ''],
  ['2026-01-06T14:30:00+14:01', 'no place is further than 14 hours'],
  ['2026-01-06T14:30:00-23:00', ''],
  ['2026-01-06T14:30:00+08:60', ''],
  ['2026-01-06T14:30:00+8', ''],
  ['2026-01-06Z', 'a day with a zone is neither'],
  ['2026-1-6', ''],
  ['20260106', 'basic format: EDI readers know their own'],
  ['06/01/2026', 'day or month first?'],
  ['2026-W02-2', 'weeks'],
  ['0001-01-01T00:00:00Z', 'the placeholder of .NET'],
  ['9999-12-31', 'the placeholder of databases'],
  ['2026-01-06T14:30:00Z ', 'blank behind'],
  ['2026-01-06T14:30:00 Asia/Shanghai', ''],
  ['2026-01-06T14:30:00.Z', ''],
  ['٢٠٢٦-٠١-٠٦', 'other digits'],
  ['1736173800000', 'a number of milliseconds'],
  [`2026-01-06T14:30:00.${'0'.repeat(1000)}Z`, 'endless'],
]

test('refuses an invalid time, and never corrects it', () => {
  for (const [text, why] of unreadable) assert.equal(parseEventTime(text), null, `${text}: ${why}`)
})

test('reads any text as a valid time or as no time, without an exception', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.+Z-]*$/)), (text) => {
      const time = parseEventTime(text)
      return time === null || parseEventTime(write(time)) !== null
    }),
  )
})

test('an instant written in ISO form or with any UTC offset is read as the same instant', () => {
  fc.assert(
    fc.property(instants, fc.integer({ min: -840, max: 840 }), (at, offset) => {
      assert.deepEqual(parseEventTime(at), { kind: 'instant', at })
      const wall = addMs(at, offset * 60_000).slice(0, -1)
      const size = Math.abs(offset)
      const zone = `${offset < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`
      assert.deepEqual(parseEventTime(wall + zone), { kind: 'instant', at })
    }),
  )
})

function two(number: number): string {
  return String(number).padStart(2, '0')
}

const instants = fc
  .date({ min: new Date('1970-01-02'), max: new Date('2199-12-30'), noInvalidDate: true })
  .map((date) => date.toISOString())

const readings: readonly (readonly [text: string, zone: string | null, at: string, zoneUsed: string, why: string])[] = [
  ['2026-01-06T14:30Z', 'Asia/Shanghai', '2026-01-06T14:30:00.000Z', 'UTC', 'an instant needs no zone'],
  ['2026-01-06', 'Asia/Shanghai', '2026-01-05T16:00:00.000Z', 'Asia/Shanghai', 'midnight at the place'],
  ['2026-01-06', 'America/Los_Angeles', '2026-01-06T08:00:00.000Z', 'America/Los_Angeles', 'across the date line'],
  ['2026-01-06', 'Pacific/Kiritimati', '2026-01-05T10:00:00.000Z', 'Pacific/Kiritimati', 'UTC+14'],
  ['2026-01-06', 'Pacific/Pago_Pago', '2026-01-06T11:00:00.000Z', 'Pacific/Pago_Pago', 'UTC-11'],
  ['2026-01-06', 'Asia/Kathmandu', '2026-01-05T18:15:00.000Z', 'Asia/Kathmandu', 'UTC+5:45'],
  ['2026-01-06', 'Australia/Lord_Howe', '2026-01-05T13:00:00.000Z', 'Australia/Lord_Howe', 'summer, UTC+11'],
  ['2026-07-06', 'Australia/Lord_Howe', '2026-07-05T13:30:00.000Z', 'Australia/Lord_Howe', 'half an hour of DST'],
  ['2026-07-06', 'Australia/Sydney', '2026-07-05T14:00:00.000Z', 'Australia/Sydney', 'southern winter'],
  ['2026-01-06', 'Australia/Sydney', '2026-01-05T13:00:00.000Z', 'Australia/Sydney', 'southern summer'],
  ['2026-07-06', 'Europe/Rotterdam', '2026-07-06T00:00:00.000Z', assumedUtc, 'no such zone'],
  ['2026-01-06', null, '2026-01-06T00:00:00.000Z', assumedUtc, 'zone unknown'],
  ['2026-01-06T14:30', null, '2026-01-06T14:30:00.000Z', assumedUtc, 'wall clock, zone unknown'],
  ['2026-01-06T14:30', 'Asia/Kolkata', '2026-01-06T09:00:00.000Z', 'Asia/Kolkata', 'wall clock'],
  ['2026-03-08T02:30', 'America/New_York', '2026-03-08T07:30:00.000Z', 'America/New_York', 'never shown: 03:30 EDT'],
  ['2026-11-01T01:30', 'America/New_York', '2026-11-01T05:30:00.000Z', 'America/New_York', 'shown twice: the first'],
  ['2026-10-04T02:15', 'Australia/Lord_Howe', '2026-10-03T15:45:00.000Z', 'Australia/Lord_Howe', 'gap of 30 minutes'],
  [
    '2026-04-05T01:45',
    'Australia/Lord_Howe',
    '2026-04-04T14:45:00.000Z',
    'Australia/Lord_Howe',
    'twice within 30 minutes',
  ],
  [
    '2025-09-07',
    'America/Santiago',
    '2025-09-07T04:00:00.000Z',
    'America/Santiago',
    'midnight skipped: the day begins at 01:00',
  ],
  ['2011-12-30', 'Pacific/Apia', '2011-12-30T10:00:00.000Z', 'Pacific/Apia', 'a day that Samoa left out'],
]

test('converts a time to an instant at its place, and reports when it assumed UTC', () => {
  for (const [text, zone, at, zoneUsed, why] of readings) {
    const time = parseEventTime(text)
    assert.ok(time)
    assert.deepEqual(instantOf(time, zone), { at, zoneUsed }, `${text} ${zone}: ${why}`)
  }
})

const zones = [
  'UTC',
  'Asia/Shanghai',
  'America/Los_Angeles',
  'America/New_York',
  'America/St_Johns',
  'America/Santiago',
  'America/Havana',
  'America/Sao_Paulo',
  'Atlantic/Azores',
  'Europe/London',
  'Europe/Berlin',
  'Africa/Cairo',
  'Africa/Casablanca',
  'Africa/Monrovia',
  'Asia/Beirut',
  'Asia/Tehran',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Australia/Sydney',
  'Australia/Adelaide',
  'Pacific/Auckland',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
  'Pacific/Apia',
  'Pacific/Pago_Pago',
  'Antarctica/Troll',
  'Asia/Pyongyang',
]
/** Days that a zone left out when it moved across the date line: 1994-12-31 on Kiritimati, 2011-12-30 in Samoa. */
const leftOut = new Set(['Pacific/Kiritimati 1994-12-31', 'Pacific/Kiritimati 1995-01-01', 'Pacific/Apia 2011-12-30'])

test('the local midnight of a day lies in that day, for every zone and day', () => {
  fc.assert(
    fc.property(fc.constantFrom(...zones), instants, (zone, at) => {
      const day = at.slice(0, 10)
      if (leftOut.has(`${zone} ${day}`)) return
      const midnight = localMidnight(day, zone)
      assert.equal(localDateIn(midnight, zone), day)
      assert.equal(localDateIn(addMs(midnight, -1), zone) < day, true)
    }),
    { numRuns: 3_000 },
  )
})

test('every day of the years 2020 to 2030 begins once in every zone', () => {
  for (const zone of zones.filter((_, index) => index % 3 === 0)) {
    for (let day = '2020-01-01'; day < '2031-01-01'; day = addDays(day, 1)) {
      const midnight = localMidnight(day, zone)
      if (localDateIn(midnight, zone) !== day) assert.fail(`${zone} ${day} ${midnight}`)
    }
  }
})

test('the cached offset equals the one that the runtime gives for that moment', () => {
  fc.assert(
    fc.property(fc.constantFrom(...zones), instants, (zone, at) => {
      const parts = new Intl.DateTimeFormat('en-CA', {
        timeZone: zone,
        hourCycle: 'h23',
        year: 'numeric',
        month: '2-digit',
        day: '2-digit',
        hour: '2-digit',
        minute: '2-digit',
        second: '2-digit',
      }).formatToParts(new Date(at))
      const part = (type: string) => parts.find((candidate) => candidate.type === type)?.value
      const wall = `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}:${part('second')}`
      const whole = Date.parse(at) - (Date.parse(at) % 1000)
      assert.equal(offsetMsAt(zone, Date.parse(at)), Date.parse(`${wall}Z`) - whole)
    }),
    { numRuns: 500 },
  )
})

test('finds the moment of a clock change to the second', () => {
  const change = Date.parse('2026-03-08T10:00:00Z')
  assert.equal(offsetMsAt('America/Los_Angeles', change - 1), -8 * 3_600_000)
  assert.equal(offsetMsAt('America/Los_Angeles', change), -7 * 3_600_000)
})

test('a time zone that the runtime does not know is unknown, not an error', () => {
  assert.equal(isTimeZone('Mars/Olympus'), false)
  assert.equal(offsetMsAt('', 0), null)
  assert.equal(localDateIn('2026-01-06T23:00:00.000Z', 'Mars/Olympus'), '2026-01-06')
})

test('sorts times by instant at their places, the more precise first', () => {
  const shanghai = { time: { kind: 'day', on: '2026-01-06' }, timeZone: 'Asia/Shanghai' } as const
  const losAngeles = { time: { kind: 'day', on: '2026-01-06' }, timeZone: 'America/Los_Angeles' } as const
  const midnight = { time: { kind: 'instant', at: '2026-01-05T16:00:00.000Z' }, timeZone: null } as const
  assert.deepEqual([losAngeles, shanghai, midnight].sort(compareTimes), [midnight, shanghai, losAngeles])
  assert.equal(compareTimes(shanghai, shanghai), 0)
})

test('compares times with and without milliseconds as instants', () => {
  assert.equal(compareInstants('2026-01-06T00:00:00Z', '2026-01-06T00:00:00.000Z'), 0)
  assert.ok(compareInstants('2026-01-06T00:00:00Z', '2026-01-06T00:00:00.001Z') < 0)
  assert.ok(compareInstants('2026-01-07T00:00:00.000Z', '2026-01-06T00:00:00.000Z') > 0)
})

test('adds days and milliseconds across months, leap days and years', () => {
  assert.equal(addDays('2024-02-28', 1), '2024-02-29')
  assert.equal(addDays('2026-01-01', -1), '2025-12-31')
  assert.equal(addDays('2026-01-06T14:30:00.000Z', 56), '2026-03-03T14:30:00.000Z')
  assert.equal(addMs('2026-01-06T14:30:00.000Z', -1), '2026-01-06T14:29:59.999Z')
  assert.equal(msBetween({ from: '2026-01-06T00:00:00Z', to: '2026-01-05T23:00:00Z' }), -3_600_000)
})
