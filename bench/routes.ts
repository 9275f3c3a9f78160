/** Routes by sea: how long a route takes that was never asked for before, and one that is remembered. */

import { makeRouteLine } from '../src/domain/geography/route-line.ts'
import { findPlaceByCode } from '../src/reference/places.ts'
import { openSeaNetwork } from '../src/reference/sea-routes/network.ts'
import { findSeaRoute, type SeaRouteQuestion, searchSeaRoute } from '../src/reference/sea-routes/sea-route.ts'
import { type Figure, percentile, progress } from './measure.ts'

const ports =
  'CNSHG CNNGB KRPUS JPTYO SGSIN VNSGN MYPKG LKCMB INNSA AEJEA SAJED EGPSD GRPIR ITGOA ESVLC MAPTM NLRTM DEHAM GBFXT ' +
  'SEGOT USNYC USSAV USHOU BRSSZ ARBUE CLSAI PECLL MXZLO USLAX USSEA CAVAN AUMEL NZAKL ZADUR'
const rounds = 9
const startUsMax = 500_000
const aimUs = 2_000
const cachedAimUs = 50

export async function benchRoutes(): Promise<readonly Figure[]> {
  progress('routes: ways between 34 ports, each asked as if for the first time, then again')
  const asked = questions()
  const startUs = timeOf(() => searchSeaRoute(asked[0] ?? never()))
  const uncachedUs: number[] = []
  const writtenUs: number[] = []
  const cachedUs: number[] = []
  const lookedUpUs: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    for (const question of asked) {
      uncachedUs.push(timeOf(() => searchSeaRoute(question)))
      const route = findSeaRoute(question)
      if (route.kind === 'route') writtenUs.push(timeOf(() => makeRouteLine(route.line.points)))
    }
    cachedUs.push(timeOf(() => asked.map(findSeaRoute)) / asked.length)
    const map = new Map(asked.map((question) => [keyOf(question), question]))
    lookedUpUs.push(timeOf(() => asked.map((question) => map.get(keyOf(question)))) / asked.length)
  }
  const p50 = percentile(uncachedUs, 0.5)
  const cachedP50 = percentile(cachedUs, 0.5)
  return [
    figure({
      what: 'a way by sea that nobody asked for before, p50',
      figure: p50,
      limit: { what: 'measuring the length of the way that is found', value: percentile(writtenUs, 0.5) },
      aim: 'under 2 ms',
      isMet: p50 < aimUs,
      note: `${asked.length} pairs of ports, ${rounds} rounds; p99 ${Math.round(percentile(uncachedUs, 0.99))} µs`,
    }),
    figure({
      what: 'a way by sea that is remembered, p50 of the rounds',
      figure: cachedP50,
      limit: { what: 'looking the same key up in a Map', value: percentile(lookedUpUs, 0.5) },
      aim: 'under 50 µs',
      isMet: cachedP50 < cachedAimUs,
      note: `mean of ${asked.length} questions, ${rounds} rounds`,
    }),
    figure({
      what: 'the first way: loading the network and its landmarks',
      figure: startUs,
      limit: null,
      aim: 'under 500 ms',
      isMet: startUs < startUsMax,
      note: `${openSeaNetwork().nodeCount} points; once in a process, and only when a way is asked for`,
    }),
  ]
}

function figure(measured: Omit<Figure, 'bench' | 'unit' | 'ratio' | 'postgres'>): Figure {
  const { limit } = measured
  const ratio = limit === null ? null : measured.figure / limit.value
  return { bench: 'routes', unit: 'µs', ...measured, ratio, postgres: null }
}

function questions(): readonly SeaRouteQuestion[] {
  const points = ports.split(' ').map((code) => {
    const place = findPlaceByCode(code)
    if (place === null || place.latitude === null || place.longitude === null)
      throw new Error(`no point is known of ${code}`)
    return { latitude: place.latitude, longitude: place.longitude }
  })
  return points.flatMap((from) => points.filter((to) => to !== from).map((to) => ({ from, to })))
}

function keyOf({ from, to }: SeaRouteQuestion): string {
  return `${from.latitude} ${from.longitude} ${to.latitude} ${to.longitude} 0`
}

/** In microseconds. */
function timeOf(work: () => unknown): number {
  const before = performance.now()
  work()
  return (performance.now() - before) * 1_000
}

function never(): never {
  throw new Error('there are no ports')
}
