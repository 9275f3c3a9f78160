/** The way of a container on a small map: past solid, future dashed, the ship where it was last heard. */

import { geoGraticule10, geoPath } from 'd3-geo'
import { useEffect, useMemo, useState } from 'react'
import { localParts } from '../parts/time.ts'
import { mapWords } from '../words/map.ts'
import { fitJourney } from './fit.ts'
import { readLand } from './land.ts'
import { isPort, isVessel, isWay, type MapDocument } from './map-document.ts'
import './map.css'

const size = { width: 900, height: 380 }

export function JourneyMap({ document }: { document: MapDocument }) {
  const [land, setLand] = useState<GeoJSON.MultiPolygon | null>(null)
  useEffect(() => void readLand().then(setLand), [])
  const { path, project, ways, ports, vessels } = useMemo(() => drawing(document), [document])
  const drawn = useMemo(() => (land === null ? null : path(land)), [land, path])
  if (ports.length === 0 && vessels.length === 0) return <p className="map-empty quiet">{mapWords.nothing}</p>
  return (
    <figure className="journey-map">
      <svg viewBox={`0 0 ${size.width} ${size.height}`} role="img" aria-label={mapWords.about(ports, vessels)}>
        <path className="sea" d={path({ type: 'Sphere' }) ?? ''} />
        <path className="grid" d={path(geoGraticule10()) ?? ''} />
        {drawn !== null && <path className="land" d={drawn} />}
        {ways.map(({ geometry, properties }, index) => (
          <path
            // biome-ignore lint/suspicious/noArrayIndexKey: a way has no name, and the whole list changes at once
            key={index}
            className={`way ${properties.feature_type}`}
            d={path(geometry) ?? ''}
          />
        ))}
        {ports.map(({ geometry, properties }) => (
          <Port
            key={`${properties.ports_sequence} ${properties.name}`}
            at={project(geometry.coordinates)}
            name={properties.name}
          />
        ))}
        {vessels.map(({ geometry, properties }) => (
          <Ship
            key={properties.vessel_name}
            at={project(geometry.coordinates)}
            heading={properties.vessel_location_heading}
            name={properties.vessel_name}
          />
        ))}
      </svg>
      <figcaption>
        <span className="key sailed">{mapWords.past}</span>
        <span className="key planned">{mapWords.planned}</span>
        {vessels.map(({ properties }) => {
          const { day, hour } = localParts(properties.vessel_location_timestamp, 'UTC')
          return (
            <span key={properties.vessel_name}>
              {mapWords.ship(properties.vessel_name, `${day} ${hour} UTC`, properties.estimated)}
            </span>
          )
        })}
      </figcaption>
    </figure>
  )
}

function drawing({ features }: MapDocument) {
  const [ways, ports, vessels] = [features.filter(isWay), features.filter(isPort), features.filter(isVessel)]
  const positions = [
    ...ways.flatMap(({ geometry }) => geometry.coordinates),
    ...[...ports, ...vessels].map(({ geometry }) => geometry.coordinates),
  ]
  const projection = fitJourney(positions, size)
  const path = geoPath(projection)
  const project = (position: [number, number]): readonly [number, number] => projection(position) ?? [0, 0]
  return { path, project, ways, ports, vessels }
}

function Port({ at: [x, y], name }: { at: readonly [number, number]; name: string }) {
  const isRight = x > size.width * 0.8
  return (
    <g className="port" transform={`translate(${x} ${y})`}>
      <circle r="5" />
      <text x={isRight ? -9 : 9} y="4" textAnchor={isRight ? 'end' : 'start'}>
        {name}
      </text>
    </g>
  )
}

interface ShipProps {
  readonly at: readonly [number, number]
  readonly heading: number | null
  readonly name: string
}

function Ship({ at: [x, y], heading, name }: ShipProps) {
  return (
    <g className="ship" transform={`translate(${x} ${y})`}>
      <title>{name}</title>
      {heading === null ? <circle r="6" /> : <path d="M0 -10 6 8 0 4 -6 8Z" transform={`rotate(${heading})`} />}
    </g>
  )
}
