/** What became of the requests of an upgrade: which were refused or cut when they must not be, and how long they took. */

import type { Report } from '../kill/checks.ts'
import type { Balancer } from './balancer.ts'

type Sending = Balancer['sendings'][number]

/** One state of affairs during the upgrade, with what was sent in it. */
export interface Phase {
  readonly name: string
  readonly seconds: number
  readonly sendings: readonly Sending[]
}

/** A server that was told to stop may cut connections and answer 503. Nothing else may answer 5xx, or not at all. */
export function checkAnswers(sendings: readonly Sending[]): Report {
  const failed = sendings.filter(({ status }) => status === 0 || status >= 500 || status === 429)
  const wrong = failed.filter((sending) => !isOfStop(sending))
  return {
    says: `${sendings.length - failed.length} requests were answered; ${failed.length} were cut or refused by a server that was told to stop, and answered by another.`,
    problems: wrong.map(
      ({ phase, what, status, error, target, tookMs }) =>
        `${phase}: ${what} got ${status === 0 ? 'no answer' : status} from ${target.name} after ${Math.round(tookMs)} ms: ${error}`,
    ),
  }
}

function isOfStop({ target, status, atMs, tookMs }: Sending): boolean {
  const isStopping = target.stoppedAtMs !== null && atMs + tookMs >= target.stoppedAtMs
  return isStopping && (status === 0 || status === 503)
}

/** A table of the phases for people. */
export function writePhases(phases: readonly Phase[]): readonly string[] {
  const rows = phases.map(({ name, seconds, sendings }) => {
    const isFast = (what: string): boolean => what !== 'GET /v2/events'
    const taken = sendings.filter(({ what }) => isFast(what)).toSorted((a, b) => a.tookMs - b.tookMs)
    const at = (share: number): string =>
      taken.length === 0 ? '–' : String(Math.round(taken[Math.ceil(taken.length * share) - 1]?.tookMs ?? 0))
    const failed = sendings.filter(({ status }) => status === 0 || status >= 500)
    return [
      name,
      seconds.toFixed(1),
      String(sendings.length),
      at(0.5),
      at(0.99),
      at(1),
      String(failed.length),
      taken.at(-1)?.what ?? '',
    ]
  })
  const head = ['', 'seconds', 'requests', 'median ms', '99 % ms', 'slowest ms', 'cut', 'slowest']
  const widths = head.map((title, column) =>
    Math.max(...[head, ...rows].map((row) => (row[column] ?? '').length), title.length),
  )
  return [head, ...rows].map((row) =>
    row
      .map((cell, column) =>
        column === 0 || column === 7 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  )
}

/** What came by the feed is every event that there was when it was read to its end. That none was left out is seen on the way. */
export function checkFeed(fed: readonly number[], told: number): Report {
  const last = fed.at(-1) ?? 0
  return {
    says: `The feed gave all ${last} events in order, each once, through every server.`,
    problems: last >= told ? [] : [`the feed ended with event ${last}; there were ${told}`],
  }
}
