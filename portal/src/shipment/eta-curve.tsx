/** How the expected arrival moved: the estimate of the line, and our own estimate with its range. */

import { useEffect, useRef } from 'react'
import type uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { Shipment, ShipmentEta } from '../../../sdk/typescript/src/description.generated.ts'
import { useRead } from '../api/queries.ts'
import { colourOf } from '../parts/colour.ts'
import { localParts } from '../parts/time.ts'
import { shipmentWords as words } from '../words/shipment.ts'
import { words as common } from '../words/words.ts'

const heightPx = 240
const dayS = 86_400

export function EtaCurve({ shipment }: { shipment: Shipment }) {
  const found = useRead('/v2/shipments/{id}/etas', { ids: [shipment.id], query: { 'page[size]': 100 } })
  if (found.error !== null) return <p className="quiet">{found.error.message}</p>
  if (found.data === undefined) return <div className="curve" aria-busy="true" />
  const etas = found.data.data.map(({ attributes }) => attributes)
  if (etas.length === 0) return <p className="curve quiet">{words.curveNone}</p>
  return (
    <>
      <Curve etas={etas} zone={shipment.attributes.pod_timezone ?? null} />
      <p className="quiet">{etas.length === 1 ? words.curveOne : words.curveAbout}</p>
      <details>
        <summary>{words.statements}</summary>
        <table>
          <tbody>
            {etas.map((eta) => (
              <tr key={`${eta.heard_at} ${eta.source_code} ${eta.eta_at}`}>
                <td>{eta.source_code}</td>
                <td>{textOf(eta.eta_at, shipment.attributes.pod_timezone)}</td>
                <td className="quiet">
                  {words.readAt} {textOf(eta.heard_at, 'UTC')}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
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
  return (
    <div
      ref={place}
      className="curve"
      role="img"
      aria-label={`${words.curve}: ${textOf(latest?.eta_at, zone)}`}
    />
  )
}

async function drawCurve(
  element: HTMLElement,
  { etas, zone, signal }: { etas: readonly Eta[]; zone: string | null; signal: AbortSignal },
): Promise<void> {
  const { default: Plot } = await import('uplot')
  if (signal.aborted) return
  const plot = new Plot(
    optionsFor(element, { zone, stairs: Plot.paths.stepped?.({ align: 1 }) }),
    dataOf(etas),
    element,
  )
  const watch = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: heightPx }))
  watch.observe(element)
  signal.addEventListener('abort', () => {
    watch.disconnect()
    plot.destroy()
  })
}

/** Seconds on both axes. A word stands until the next one of the same speaker, so each speaker is a stair. */
function dataOf(etas: readonly Eta[]): uPlot.AlignedData {
  const told = etas
    .flatMap(({ heard_at: heard, eta_at: eta, said_by: by }) =>
      heard === undefined || eta === undefined
        ? []
        : [{ at: Date.parse(heard) / 1_000, eta: Date.parse(eta) / 1_000, isOurs: by === 'landfall' }],
    )
    .sort((a, b) => a.at - b.at)
  const lastAt = Math.max(
    ...told.map(({ at }) => at),
    Math.min(Date.now() / 1_000, Math.max(...told.map(({ eta }) => eta))),
  )
  const times = [...new Set([...told.map(({ at }) => at), lastAt])].sort((a, b) => a - b)
  const stair = (isOurs: boolean): (number | null)[] => {
    let value: number | null = null
    return times.map((time) => {
      const now = told.filter((each) => each.isOurs === isOurs && each.at === time).at(-1)
      value = now?.eta ?? value
      return value
    })
  }
  return [times, stair(false), stair(true)]
}

function optionsFor(
  element: HTMLElement,
  { zone, stairs }: { zone: string | null; stairs: uPlot.Series.PathBuilder | undefined },
): uPlot.Options {
  const colour = (name: string): string => colourOf(element, name)
  const axis = {
    stroke: colour('--quiet'),
    grid: { stroke: colour('--line') },
    ticks: { stroke: colour('--line') },
  }
  const day = (seconds: number): string =>
    localParts(new Date(seconds * 1_000).toISOString(), zone).day.slice(0, 6)
  const line = (label: string, stroke: string): uPlot.Series => ({
    label,
    stroke,
    width: 2,
    points: { show: true, size: 6 },
    spanGaps: true,
    ...(stairs === undefined ? {} : { paths: stairs }),
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
      axis,
      {
        ...axis,
        size: 64,
        values: (_, values) => values.map(day),
        incrs: [21_600, 43_200, 86_400, 172_800, 432_000, 864_000, 2_592_000],
      },
    ],
    series: [{}, line(words.theirs, colour('--accent')), line(words.ours, colour('--here'))],
  }
}
