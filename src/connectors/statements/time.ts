/** Reads times as precise as they are given: an instant with its zone, a wall clock without one, or a day. */

import { type EventTime, instantOf, parseEventTime } from '../../domain/values/time.ts'
import { quoteValue } from '../source-issue.ts'
import { StatementProblem } from './problem.ts'

export function readTime(text: string, field: string): EventTime {
  const time = parseEventTime(text)
  if (time === null) throw new StatementProblem('unreadable_time', field, `${quoteValue(text)} is not an ISO 8601 time`)
  if (Date.parse(instantOf(time, null).at) >= Date.UTC(2000, 0, 1)) return time
  throw new StatementProblem('implausible_time', field, `${quoteValue(text)} is a placeholder or a mistake`)
}

/** Statements are ordered by this time, so it must be an instant with a zone. */
export function readWrittenAt(text: string | undefined): string | null {
  if (text === undefined) return null
  const time = readTime(text, '/written_at')
  if (time.kind === 'instant') return time.at
  throw new StatementProblem(
    'time_without_zone',
    '/written_at',
    'the time has no zone: add Z or an offset such as +01:00',
  )
}
