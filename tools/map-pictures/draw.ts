/**
 * Draws a map document as SVG over the countries of the world: the past as a solid line, the future as a dashed line.
 */

import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { type Drawable, type MapDocument, type Position, readDrawables } from './features.ts'
import { escapeText, type Label, placeLabels } from './labels.ts'

export const width = 1_280
export const height = 720
const spanDegreesMin = 70

export interface Caption {
  readonly title: string
  readonly subtitle: string
}

export function drawMap(document: MapDocument, caption: Caption): string {
  const drawables = readDrawables(document)
  const view = viewOf(drawables.flatMap(({ parts }) => parts.flat()))
  const of = (type: string) => drawables.filter((each) => each.type === type)
  const lines = [
    ...of('estimated_full_legs').map((each) => drawLine(each, view, lineStyles.full)),
    ...of('past_vessel_locations').map((each) => drawLine(each, view, lineStyles.past)),
    ...of('estimated_partial_leg').map((each) => drawLine(each, view, lineStyles.partial)),
  ]
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="DejaVu Sans, Helvetica, Arial, sans-serif">`,
    `<rect width="${width}" height="${height}" fill="#dfeaf2"/>`,
    `<path d="${countriesPath(view)}" fill="#f6f4ee" stroke="#c3c8c4" stroke-width="0.8" fill-rule="evenodd"/>`,
    ...lines,
    ...of('port').map((each) => drawPort(each, view)),
    ...of('current_vessel').map((each) => drawVessel(each, view)),
    ...placeLabels(labelsOf(drawables, view), { width, height: height - 46, top: 68 }, strokesOf(drawables, view)),
    drawCaption(caption),
    drawLegend(drawables),
    '</svg>',
  ].join('\n')
}

interface View {
  readonly west: number
  readonly north: number
  readonly pixelsPerDegree: number
}

/** The view that shows all positions with a margin. One degree has the same length in both directions. */
function viewOf(positions: readonly Position[]): View {
  const longitudes = positions.map(([longitude]) => longitude)
  const latitudes = positions.map(([, latitude]) => latitude)
  const [west, east] = [Math.min(...longitudes), Math.max(...longitudes)]
  const [south, north] = [Math.min(...latitudes), Math.max(...latitudes)]
  const span = Math.max(spanDegreesMin, (east - west) * 1.25, ((north - south) * 1.6 * width) / height)
  const pixelsPerDegree = width / span
  const spanNorth = height / pixelsPerDegree
  const middle = Math.min(Math.max((south + north) / 2, spanNorth / 2 - 85), 85 - spanNorth / 2)
  return {
    west: (west + east) / 2 - span / 2,
    north: spanNorth >= 170 ? spanNorth / 2 : middle + spanNorth / 2,
    pixelsPerDegree,
  }
}

function project([longitude, latitude]: Position, view: View): readonly [x: number, y: number] {
  return [(longitude - view.west) * view.pixelsPerDegree, (view.north - latitude) * view.pixelsPerDegree]
}

const lineStyles = {
  full: 'stroke="#6b7f93" stroke-width="2" stroke-dasharray="2 6"',
  past: 'stroke="#12508a" stroke-width="3"',
  partial: 'stroke="#c2571a" stroke-width="2.5" stroke-dasharray="9 6"',
}

function drawLine({ parts }: Drawable, view: View, style: string): string {
  const path = parts.map((part) => `M${part.map((position) => pair(project(position, view))).join('L')}`)
  return `<path d="${path.join('')}" fill="none" stroke-linecap="round" stroke-linejoin="round" ${style}/>`
}

function pair([x, y]: readonly [number, number]): string {
  return `${x.toFixed(1)} ${y.toFixed(1)}`
}

function drawPort({ parts, properties }: Drawable, view: View): string {
  const [x, y] = project(parts[0]?.[0] ?? [0, 0], view)
  const isReached = [properties['inbound_ata_at'], properties['outbound_atd_at']].some((at) => at !== null)
  return `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="6" fill="${isReached ? '#12508a' : '#ffffff'}" stroke="#12508a" stroke-width="2.5"/>`
}

function drawVessel({ parts, properties }: Drawable, view: View): string {
  const [x, y] = project(parts[0]?.[0] ?? [0, 0], view)
  const heading = Number(properties['vessel_location_heading'] ?? 0)
  const isEstimated = properties['estimated'] === true
  return `<path transform="translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${heading})" d="M0 -13L8 10L0 5L-8 10Z" fill="${isEstimated ? '#ffffff' : '#c2571a'}" stroke="#c2571a" stroke-width="2.5" stroke-linejoin="round"/>`
}

function labelsOf(drawables: readonly Drawable[], view: View): readonly Label[] {
  return drawables.flatMap(({ type, parts, properties }): readonly Label[] => {
    const [x, y] = project(parts[0]?.[0] ?? [0, 0], view)
    if (type === 'port') return [{ x, y, lines: [portName(properties), portTime(properties)] }]
    if (type !== 'current_vessel') return []
    const how = properties['estimated'] === true ? 'reckoned for' : 'heard'
    return [
      {
        x,
        y,
        lines: [String(properties['vessel_name']), `${how} ${shortTime(properties['vessel_location_timestamp'])}`],
      },
    ]
  })
}

/** Points along the lines, close together. */
function strokesOf(drawables: readonly Drawable[], view: View): readonly (readonly [number, number])[] {
  return drawables.flatMap(({ parts }) =>
    parts.flatMap((part) =>
      part.flatMap((position, index): readonly (readonly [number, number])[] => {
        const before = part[index - 1]
        if (before === undefined) return []
        const [[fromX, fromY], [toX, toY]] = [project(before, view), project(position, view)]
        const steps = Math.ceil(Math.hypot(toX - fromX, toY - fromY) / 6)
        return Array.from({ length: steps }, (_, step) => [
          fromX + ((toX - fromX) * step) / steps,
          fromY + ((toY - fromY) * step) / steps,
        ])
      }),
    ),
  )
}

function portName(properties: Drawable['properties']): string {
  return `${properties['ports_sequence']}  ${properties['label']}`
}

function portTime(properties: Drawable['properties']): string {
  const told = [
    ['left', 'outbound_atd_at'],
    ['came', 'inbound_ata_at'],
    ['expected', 'inbound_eta_at'],
    ['to leave', 'outbound_etd_at'],
  ] as const
  const [word, name] = told.find(([, each]) => properties[each] !== null) ?? ['', '']
  return name === '' ? 'no time known' : `${word} ${shortTime(properties[name])}`
}

function shortTime(at: unknown): string {
  return `${String(at).slice(0, 16).replace('T', ' ')} UTC`
}

function drawCaption({ title, subtitle }: Caption): string {
  return `<rect width="${width}" height="64" fill="#ffffff" fill-opacity="0.92"/>
<text x="24" y="28" font-size="20" font-weight="bold" fill="#14293d">${escapeText(title)}</text>
<text x="24" y="51" font-size="14" fill="#4a5d6e">${escapeText(subtitle)}</text>`
}

const legend = [
  ['past_vessel_locations', 'where the vessel was heard', lineStyles.past],
  ['estimated_full_legs', 'a leg, as a ship sails it', lineStyles.full],
  ['estimated_partial_leg', 'what is left of the leg', lineStyles.partial],
] as const

function drawLegend(drawables: readonly Drawable[]): string {
  const shown = legend.filter(([type]) => drawables.some((each) => each.type === type))
  const entries = shown.map(
    ([, words, style], index) =>
      `<path d="M${24 + index * 260} ${height - 20}h44" fill="none" ${style}/><text x="${76 + index * 260}" y="${height - 15}" font-size="13" fill="#14293d">${words}</text>`,
  )
  return `<rect y="${height - 40}" width="${width}" height="40" fill="#ffffff" fill-opacity="0.92"/>${entries.join('')}<text x="${width - 24}" y="${height - 15}" font-size="12" text-anchor="end" fill="#7a8894">Made with Natural Earth</text>`
}

type Ring = readonly Position[]

/** The countries are drawn once for each turn of the globe, because a view may cross the date line. */
function countriesPath(view: View): string {
  const turns = [-360, 0, 360]
  return turns
    .flatMap((turn) =>
      readCountries().map(
        (ring) => `M${ring.map(([east, north]) => pair(project([east + turn, north], view))).join('L')}Z`,
      ),
    )
    .join('')
}

function readCountries(): readonly Ring[] {
  const packed = readFileSync(new URL('./data/countries-110m.geo.json.gz', import.meta.url))
  const { features } = JSON.parse(gunzipSync(packed).toString('utf8')) as {
    readonly features: readonly {
      readonly geometry:
        | { readonly type: 'Polygon'; readonly coordinates: readonly Ring[] }
        | { readonly type: 'MultiPolygon'; readonly coordinates: readonly (readonly Ring[])[] }
    }[]
  }
  return features.flatMap(({ geometry }) =>
    geometry.type === 'Polygon' ? geometry.coordinates : geometry.coordinates.flat(),
  )
}
