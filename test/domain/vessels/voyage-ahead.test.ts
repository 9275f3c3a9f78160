// The stated calls that a ship still makes: which statement counts, which calls have happened, and what is
// unknown.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readVoyageAhead, type StatedCall } from '../../../src/domain/vessels/voyage-ahead.ts'

const imo = '9321483'
const told = (unlocode: string, at: string, changes: Partial<StatedCall> = {}): StatedCall => ({
  code: 'ARRI',
  classifier: 'EST',
  unlocode,
  timeZone: null,
  time: { kind: 'instant', at: `2026-01-${at}:00:00.000Z` },
  vesselImo: imo,
  sourceCode: 'HLCU',
  saidAt: '2026-01-08T00:00:00.000Z',
  ...changes,
})
const read = (...calls: readonly StatedCall[]) =>
  readVoyageAhead(calls, { imo, unlocode: 'USLAX', now: '2026-01-10T00:00:00.000Z' })
const inLosAngeles = told('USLAX', '22T14')

test('prefers an estimate to a plan, and the latest statement to earlier ones', () => {
  const { line } = read(
    inLosAngeles,
    told('USLAX', '23T05', { saidAt: '2026-01-09T00:00:00.000Z' }),
    told('USLAX', '20T00', { classifier: 'PLN', saidAt: '2026-01-09T12:00:00.000Z' }),
  )
  assert.deepEqual(line, {
    eta: '2026-01-23T05:00:00.000Z',
    saidAt: '2026-01-09T00:00:00.000Z',
    isDayOnly: false,
    sourceCode: 'HLCU',
  })
})

test('an ETA without a ship is used for the voyage, and an ETA of another ship is not', () => {
  assert.equal(read({ ...inLosAngeles, vesselImo: null }).line?.eta, '2026-01-22T14:00:00.000Z')
  assert.equal(read({ ...inLosAngeles, vesselImo: '9074729' }).line, null)
  assert.deepEqual(read(inLosAngeles, told('JPYOK', '12T00', { vesselImo: null })).calls, [])
})

test('the voyage ahead ignores an estimated arrival that already lies in the past', () => {
  assert.equal(read(told('USLAX', '09T14')).line, null)
})

test('reads a day without a time as noon in the time zone of the place', () => {
  const day = { kind: 'day', on: '2026-01-22' } as const
  const { line } = read({ ...inLosAngeles, time: day, timeZone: 'America/Los_Angeles' })
  assert.deepEqual([line?.eta, line?.isDayOnly], ['2026-01-22T20:00:00.000Z', true])
  assert.equal(read({ ...inLosAngeles, time: day }).line, null)
})

test('earlier port calls are listed in order of arrival, each with its stated stay or else the usual stay', () => {
  const { calls } = read(
    inLosAngeles,
    told('USOAK', '20T00'),
    told('JPYOK', '12T00'),
    told('JPYOK', '12T20', { code: 'DEPA' }),
    told('USSEA', '24T00'),
  )
  assert.deepEqual(calls, [
    { unlocode: 'JPYOK', stayHours: 20, isStayTold: true },
    { unlocode: 'USOAK', stayHours: 17, isStayTold: false },
  ])
})

test('excludes a port that the ship has already called at, unless it calls there again', () => {
  const been = (at: string) => told('JPYOK', at, { classifier: 'ACT' })
  assert.deepEqual(read(inLosAngeles, told('JPYOK', '10T06'), been('09T20')).calls, [])
  assert.equal(read(inLosAngeles, told('JPYOK', '16T00'), been('09T20')).calls.length, 1)
})

test('earlier port calls are not listed if no source states an arrival at the port of discharge', () => {
  assert.deepEqual(read(told('JPYOK', '12T00')), { line: null, calls: [] })
})
