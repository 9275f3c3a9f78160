/**
 * Makes the outlines of land for the portal: portal/src/map/data/land.json for the small maps of the app, of shared
 * pages and of the widget, and with `--tiles <countries-50m.geo.json.gz>` land.pmtiles, vector tiles for the map of the
 * fleet. In land.json positions are whole parts of a degree; each ring has its first position and then the steps to the
 * next ones. Rings are wound as `d3-geo` wants them: the smaller side of the sphere is land.
 */

import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { GeoJSONVT } from '@maplibre/geojson-vt'
import { fromGeojsonVt } from '@maplibre/vt-pbf'
import { geoArea } from 'd3-geo'
import { type Tile, writeTileArchive } from './tile-archive.ts'

type Position = readonly number[]
interface Countries {
  readonly features: readonly {
    readonly geometry: GeoJSON.Polygon | GeoJSON.MultiPolygon
  }[]
}

const cornersMin = 4
const perDegree = 10
const zoomMax = 5
const at = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url))
const { values: options } = parseArgs({ options: { tiles: { type: 'string' } } })

if (options.tiles === undefined) makeOutline()
else makeTiles(options.tiles)

function makeOutline(): void {
  const source = at('tools/map-pictures/data/countries-110m.geo.json.gz')
  const about = JSON.parse(readFileSync(`${source}.SOURCE.json`, 'utf8')) as Record<string, unknown>
  const polygons = readCountries(source).features.flatMap(({ geometry }) =>
    geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates,
  )
  const land = polygons
    .map((rings) => rings.filter(([first]) => first !== undefined).map(wound))
    .map((rings) => rings.map(steps))
    .map((rings) => rings.filter((ring) => ring.length >= cornersMin * 2))
    .filter((rings) => rings.length > 0)
  const changes = `${String(about['changes'])} Names taken out, positions rounded to 1/${perDegree} of a degree (tools/portal-land.ts).`
  write('land.json', Buffer.from(`${JSON.stringify(land)}\n`), { ...about, changes, rows: land.length })
}

function makeTiles(source: string): void {
  const index = new GeoJSONVT(
    {
      type: 'FeatureCollection',
      features: readCountries(source).features.map(({ geometry }) => ({
        type: 'Feature',
        properties: {},
        geometry,
      })),
    },
    { maxZoom: zoomMax, indexMaxZoom: zoomMax, indexMaxPoints: 0, buffer: 8, tolerance: 2 },
  )
  const tiles: Tile[] = []
  for (let z = 0; z <= zoomMax; z += 1)
    for (let x = 0; x < 2 ** z; x += 1)
      for (let y = 0; y < 2 ** z; y += 1) {
        const tile = index.getTile(z, x, y)
        if (tile === null || tile.features.length === 0) continue
        tiles.push({ z, x, y, bytes: fromGeojsonVt({ land: tile }, { version: 2 }) })
      }
  const layers = { vector_layers: [{ id: 'land', fields: {} }], attribution: 'Natural Earth' }
  write('land.pmtiles', writeTileArchive(tiles, layers), {
    publisher: 'Natural Earth',
    edition: 'countries 1:50m, as in world-atlas',
    licence: 'public domain',
    attribution: 'Made with Natural Earth.',
    changes: `Turned into GeoJSON and cut at the 180th meridian. Names taken out, cut into vector tiles of the zooms 0 to ${zoomMax} (tools/portal-land.ts).`,
    raw: [{ file: `map/${basename(source)}`, sha256: sha256(readFileSync(source)) }],
    rows: tiles.length,
  })
}

function readCountries(source: string): Countries {
  // safe: the file has the countries of the world as GeoJSON, as its SOURCE.json says
  return JSON.parse(gunzipSync(readFileSync(source)).toString('utf8')) as Countries
}

function write(name: string, content: Buffer, about: Readonly<Record<string, unknown>>): void {
  const target = `portal/src/map/data/${name}`
  writeFileSync(at(target), content)
  const { rows, ...told } = about
  const source = { ...told, sha256: sha256(content), rows }
  writeFileSync(at(`${target}.SOURCE.json`), `${JSON.stringify(source, null, 2)}\n`)
  console.log(`Wrote ${target}: ${String(rows)} parts, ${content.length} bytes.`)
}

function sha256(of: string | Buffer): string {
  return createHash('sha256').update(of).digest('hex')
}

/** The outer ring has the land inside, and each hole the water: both less than half of the sphere. */
function wound(ring: readonly Position[], index: number): readonly Position[] {
  const coordinates = [ring.map((position) => [...position])]
  const isSmall = geoArea({ type: 'Polygon', coordinates }) < 2 * Math.PI
  return isSmall === (index === 0) ? ring : ring.toReversed()
}

function steps(ring: readonly Position[]): readonly number[] {
  const corners: number[] = []
  let before: readonly [number, number] | null = null
  for (const [longitude = 0, latitude = 0] of ring) {
    const here = [Math.round(longitude * perDegree), Math.round(latitude * perDegree)] as const
    if (before !== null && before[0] === here[0] && before[1] === here[1]) continue
    corners.push(here[0] - (before?.[0] ?? 0), here[1] - (before?.[1] ?? 0))
    before = here
  }
  return corners
}
