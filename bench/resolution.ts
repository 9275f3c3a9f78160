/**
 * How fast the text of a source becomes a place, compared with a map that knows the answers; and what it costs to load
 * the lists.
 */

import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { preloadPlaces, resolvePlace, type WrittenPlace } from '../src/reference/places.ts'
import { allPortOverrides } from '../src/reference/port-overrides.ts'
import { allTerminals } from '../src/reference/terminals.ts'
import {
  alternate,
  type Figure,
  median,
  medianRatio,
  progress,
  rate,
  secondsOf,
  seededChance,
  spread,
} from './measure.ts'

const rounds = 7
const secondsPerSide = 0.5
const writings = 20_000
const kinds = ['code', 'alias', 'facility', 'name'] as const

export async function benchResolution(): Promise<readonly Figure[]> {
  const places = preloadPlaces()
  const written = writePlaces()
  const answers = new Map(written.map(({ place }) => [keyOf(place), resolvePlace(place)]))
  const unknown = [...answers.values()].filter((answer) => answer === null).length
  if (unknown > 0) throw new Error(`${unknown} of the places of the benchmark do not resolve`)
  const resolve = ({ place }: Written): unknown => resolvePlace(place)
  const look = ({ place }: Written): unknown => answers.get(keyOf(place))
  const sides = await alternate(rounds, {
    ours: () => timesPerSecond(written, resolve),
    limit: () => timesPerSecond(written, look),
  })
  const byKind: string[] = []
  for (const kind of kinds) {
    const each = await timesPerSecond(
      written.filter((one) => one.kind === kind),
      resolve,
    )
    byKind.push(`${kind} ${rate(each)}/s`)
  }
  const figure = median(sides.ours)
  return [
    {
      bench: 'resolution',
      what: 'Places resolved as sources write them: code, alias, facility, name, a quarter each',
      unit: 'places/s per core',
      figure,
      limit: { what: 'one Map lookup of the same strings', value: median(sides.limit) },
      ratio: medianRatio(sides),
      aim: 'more than 100,000 places/s',
      isMet: figure > 100_000,
      note: `${rounds} rounds of ${secondsPerSide} s over ${writings.toLocaleString('en-US')} writings; ${spread(sides.ours)} against ${spread(sides.limit)}; ${byKind.join(', ')}`,
      postgres: null,
    },
    measureLoading(places),
  ]
}

interface Loading {
  readonly loadMs: number
  readonly unpackMs: number
  readonly heapMb: number
}

/** Measured in separate processes, because a process loads a list only once. */
function measureLoading(places: number): Figure {
  const runs = Array.from({ length: 5 }, (_, at) => {
    const ran = spawnSync(
      process.execPath,
      ['--expose-gc', fileURLToPath(new URL('./resolution-load.ts', import.meta.url))],
      {
        encoding: 'utf8',
      },
    )
    if (ran.status !== 0) throw new Error(`loading failed: ${ran.stderr}`)
    const run = JSON.parse(ran.stdout) as Loading
    progress(`  loading ${at + 1} of 5: ${Math.round(run.loadMs)} ms`)
    return run
  })
  const figure = median(runs.map(({ loadMs }) => loadMs))
  const limit = median(runs.map(({ unpackMs }) => unpackMs))
  return {
    bench: 'resolution',
    what: 'Loading places, aliases, terminals and ships at start-up',
    unit: 'ms',
    figure,
    limit: { what: 'reading, unpacking and decoding the same files', value: limit },
    ratio: median(runs.map((run) => run.unpackMs / run.loadMs)),
    aim: 'less than 2 s',
    isMet: figure < 2_000,
    note: `5 processes, ${spread(runs.map(({ loadMs }) => loadMs))} ms; ${places.toLocaleString('en-US')} places; ${Math.round(median(runs.map(({ heapMb }) => heapMb)))} MB of heap`,
    postgres: null,
  }
}

interface Written {
  readonly kind: (typeof kinds)[number]
  readonly place: WrittenPlace
}

/** Ports from the override table and of terminals, because these are what carriers write. Drawn by a seed. */
function writePlaces(): readonly Written[] {
  const aliases = allPortOverrides().filter((each) => each.unlocode !== each.canonicalUnlocode)
  const terminals = allTerminals().filter(({ firmsCode, unlocode }) => firmsCode !== null && unlocode !== null)
  const ports = [...new Set(allTerminals().flatMap(({ unlocode }) => unlocode ?? []))]
  const named = ports.flatMap((unlocode) => {
    const place = resolvePlace({ unlocode })?.place
    if (place === undefined) return []
    const writing = { name: place.name, subdivision: place.subdivision, country: place.countryCode }
    return resolvePlace(writing) === null ? [] : [writing]
  })
  const chance = seededChance(20_261_121)
  const pick = <T>(from: readonly T[]): T => {
    const one = from[Math.floor(chance() * from.length)]
    if (one === undefined) throw new Error('there is nothing to draw from')
    return one
  }
  return Array.from({ length: writings }, (_, at): Written => {
    const kind = kinds[at % kinds.length] ?? 'code'
    if (kind === 'code') return { kind, place: { unlocode: pick(ports) } }
    if (kind === 'alias') return { kind, place: { unlocode: pick(aliases).unlocode } }
    if (kind === 'name') return { kind, place: pick(named) }
    return { kind, place: { facilityCode: pick(terminals).firmsCode, facilityCodeListProvider: 'FIRMS' } }
  })
}

function keyOf({ unlocode, facilityCode, name, subdivision, country }: WrittenPlace): string {
  return unlocode ?? facilityCode ?? `${name}|${subdivision}|${country}`
}

async function timesPerSecond(written: readonly Written[], work: (one: Written) => unknown): Promise<number> {
  let times = 0
  const took = await secondsOf(async () => {
    for (const until = performance.now() + secondsPerSide * 1_000; performance.now() < until; )
      for (const one of written) {
        work(one)
        times += 1
      }
  })
  return times / took
}
