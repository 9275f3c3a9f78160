/**
 * Which route a ship took between two ports: what its positions and dates show, and what is assumed without them.
 */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GeoPoint } from '../../src/domain/geography/great-circle.ts'
import { findPlaceByCode } from '../../src/reference/places.ts'
import type { SeaPassage } from '../../src/reference/sea-routes/passages.ts'
import { findSeaRoute } from '../../src/reference/sea-routes/sea-route.ts'
import { findShipWay, type WayEvidence, type WayReason } from '../../src/reference/sea-routes/ship-way.ts'

function at(code: string): GeoPoint {
  const place = findPlaceByCode(code)
  assert.ok(place !== null && place.latitude !== null && place.longitude !== null, code)
  return { latitude: place.latitude, longitude: place.longitude }
}

const point = (latitude: number, longitude: number): GeoPoint => ({ latitude, longitude })

function wayOf(from: string, to: string, evidence: Partial<WayEvidence> = {}) {
  const way = findShipWay({ from: at(from), to: at(to) }, { positions: [], hours: null, ...evidence })
  return 'route' in way ? way : assert.fail(way.kind)
}

const days = (count: number): number => count * 24

/** Public figures in nautical miles, and how far in a hundred ours may be off. */
const known: readonly (readonly [from: string, to: string, avoid: readonly SeaPassage[], nm: number, off: number])[] = [
  // Notteboom, Pallis and Rodrigue, Port Economics, Management and Policy: 10,600 by Suez, 13,800 round the Cape.
  ['CNSHG', 'NLRTM', [], 10_600, 5],
  ['CNSHG', 'NLRTM', ['suez', 'panama'], 13_800, 5],
  ['DEHAM', 'SGSIN', [], 8_300, 5],
  ['DEHAM', 'SGSIN', ['suez', 'panama'], 11_800, 5],
]
for (const [from, to, avoid, nm, off] of known) {
  const without = avoid.length === 0 ? '' : ` without ${avoid.join(' and ')}`
  test(`the route from ${from} to ${to}${without} is ${nm} nautical miles long, within ${off} percent`, () => {
    const route = findSeaRoute({ from: at(from), to: at(to), avoid })
    assert.ok(route.kind === 'route')
    assert.ok(Math.abs(route.line.lengthNm / nm - 1) < off / 100, `${route.line.lengthNm} nm`)
  })
}

test('the Kiel Canal saves as many nautical miles as its authority states', () => {
  const saved = (from: string) =>
    [['kiel'] as const, []].map((avoid) => {
      const route = findSeaRoute({ from: at(from), to: at('PLGDN'), avoid })
      return route.kind === 'route' ? route.line.lengthNm : assert.fail()
    })
  for (const [from, least, most] of [
    ['NLRTM', 180, 270],
    ['DEHAM', 300, 360],
  ] as const) {
    const [round = 0, through = 0] = saved(from)
    assert.ok(round - through > least && round - through < most, `${from}: ${round - through}`)
  }
})

interface Case {
  readonly what: string
  readonly from: string
  readonly to: string
  readonly evidence?: Partial<WayEvidence>
  readonly by: SeaPassage | 'skagen'
  readonly reason: WayReason
}

