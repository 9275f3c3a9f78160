/** How the expected arrival moved: the estimate of the line, and our own estimate with its range. */

import { useEffect, useRef } from 'react'
import type uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { Shipment, ShipmentEta } from '../../../sdk/typescript/src/description.generated.ts'
import { useRead } from '../api/queries.ts'
import { colourOf } from '../parts/colour.ts'
import { Panel } from '../parts/panel.tsx'
import { localParts, shownZone } from '../parts/time.ts'
import { shipmentWords as words } from '../words/shipment.ts'
import { words as common } from '../words/words.ts'
import { type Stair, stairsOf } from './eta-stairs.ts'

const heightPx = 240
/** Of the first ship, the second and so on. */
const dashes = [[], [6, 4], [2, 3]]
const dayS = 86_400

const hourMs = 3_600_000

/** Nothing where there is only one estimate, or all came at once. */
export function EtaCurve({ shipment }: { shipment: Shipment }) {
  const found = useRead('/v2/shipments/{id}/etas', { ids: [shipment.id], query: { 'page[size]': 100 } })
  const etas = (found.data?.data ?? []).map(({ attributes }) => attributes)
  const zone = shownZone(shipment.attributes.pod_timezone) ?? null
  const heard = etas.map(({ heard_at: at }) => Date.parse(at ?? ''))
  const isLong = Math.max(...heard) - Math.min(...heard) > hourMs
  if (!isLong || new Set(etas.map(({ eta_at: at }) => at)).size < 2) return null
  return (
    <Panel title={words.curve}>
      <Curve etas={etas} zone={zone} />
      <p className="quiet">{words.curveAbout}</p>
    </Panel>
  )
}

function textOf(at: string | undefined, zone: string | null | undefined): string {
  if (at === undefined) return common.said.unknown
  const { day, hour, zone: name } = localParts(at, zone)
  return `${day} ${hour} ${name ?? common.said.zoneUnknown}`
}

type Eta = ShipmentEta['attributes']

function Curve({ etas, zone }: { etas: readonly Eta[]; zone: string | null }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = place.current
    if (element === null) return
    const ending = new AbortController()
    // A browser in which the curve cannot be drawn still has the table below it.
    void drawCurve(element, { etas, zone, signal: ending.signal }).catch(() => undefined)
    return () => ending.abort()
  }, [etas, zone])
  const latest = etas[0]
  return <div ref={place} className="curve" role="img" aria-label={`${words.curve}: ${textOf(latest?.eta_at, zone)}`} />
}

async function drawCurve(
  element: HTMLElement,
  { etas, zone, signal }: { etas: readonly Eta[]; zone: string | null; signal: AbortSignal },
): Promise<void> {
  const { default: Plot } = await import('uplot')
  if (signal.aborted) return
  const { times, stairs } = stairsOf(etas, Date.now() / 1_000)
  const options = optionsFor(element, { zone, stairs, paths: Plot.paths.stepped?.({ align: 1 }) })
  // Seconds on both axes.
  const data: uPlot.AlignedData = [[...times], ...stairs.map(({ values }) => [...values])]
  const plot = new Plot(options, data, element)
  const watch = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: heightPx }))
  watch.observe(element)
  signal.addEventListener('abort', () => {
    watch.disconnect()
    plot.destroy()
  })
}

function optionsFor(
  element: HTMLElement,
  {
    zone,
    stairs,
    paths,
  }: { zone: string | null; stairs: readonly Stair[]; paths: uPlot.Series.PathBuilder | undefined },
): uPlot.Options {
  const colour = (name: string): string => colourOf(element, name)
  const axis = {
    stroke: colour('--quiet'),
    grid: { stroke: colour('--line') },
    ticks: { stroke: colour('--line') },
  }
  const day = (seconds: number): string => localParts(new Date(seconds * 1_000).toISOString(), zone).day.slice(0, 6)
  const ships = [...new Set(stairs.map(({ ship }) => ship))]
  const line = ({ isOurs, ship }: Stair): uPlot.Series => ({
    label: [isOurs ? words.ours : words.theirs, ...(ship === null ? [] : [ship])].join(' · '),
    stroke: colour(isOurs ? '--here' : '--accent'),
    width: 2,
    dash: dashes[ships.indexOf(ship) % dashes.length] ?? [],
    points: { show: true, size: 6 },
    ...(paths === undefined ? {} : { paths }),
    value: (_, value) => (value === null ? '–' : textOf(new Date(value * 1_000).toISOString(), zone)),
  })
  return {
    width: element.clientWidth,
    height: heightPx,
    scales: {
      x: { time: true, range: (_, min, max) => [min, Math.max(max, min + dayS)] },
      y: { range: (_, min, max) => [min - dayS, max + dayS] },
    },
    axes: [
      { ...axis, values: (_, values) => values.map(day) },
      {
        ...axis,
        size: 64,
        values: (_, values) => values.map(day),
        incrs: [21_600, 43_200, 86_400, 172_800, 432_000, 864_000, 2_592_000],
      },
    ],
    series: [{}, ...stairs.map(line)],
  }
}
