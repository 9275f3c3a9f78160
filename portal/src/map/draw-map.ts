/** A journey's map as an SVG element, without React: for the shared page and the widget. */

import { geoPath } from 'd3-geo'
import { mapWords } from '../words/map.ts'
import { fitJourney } from './fit.ts'
import { isPort, isVessel, isWay, type MapDocument } from './map-document.ts'

const size = { width: 900, height: 380 }
const namespace = 'http://www.w3.org/2000/svg'

export function drawMap({ features }: MapDocument, land: GeoJSON.MultiPolygon | null): SVGSVGElement {
  const [ways, ports, ships] = [features.filter(isWay), features.filter(isPort), features.filter(isVessel)]
  const points = [...ports, ...ships].map(({ geometry }) => geometry.coordinates)
  const projection = fitJourney([...ways.flatMap(({ geometry }) => geometry.coordinates), ...points], size)
  const path = geoPath(projection)
  const at = (position: [number, number]): readonly [number, number] => projection(position) ?? [0, 0]
  const svg = element('svg', { viewBox: `0 0 ${size.width} ${size.height}`, role: 'img' }) as SVGSVGElement
  svg.setAttribute('aria-label', mapWords.about(ports, ships))
  svg.append(element('path', { class: 'sea', d: path({ type: 'Sphere' }) ?? '' }))
  if (land !== null) svg.append(element('path', { class: 'land', d: path(land) ?? '' }))
  for (const { geometry, properties } of ways)
    svg.append(element('path', { class: `way ${properties.feature_type}`, d: path(geometry) ?? '' }))
  for (const { geometry, properties } of ports) {
    const [x, y] = at(geometry.coordinates)
    const isRight = x > size.width * 0.8
    const label = element('text', { x: isRight ? -9 : 9, y: 4, 'text-anchor': isRight ? 'end' : 'start' })
    label.textContent = properties.name
    svg.append(group('port', x, y, element('circle', { r: 5 }), label))
  }
  for (const { geometry, properties } of ships) {
    const [x, y] = at(geometry.coordinates)
    const heading = properties.vessel_location_heading
    const mark =
      heading === null
        ? element('circle', { r: 6 })
        : element('path', { d: 'M0 -10 6 8 0 4 -6 8Z', transform: `rotate(${heading})` })
    svg.append(group('ship', x, y, mark))
  }
  return svg
}

function group(name: string, x: number, y: number, ...children: readonly Element[]): Element {
  const made = element('g', { class: name, transform: `translate(${x} ${y})` })
  made.append(...children)
  return made
}

function element(name: string, attributes: Readonly<Record<string, string | number>>): Element {
  const made = document.createElementNS(namespace, name)
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, String(value))
  return made
}
