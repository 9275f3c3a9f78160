/**
 * Makes the outlines of land for the portal: portal/src/map/data/land.json for the small maps of the app, of shared
 * pages and of the widget, and with `--fine <countries-50m.geo.json.gz>` land-fine.json for the map of the fleet.
 * Positions are whole parts of a degree; each ring has its first position and then the steps to the next ones. Rings are
 * wound as `d3-geo` wants them: the smaller side of the sphere is land.
 */

import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { geoArea } from 'd3-geo'

type Position = readonly [number, number]
type Rings = readonly (readonly Position[])[]
interface Countries {
  readonly features: readonly {
    readonly geometry:
      | { readonly type: 'Polygon'; readonly coordinates: Rings }
      | { readonly type: 'MultiPolygon'; readonly coordinates: readonly Rings[] }
  }[]
}

const cornersMin = 4
const at = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url))
const { values: options } = parseArgs({ options: { fine: { type: 'string' } } })

if (options.fine === undefined) {
  const source = at('tools/map-pictures/data/countries-110m.geo.json.gz')
  const about = JSON.parse(readFileSync(`${source}.SOURCE.json`, 'utf8')) as Record<string, unknown>
  make({ source, target: 'portal/src/map/data/land.json', perDegree: 10, about })
} else {
  const about = {
    publisher: 'Natural Earth',
    edition: 'countries 1:50m, as in world-atlas',
    licence: 'public domain',
    attribution: 'Made with Natural Earth.',
    changes: 'Turned into GeoJSON and cut at the 180th meridian.',
    raw: [{ file: `map/${basename(options.fine)}`, sha256: sha256(readFileSync(options.fine)) }],
  }
  make({ source: options.fine, target: 'portal/src/map/data/land-fine.json', perDegree: 50, about })
}

interface Making {
  readonly source: string
  readonly target: string
  readonly perDegree: number
  readonly about: Readonly<Record<string, unknown>>
}

function make({ source, target, perDegree, about }: Making): void {
  // safe: the file has the countries of the world as GeoJSON, as its SOURCE.json says
  const { features } = JSON.parse(gunzipSync(readFileSync(source)).toString('utf8')) as Countries
  const polygons = features.flatMap(({ geometry }) =>
    geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates,
  )
  const land = polygons
    .map((rings) => rings.filter(([first]) => first !== undefined).map(wound))
    .map((rings) => rings.map((ring) => steps(ring, perDegree)))
    .map((rings) => rings.filter((ring) => ring.length >= cornersMin * 2))
    .filter((rings) => rings.length > 0)
  const text = `${JSON.stringify(land)}\n`
  writeFileSync(at(target), text)
  const changes = `${String(about['changes'])} Names taken out, positions rounded to 1/${perDegree} of a degree (tools/portal-land.ts).`
  const told = { ...about, changes, sha256: sha256(text), rows: land.length }
  writeFileSync(at(`${target}.SOURCE.json`), `${JSON.stringify(told, null, 2)}\n`)
  console.log(`Wrote ${target}: ${land.length} polygons, ${text.length} bytes.`)
}

function sha256(of: string | Buffer): string {
  return createHash('sha256').update(of).digest('hex')
}

/** The outer ring has the land inside, and each hole the water: both less than half of the sphere. */
function wound(ring: readonly Position[], index: number): readonly Position[] {
  const coordinates = [ring.map(([x, y]) => [x, y])]
  const isSmall = geoArea({ type: 'Polygon', coordinates }) < 2 * Math.PI
  return isSmall === (index === 0) ? ring : ring.toReversed()
}

function steps(ring: readonly Position[], perDegree: number): readonly number[] {
  const corners: number[] = []
  let before: readonly [number, number] | null = null
  for (const [longitude, latitude] of ring) {
    const here = [Math.round(longitude * perDegree), Math.round(latitude * perDegree)] as const
    if (before !== null && before[0] === here[0] && before[1] === here[1]) continue
    corners.push(here[0] - (before?.[0] ?? 0), here[1] - (before?.[1] ?? 0))
    before = here
  }
  return corners
}
