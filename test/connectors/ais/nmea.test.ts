import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { writeSentences } from '../../../sandbox/aivdm.ts'
import { openNmeaReader } from '../../../src/connectors/ais/nmea-reader.ts'
import type { AisIssueKind, AisReport } from '../../../src/connectors/ais/report.ts'
import { checksumOf } from '../../../src/connectors/ais/sentence.ts'

const receivedMs = Date.parse('2026-01-06T14:30:00Z')
const receivedAt = '2026-01-06T14:30:00.000Z'

function read(chunks: readonly string[]): { reports: AisReport[]; issues: AisIssueKind[] } {
  const [reports, issues]: [AisReport[], AisIssueKind[]] = [[], []]
  const reader = openNmeaReader({
    ingest: (report) => reports.push(report),
    count: (issue) => issues.push(issue),
  })
  for (const chunk of chunks) reader.push(chunk, receivedMs)
  return { reports, issues }
}

const sentence = (body: string): string => {
  const sum = checksumOf(body).toString(16).toUpperCase().padStart(2, '0')
  return `!${body}*${sum}\r\n`
}

// The ship of gpsd's documentation of AIVDM, a type 5 in two parts.
const everDiadem = [
  '!AIVDM,2,1,1,A,55?MbV02;H;s<HtKR20EHE:0@T4@Dn2222222216L961O5Gf0NSQEp6ClRp8,0*1C\r\n',
  '!AIVDM,2,2,1,A,88888888880,2*25\r\n',
] as const
const position = '!AIVDM,1,1,,B,177KQJ5000G?tO`K>RA1wUbN0TKH,0*5C\r\n'

test('the NMEA reader reads the positions of a recorded stream and skips comments', () => {
  const stream = readFileSync(new URL('./fixtures/pyais_timestamped.ais', import.meta.url), 'latin1')
  const { reports, issues } = read([stream, '\n'])
  assert.deepEqual(issues, [])
  // Read from the bits by hand, with another program.
  assert.deepEqual(
    reports.map(
      (report) =>
        report.kind === 'position' && [
          report.mmsi,
          report.longitude.toFixed(5),
          report.latitude.toFixed(5),
          report.speedKnots,
          report.heardAt,
        ],
    ),
    [
      ['367309370', '-122.76562', '48.17774', 11.1, receivedAt],
      ['413355820', '119.69861', '39.93202', 0, receivedAt],
      ['445451000', '120.36516', '35.99787', 3.9, receivedAt],
      ['412764890', '122.51503', '31.65283', 11.1, receivedAt],
    ],
  )
})

test('the NMEA reader reads the same position from a sentence as gpsd does', () => {
  const [report] = read([position]).reports
  assert.ok(report?.kind === 'position')
  assert.equal(report.mmsi, '477553000')
  assert.ok(Math.abs(report.latitude - 47.58283) < 1e-4 && Math.abs(report.longitude + 122.34583) < 1e-4)
  assert.equal(report.speedKnots, 0)
  assert.equal(report.courseDegrees, 51)
})

test('an IMO number in two message parts is read even if another message arrives between them', () => {
  const other = sentence('AIVDM,2,1,1,B,55?MbV02;H;s<HtKR20EHE:0@T4@Dn2222222216L961O5Gf0NSQEp6ClRp8,0')
  const { reports, issues } = read([everDiadem[0], other, position, everDiadem[1]])
  assert.deepEqual(
    reports.find(({ kind }) => kind === 'identity'),
    {
      kind: 'identity',
      mmsi: '351759000',
      heardAt: receivedAt,
      imo: '9134270',
      name: 'EVER DIADEM',
      callSign: '3FOF8',
    },
  )
  assert.equal(reports.length, 2)
  assert.deepEqual(issues, [])
})

test('the NMEA reader reads the same lines wherever the network splits them', () => {
  const whole = read([...everDiadem, position])
  const text = [...everDiadem, position].join('')
  assert.deepEqual(read([...text]), whole)
  assert.deepEqual(read([text]), whole)
})

