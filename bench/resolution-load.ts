/** A process that loads the reference lists once and prints the cost: `{ loadMs, unpackMs, heapMb }`. */

import { readTableLines } from '../src/reference/data-files.ts'
import { preloadPlaces, resolvePlace } from '../src/reference/places.ts'
import { findVesselByImo } from '../src/reference/vessels.ts'

const files = [
  'locations.tsv.gz',
  'port-overrides.tsv',
  'subdivisions.tsv',
  'terminals.tsv',
  'rail-terminals.tsv',
  'firms.tsv.gz',
  'vessels.tsv.gz',
]

const unpackMs = timeOf(() => {
  for (const file of files) readTableLines(file)
})
globalThis.gc?.()
const heapBefore = process.memoryUsage().heapUsed
const loadMs = timeOf(() => {
  preloadPlaces()
  resolvePlace({ facilityCode: 'Z978', facilityCodeListProvider: 'FIRMS' })
  findVesselByImo('9321483')
})
globalThis.gc?.()
const heapMb = (process.memoryUsage().heapUsed - heapBefore) / 2 ** 20
process.stdout.write(JSON.stringify({ loadMs, unpackMs, heapMb }))

function timeOf(work: () => void): number {
  const startedAt = performance.now()
  work()
  return performance.now() - startedAt
}