const cases: readonly Case[] = [
  // Nothing is known: the shortest, and marked as assumed.
  { what: 'nobody knows', from: 'CNSHG', to: 'NLRTM', by: 'suez', reason: 'shortest' },
  // 46 days would be 9.6 knots by Suez, and are 12.6 round the Cape.
  {
    what: 'forty-six days to Rotterdam are too long for Suez',
    from: 'CNSHG',
    to: 'NLRTM',
    evidence: { hours: days(46) },
    by: 'south_africa',
    reason: 'dates',
  },
  {
    what: 'thirty days to Rotterdam are too short for the Cape',
    from: 'CNSHG',
    to: 'NLRTM',
    evidence: { hours: days(30) },
    by: 'suez',
    reason: 'dates',
  },
  {
    what: 'thirty-seven days to Rotterdam fit both ways',
    from: 'CNSHG',
    to: 'NLRTM',
    evidence: { hours: days(37) },
    by: 'suez',
    reason: 'shortest',
  },
  {
    what: 'ninety days to Rotterdam fit no way',
    from: 'CNSHG',
    to: 'NLRTM',
    evidence: { hours: days(90) },
    by: 'suez',
    reason: 'shortest',
  },
  {
    what: 'from the Gulf to Genoa in four weeks',
    from: 'AEJEA',
    to: 'ITGOA',
    evidence: { hours: days(28) },
    by: 'south_africa',
    reason: 'dates',
  },
  // Positions outrank dates.
  {
    what: 'heard off Namibia, whatever the dates say',
    from: 'CNSHG',
    to: 'NLRTM',
    evidence: { positions: [point(8, 106), point(-23, 11)], hours: days(30) },
    by: 'south_africa',
    reason: 'positions',
  },
  {
    what: 'heard south of Madagascar on the way out',
    from: 'NLRTM',
    to: 'SGSIN',
    evidence: { positions: [point(49, -6), point(-30, 45)] },
    by: 'south_africa',
    reason: 'positions',
  },
  {
    what: 'heard in the Red Sea, though it takes long',
    from: 'CNSHG',
    to: 'NLRTM',
    evidence: { positions: [point(20, 38.5)], hours: days(46) },
    by: 'suez',
    reason: 'positions',
  },
  // The South China Sea lies on both.
  {
    what: 'heard off Vietnam only',
    from: 'CNSHG',
    to: 'NLRTM',
    evidence: { positions: [point(12, 111)] },
    by: 'suez',
    reason: 'shortest',
  },
  // Between Malacca and the Cape a ship first keeps near the lane to Suez.
  {
    what: 'heard west of Sumatra only',
    from: 'CNSHG',
    to: 'NLRTM',
    evidence: { positions: [point(4, 92)], hours: days(46) },
    by: 'south_africa',
    reason: 'dates',
  },
  { what: 'nobody knows', from: 'CNSHG', to: 'USNYC', by: 'panama', reason: 'shortest' },
  {
    what: 'heard off Sri Lanka',
    from: 'SGSIN',
    to: 'USNYC',
    evidence: { positions: [point(5.7, 80)] },
    by: 'suez',
    reason: 'positions',
  },
  // 4,700 by Panama would be 7 knots; round the Horn of South America it is 8,500.
  {
    what: 'from Chile to New York in twenty-eight days',
    from: 'CLSAI',
    to: 'USNYC',
    evidence: { hours: days(28) },
    by: 'chili',
    reason: 'dates',
  },
  // Feeders take the Kiel Canal; ships of ocean legs are too large for it.
  { what: 'a feeder', from: 'DEBRV', to: 'PLGDN', by: 'kiel', reason: 'shortest' },
  { what: 'a feeder', from: 'DEHAM', to: 'FIHEL', by: 'kiel', reason: 'shortest' },
  {
    what: 'a large ship heard off Jutland',
    from: 'DEBRV',
    to: 'PLGDN',
    evidence: { positions: [point(56.5, 7.6)] },
    by: 'skagen',
    reason: 'positions',
  },
  {
    what: 'heard in the canal',
    from: 'DEBRV',
    to: 'PLGDN',
    evidence: { positions: [point(54.29, 9.66)] },
    by: 'kiel',
    reason: 'positions',
  },
  // A day more at a port changes a short leg's speed more than Skagen does.
  {
    what: 'a feeder that takes five days',
    from: 'DEBRV',
    to: 'PLGDN',
    evidence: { hours: days(5) },
    by: 'kiel',
    reason: 'shortest',
  },
  { what: 'an ocean ship', from: 'CNSHG', to: 'PLGDN', by: 'skagen', reason: 'ship_size' },
  {
    what: 'an ocean ship that takes fifty days',
    from: 'CNSHG',
    to: 'PLGDN',
    evidence: { hours: days(50) },
    by: 'south_africa',
    reason: 'dates',
  },
  // Where there is one way only there is nothing to choose.
  {
    what: 'over the Pacific',
    from: 'CNSHG',
    to: 'USLAX',
    evidence: { hours: days(60) },
    by: 'skagen',
    reason: 'shortest',
  },
]
for (const { what, from, to, evidence, by, reason } of cases) {
  test(`routes a ship from ${from} to ${to} by ${by} for the reason ${reason}: ${what}`, () => {
    const way = wayOf(from, to, evidence)
    assert.equal(way.reason, reason)
    if (by === 'skagen') assert.ok(!way.route.passages.includes('kiel'))
    else assert.ok(way.route.passages.includes(by), way.route.passages.join())
  })
}

test('a ship that goes round the Cape also avoids the Kiel Canal', () => {
  const way = wayOf('CNSHG', 'PLGDN', { hours: days(50) })
  assert.deepEqual(way.avoid, ['kiel', 'panama', 'suez'])
  const rest = findSeaRoute({ from: point(-10, 80), to: at('PLGDN'), avoid: way.avoid })
  assert.ok(rest.kind === 'route' && rest.passages.includes('south_africa') && !rest.passages.includes('kiel'))
})