test('the NMEA reader counts invalid lines and reads the valid lines after them', () => {
  const broken = position.replace('*5C', '*5D')
  const { reports, issues } = read([
    broken,
    'GARBAGE\u0000\u00ff!!!\r\n',
    everDiadem[0],
    everDiadem[0],
    `${'x'.repeat(100_000)}`,
    `${'x'.repeat(100_000)}\r\n`,
    position,
  ])
  assert.deepEqual(issues, ['checksum', 'garbage', 'incomplete', 'oversized'])
  assert.equal(reports.length, 1)
})

test('the NMEA reader drops the parts of messages that are never completed, oldest first', () => {
  const lone = Array.from({ length: 40 }, (_, n) =>
    ['A', 'B', '1', '2'].map((channel) => sentence(`AIVDM,${2 + (n % 8)},1,${n % 10},${channel},55?MbV02,0`)),
  ).flat()
  assert.ok(read(lone).issues.filter((issue) => issue === 'incomplete').length >= 90)
})

test('the NMEA reader reads no position or speed from the values that mean unknown, such as 91 and 181 degrees', () => {
  const at = {
    mmsi: '299321483',
    vessel: { imo: '9321483', name: 'EMMA' },
    at: receivedMs,
    isIntroduced: false,
  }
  const here = { latitude: 33.7, longitude: -118.2, speedKnots: 12, courseDegrees: 90 }
  for (const wrong of [{ latitude: 91 }, { longitude: 181 }, { latitude: 0, longitude: 0 }, { speedKnots: 102.3 }]) {
    const { reports, issues } = read([writeSentences({ ...at, ...here, ...wrong })])
    assert.deepEqual([reports.length, issues], [0, ['no_position']], JSON.stringify(wrong))
  }
  assert.equal(read([writeSentences({ ...at, ...here })]).reports.length, 1)
})

test('the NMEA reader does not learn an IMO number with a wrong check digit', () => {
  const told = {
    latitude: 1,
    longitude: 1,
    speedKnots: 12,
    courseDegrees: 90,
    mmsi: '299321484',
    at: receivedMs,
  }
  const sentences = writeSentences({ ...told, vessel: { imo: '9321484', name: 'EMMA' }, isIntroduced: true })
  assert.deepEqual(read([sentences]).issues, ['no_imo'])
})

test('the position and time of any simulated ship are read back from its NMEA sentences', () => {
  const degrees = (max: number) => fc.integer({ min: -max * 10_000, max: max * 10_000 }).map((n) => n / 10_000)
  fc.assert(
    fc.property(degrees(89), degrees(179), fc.integer({ min: 0, max: 250 }), (latitude, longitude, tenths) => {
      fc.pre(latitude !== 0 || longitude !== 0)
      const [, report] = read([
        writeSentences({
          latitude,
          longitude,
          speedKnots: tenths / 10,
          courseDegrees: 271,
          vessel: { imo: '9321483', name: 'EMMA MAERSK' },
          mmsi: '299321483',
          at: Date.parse('2025-11-02T03:04:05Z'),
          isIntroduced: true,
        }),
      ]).reports
      assert.ok(report?.kind === 'position')
      assert.ok(Math.abs(report.latitude - latitude) < 1e-5 && Math.abs(report.longitude - longitude) < 1e-5)
      assert.equal(report.speedKnots, tenths / 10)
      assert.equal(report.courseDegrees, 271)
      assert.equal(report.heardAt, '2025-11-02T03:04:05.000Z')
    }),
  )
})

test('the NMEA reader never throws on arbitrary text, even if the checksum is right', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 120 }), { maxLength: 20 }), (chunks) => {
      read([...chunks, ...chunks.map((chunk) => sentence(`AIVDM,1,1,,A,${chunk},0`))])
    }),
  )
})
