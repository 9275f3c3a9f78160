/** Draws the reliability curve as an SVG: how often predictions of a given confidence are right. */

import type { ConfidenceBin } from '../../src/inference/evaluate.ts'

export interface Curve {
  readonly name: string
  readonly colour: string
  readonly bins: readonly ConfidenceBin[]
}

const size = 320
const margin = { left: 56, top: 40, bottom: 88 }

/**
 * One point for each bin that has at least one in five hundred predictions. The area of the point is proportional to
 * the number of predictions.
 */
export function drawReliability(curves: readonly Curve[]): string {
  const x = (value: number) => round(margin.left + value * size)
  const y = (value: number) => round(margin.top + (1 - value) * size)
  const ticks = [0, 0.2, 0.4, 0.6, 0.8, 1]
  const width = margin.left + size + 24
  const height = margin.top + size + margin.bottom
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif" font-size="12">`,
    '<title>Reliability of carrier inference</title>',
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    `<text x="${margin.left}" y="22" font-size="14" fill="#1f2937">How often a confidence is right</text>`,
    ...ticks.flatMap((tick) => [
      `<path d="M${x(tick)} ${y(0)}V${y(1)}M${x(0)} ${y(tick)}H${x(1)}" stroke="#e5e7eb"/>`,
      `<text x="${x(tick)}" y="${y(0) + 18}" text-anchor="middle" fill="#4b5563">${tick}</text>`,
      `<text x="${x(0) - 8}" y="${y(tick) + 4}" text-anchor="end" fill="#4b5563">${tick}</text>`,
    ]),
    `<path d="M${x(0)} ${y(0)}L${x(1)} ${y(1)}" stroke="#9ca3af" stroke-dasharray="4 4"/>`,
    `<text x="${x(0.5)}" y="${y(0) + 36}" text-anchor="middle" fill="#1f2937">confidence of the first candidate</text>`,
    `<text transform="translate(16 ${y(0.5)}) rotate(-90)" text-anchor="middle" fill="#1f2937">part that is right</text>`,
    ...curves.flatMap((curve, index) => drawCurve(curve, index, x, y)),
    '</svg>',
  ].join('\n')}\n`
}

function drawCurve(
  { name, colour, bins }: Curve,
  index: number,
  x: (value: number) => number,
  y: (value: number) => number,
): readonly string[] {
  const all = bins.reduce((sum, { rows }) => sum + rows, 0)
  const shown = bins.filter(({ rows }) => rows > all / 500)
  const points = shown.map(({ rows, right, confidence }) => ({
    x: x(confidence),
    y: y(right / rows),
    radius: round(3 + 12 * Math.sqrt(rows / all)),
  }))
  const legendY = y(0) + 56 + index * 18
  return [
    `<polyline points="${points.map((point) => `${point.x},${point.y}`).join(' ')}" fill="none" stroke="${colour}" stroke-width="1.5"/>`,
    ...points.map(
      (point) => `<circle cx="${point.x}" cy="${point.y}" r="${point.radius}" fill="${colour}" fill-opacity="0.45"/>`,
    ),
    `<circle cx="${x(0) + 6}" cy="${legendY - 4}" r="5" fill="${colour}"/>`,
    `<text x="${x(0) + 18}" y="${legendY}" fill="#1f2937">${name}</text>`,
  ]
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
