/** Estimates are judged by the arrival that counts, as they were told and when they were told. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type CountedArrival,
  type EtaStatement,
  findCountedArrival,
  judgeEtas,
} from '../../../src/domain/scorecards/eta-outcomes.ts'
import type { EventTime } from '../../../src/domain/values/time.ts'

const place = { unlocode: 'USLAX', timeZone: 'America/Los_Angeles' } as never
const instant = (at: string): EventTime => ({ kind: 'instant', at: `2026-01-${at}:00.000Z` })
const legAt = (ata: EventTime | null) => ({ place, ata, eta: null, etd: null, atd: null })
const actual = (name: 'vessel_arrived' | 'vessel_berthed', time: EventTime, source = 'shipping_line') =>
  ({ kind: 'actual', name, time, place, source }) as never
const box = (number: string, ata: EventTime | null, ...milestones: never[]) => ({
  number,
  portOfDischarge: legAt(ata),
  milestones,
})
const told = (heardAt: string, eta: string, more: Partial<EtaStatement> = {}): EtaStatement => ({
  heardAt: `2026-01-${heardAt}:00.000Z`,
  saidBy: 'shipping_line',
  sourceCode: 'HLCU',
  classifier: 'EST',
  time: instant(eta),
  timeZone: 'America/Los_Angeles',
  containerNumbers: [],
  own: null,
  ...more,
})
const arrival: CountedArrival = {
  at: '2026-01-20T12:00:00.000Z',
  isDayOnly: false,
  by: 'shipping_line',
  containerNumbers: ['A', 'B'],
}
const figures = (etas: readonly EtaStatement[], by = arrival) =>
  judgeEtas(etas, by).map((each) => [each.kind, each.daysAhead, each.errorHours, each.movedHours])

test('the arrival that counts is the one at the berth where a source tells it, else the one at the port', () => {
  const [port, berth] = [instant('20T02:00'), instant('20T09:00')]
  const portOnly = box('A', port, actual('vessel_arrived', port, 'ais'))
  const both = box('B', port, actual('vessel_arrived', port, 'ais'), actual('vessel_berthed', berth, 'terminal'))
  const shipment = { portOfDischarge: legAt(port) }
  assert.deepEqual(findCountedArrival(shipment, [portOnly]), {
    at: '2026-01-20T02:00:00.000Z',
    isDayOnly: false,
    by: 'ais',
    containerNumbers: ['A'],
  })
  assert.deepEqual(findCountedArrival(shipment, [portOnly, both]), {
    at: '2026-01-20T09:00:00.000Z',
    isDayOnly: false,
    by: 'terminal',
    containerNumbers: ['A', 'B'],
  })
})

test('containers that came on another ship do not decide, and a shipment without containers has its own arrival', () => {
  const [first, later] = [instant('20T02:00'), instant('25T02:00')]
  const boxes = [box('A', first, actual('vessel_arrived', first)), box('B', later, actual('vessel_berthed', later))]
  const found = findCountedArrival({ portOfDischarge: legAt(first) }, boxes)
  assert.deepEqual([found?.at, found?.containerNumbers], ['2026-01-20T02:00:00.000Z', ['A']])
  const unboxed = findCountedArrival({ portOfDischarge: legAt(first) }, [])
  assert.deepEqual([unboxed?.at, unboxed?.by], ['2026-01-20T02:00:00.000Z', null])
})

test('there is no arrival to judge by before the ship came, at an unknown port, or at a time of an unknown zone', () => {
  const day: EventTime = { kind: 'day', on: '2026-01-20' }
  assert.equal(findCountedArrival({ portOfDischarge: legAt(null) }, []), null)
  const nowhere = { ...legAt(day), place: { unlocode: 'USLAX', timeZone: null } as never }
  assert.equal(findCountedArrival({ portOfDischarge: nowhere }, []), null)
  const unknown = { ...legAt(day), place: { unlocode: null, timeZone: 'UTC' } as never }
  assert.equal(findCountedArrival({ portOfDischarge: unknown }, []), null)
})

test('a day is judged by its middle at the port', () => {
  const day: EventTime = { kind: 'day', on: '2026-01-20' }
  const found = findCountedArrival({ portOfDischarge: legAt(day) }, [])
  assert.deepEqual([found?.at, found?.isDayOnly], ['2026-01-20T20:00:00.000Z', true])
  assert.deepEqual(figures([told('18T20:00', '01T00:00', { time: day })]), [
    ['first', 2, -8, null],
    ['line', 2, -8, null],
  ])
})

test('each estimate that was told before the arrival is judged from the moment of telling; a later one is not', () => {
  const etas = [told('20T12:00', '20T12:00'), told('15T12:00', '21T12:00'), told('10T12:00', '20T00:00')]
  assert.deepEqual(figures(etas), [
    ['first', 9.5, 12, null],
    ['line', 9.5, 12, null],
    ['line', 6, -24, 36],
  ])
})

test('sources are judged apart, each by its own moves, and the statements of others are not judged', () => {
  const etas = [
    told('10T12:00', '20T00:00'),
    told('11T12:00', '20T18:00', { saidBy: 'terminal', sourceCode: 'Y258' }),
    told('12T12:00', '20T06:00'),
    told('12T12:00', '19T06:00', { saidBy: 'document', sourceCode: 'paper' }),
    told('13T12:00', '20T12:00', { timeZone: null, time: { kind: 'local', local: '2026-01-20T12:00:00' } }),
  ]
  assert.deepEqual(
    judgeEtas(etas, arrival).map(({ kind, sourceCode, movedHours }) => [kind, sourceCode, movedHours]),
    [
      ['first', 'HLCU', null],
      ['line', 'HLCU', null],
      ['line', 'HLCU', 6],
      ['terminal', 'Y258', null],
    ],
  )
})

test('of several estimates of one source at one moment, the one for most containers that arrived counts', () => {
  const etas = [
    told('10T12:00', '19T00:00', { containerNumbers: ['A'] }),
    told('10T12:00', '20T00:00', { containerNumbers: ['A', 'B'] }),
    told('10T12:00', '28T00:00', { containerNumbers: ['C', 'D', 'E'] }),
    told('10T12:00', '18T00:00', { classifier: 'PLN' }),
  ]
  assert.deepEqual(figures(etas), [
    ['first', 9.5, 12, null],
    ['line', 9.5, 12, null],
  ])
  assert.deepEqual(figures(etas.toReversed()), figures(etas))
})

test('our estimate is judged by its range, and the one of positions alone is judged beside it without one', () => {
  const own = (earliest: string, latest: string) => ({
    saidBy: 'landfall' as const,
    sourceCode: 'landfall',
    own: {
      earliest: `2026-01-${earliest}:00.000Z`,
      latest: `2026-01-${latest}:00.000Z`,
      madeOf: { vesselEta: '2026-01-21T12:00:00.000Z' },
    },
  })
  const etas = [
    told('10T12:00', '20T00:00', own('19T00:00', '20T12:00')),
    told('11T12:00', '20T00:00', own('19T00:00', '20T11:00')),
  ]
  const outcomes = judgeEtas(etas, arrival)
  assert.deepEqual(
    outcomes.map(({ kind, errorHours, isWithin, movedHours }) => [kind, errorHours, isWithin, movedHours]),
    [
      ['own', 12, true, null],
      ['own', 12, false, 0],
      ['vessel', -24, null, null],
      ['vessel', -24, null, 0],
    ],
  )
  const byDay = judgeEtas(etas, { ...arrival, isDayOnly: true })
  assert.deepEqual(new Set(byDay.map(({ isWithin }) => isWithin)), new Set([null]), 'only the day is known')
})
