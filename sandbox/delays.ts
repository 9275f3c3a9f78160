/**
 * How a ship's arrival moves while it is awaited. The nearer it is, the less still changes; most changes are delays, a
 * few are gains. The chances are set so that the errors of the estimates, by days ahead, are those of a real line's
 * schedule (`src/reference/data/schedule-errors.tsv`); `test/sandbox/schedule-errors.test.ts` compares them.
 */
import { between, fraction } from './chance.ts'
import { DAY, HOUR } from './local-time.ts'

/** From `at` on the ship is expected at `eta`. */
export interface Expectation {
  readonly at: number
  readonly eta: number
}

/** So many delays and gains in a day, while the arrival is more than `from` days ahead. */
const CHANCES: readonly { readonly from: number; readonly delays: number; readonly gains: number }[] = [
  { from: 0, delays: 0.11, gains: 0.03 },
  { from: 1.3, delays: 0.045, gains: 0.07 },
  { from: 2.5, delays: 0.037, gains: 0.07 },
  { from: 4, delays: 0.03, gains: 0.05 },
  { from: 6, delays: 0.036, gains: 0.035 },
  { from: 8.5, delays: 0.012, gains: 0.03 },
  { from: 12, delays: 0.013, gains: 0.018 },
  { from: 17.5, delays: 0.014, gains: 0.011 },
  { from: 28, delays: 0.002, gains: 0.011 },
]
const DELAY = { mean: 55 * HOUR, spread: 1.1, most: 240 * HOUR }
const GAIN = { mean: 13 * HOUR, spread: 0.6 }
/** A ship gains at most this share of the time that is left. */
const GAIN_MOST = 0.2
/** In its last half day nobody knows more exactly when the ship is at its berth. */
const LAST = { before: 12 * HOUR, off: 4 * HOUR }

/** What is expected of an arrival, from a moment on until the ship is there; the last one comes true. */
export function expectationsOf(key: string, from: number, planned: number): readonly Expectation[] {
  const expectations: Expectation[] = [{ at: from, eta: planned }]
  let [now, eta] = [from, planned]
  for (let n = 0; n < 400; n++) {
    const left = (eta - now) / DAY
    const row = CHANCES.findLast((chance) => chance.from < left)
    if (row === undefined) break
    const wait = -Math.log(1 - fraction(`quiet|${key}|${n}`)) / (row.delays + row.gains)
    if (left - wait <= row.from) {
      now = eta - row.from * DAY
      continue
    }
    now += wait * DAY
    const isDelay = fraction(`delay|${key}|${n}`) < row.delays / (row.delays + row.gains)
    eta += isDelay
      ? Math.min(DELAY.most, sizeOf(`${key}|${n}`, DELAY))
      : -Math.min((eta - now) * GAIN_MOST, sizeOf(`${key}|${n}`, GAIN))
    expectations.push({ at: now, eta })
  }
  now = expectations.at(-1)?.at ?? from
  const off = between(`berth|${key}`, -1, 1) * between(`tide|${key}`, 0, LAST.off)
  expectations.push({ at: Math.max(now, eta - LAST.before), eta: eta + off })
  return expectations
}

/** The first moment at which the arrival is expected in this time or sooner. */
export function whenLeft(expectations: readonly Expectation[], left: number): number {
  for (const [n, { at, eta }] of expectations.entries()) {
    const until = expectations[n + 1]?.at ?? Number.POSITIVE_INFINITY
    if (eta - left < until) return Math.max(at, eta - left)
  }
  return 0
}

/** Log-normal: most are small, a few are very large. */
function sizeOf(key: string, { mean, spread }: { readonly mean: number; readonly spread: number }): number {
  const sum = [0, 1, 2, 3, 4, 5].reduce((total, n) => total + fraction(`size|${key}|${n}`), 0)
  return mean * Math.exp(spread * (sum - 3) * Math.SQRT2 - spread ** 2 / 2)
}
