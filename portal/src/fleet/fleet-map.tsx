/** The map itself: MapLibre over an outline of land that comes with Landfall. Nothing is loaded from other servers. */

import {
  addProtocol,
  type GeoJSONSource,
  Map as MapLibreMap,
  NavigationControl,
  Popup,
  setWorkerUrl,
} from 'maplibre-gl'
import 'maplibre-gl/dist/maplibre-gl.css'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url'
import { Protocol } from 'pmtiles'
import { useEffect, useRef, useState } from 'react'
import { countDays, describeDaysLeft, nameDay } from '../../../src/domain/view/day-count.ts'
import landUrl from '../map/data/land.pmtiles?url'
import { colourOf } from '../parts/colour.ts'
import { todayIn } from '../parts/time.ts'
import { fleetWords as words } from '../words/fleet.ts'
import { type FleetDocument, type FleetFeature, isShip, nameOf } from './fleet-document.ts'

setWorkerUrl(workerUrl)
addProtocol('pmtiles', new Protocol().tile)

export function FleetMap({ document }: { document: FleetDocument }) {
  const place = useRef<HTMLDivElement>(null)
  const map = useRef<MapLibreMap | null>(null)
  const [isBroken, setBroken] = useState(false)
  useEffect(() => {
    const element = place.current
    if (element === null) return
    try {
      map.current = openMap(element)
    } catch {
      // Without WebGL there is no map. The list below has the same.
      setBroken(true)
    }
    return () => {
      map.current?.remove()
      map.current = null
    }
  }, [])
  useEffect(() => {
    const drawn = map.current
    if (drawn === null) return
    const show = (): void => {
      drawn.getSource<GeoJSONSource>('fleet')?.setData(pointsOf(document))
    }
    if (drawn.isStyleLoaded()) show()
    else drawn.once('load', show)
  }, [document])
  if (isBroken) return <p className="fleet-map quiet">{words.noMap}</p>
  return <section ref={place} className="fleet-map" aria-label={words.title} />
}

function openMap(container: HTMLElement): MapLibreMap {
  const colour = (name: string): string => colourOf(container, name)
  const map = new MapLibreMap({
    container,
    center: [30, 20],
    zoom: 1,
    attributionControl: { customAttribution: 'Natural Earth' },
    style: { version: 8, sources: {}, layers: [] },
  })
  map.addControl(new NavigationControl({ showCompass: false }))
  map.on('load', () => addLayers(map, colour))
  return map
}

function addLayers(map: MapLibreMap, colour: (name: string) => string): void {
  map.addLayer({ id: 'sea', type: 'background', paint: { 'background-color': colour('--sea') } })
  const empty = { type: 'FeatureCollection' as const, features: [] }
  map.addSource('fleet', {
    type: 'geojson',
    data: empty,
    cluster: true,
    clusterRadius: 36,
    clusterMaxZoom: 6,
  })
  map.addLayer({
    id: 'points',
    type: 'circle',
    source: 'fleet',
    paint: {
      'circle-radius': ['case', ['has', 'point_count'], 15, ['==', ['get', 'kind'], 'vessel'], 7, 6],
      'circle-color': [
        'case',
        ['has', 'point_count'],
        colour('--accent'),
        ['==', ['get', 'kind'], 'vessel'],
        colour('--move'),
        colour('--here'),
      ],
      'circle-stroke-color': colour('--card'),
      'circle-stroke-width': 2,
    },
  })
  map.addLayer({
    id: 'counts',
    type: 'symbol',
    source: 'fleet',
    filter: ['has', 'point_count'],
    layout: { 'text-field': ['get', 'point_count_abbreviated'], 'text-size': 12 },
    paint: { 'text-color': colour('--on-accent') },
  })
  map.on('click', 'points', ({ features, lngLat }) => {
    const feature = features?.[0]
    if (feature === undefined) return
    if (feature.properties['cluster'] === true) {
      map.easeTo({ center: lngLat, zoom: map.getZoom() + 2 })
      return
    }
    const text = globalThis.document.createElement('p')
    text.textContent = String(feature.properties['about'])
    new Popup().setLngLat(lngLat).setDOMContent(text).addTo(map)
  })
  const url = `pmtiles://${new URL(landUrl, location.href)}`
  map.addSource('land', { type: 'vector', url, attribution: 'Natural Earth' })
  const land = { source: 'land', 'source-layer': 'land' }
  map.addLayer({ id: 'land', type: 'fill', ...land, paint: { 'fill-color': colour('--land') } }, 'points')
  map.addLayer(
    {
      id: 'shore',
      type: 'line',
      ...land,
      paint: { 'line-color': colour('--shore'), 'line-width': 0.6 },
    },
    'points',
  )
}

function pointsOf({ features }: FleetDocument): GeoJSON.FeatureCollection {
  return {
    type: 'FeatureCollection',
    features: features.map((feature) => ({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: feature.geometry.coordinates },
      properties: {
        kind: feature.properties.feature_type,
        about: [
          nameOf(feature),
          words.boxes(feature.properties.container_count),
          isShip(feature) ? words.positions[feature.properties.position] : '',
          freeDayOf(feature),
        ]
          .filter(Boolean)
          .join(' · '),
      },
    })),
  }
}

function freeDayOf({ properties: { free_until: free } }: FleetFeature): string {
  if (free === null) return ''
  const today = todayIn(free.timezone)
  return `${words.freeUntil} ${nameDay(free.on, today)}, ${describeDaysLeft(countDays(today, free.on))}`
}
