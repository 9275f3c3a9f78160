/** Days and times of a document, as precise as they are printed: a day stays a day, and no zone is added. */

import {
  addMs,
  type EventTime,
  earlierOf,
  instantOf,
  laterOf,
  parseEventTime,
} from '../../../core/values/time.ts'
import { quoted } from '../../source-issue.ts'
import { lose, type SaidContext, textOf } from './context.ts'
import type { DocumentWord, SaidField } from './word.ts'

const twoYearsMs = 2 * 365 * 86_400_000
const earliest = '2000-01-01T00:00:00.000Z'

/** Null when there is none; null with an issue when it is unreadable or cannot be meant. */
export function timeOf(
  field: SaidField | null,
  context: Pick<SaidContext, 'issues' | 'heardAt'>,
): EventTime | null {
  const text = textOf(field)
  if (field === null || text === null) return null
  const time = parseEventTime(text)
  if (time === null)
    return lose(context, field, {
      kind: 'unreadable_time',
      detail: `${quoted(text)} is not an ISO 8601 time`,
    })
  const { at } = instantOf(time, null)
  if (at >= earliest && at <= addMs(context.heardAt, twoYearsMs)) return time
  return lose(context, field, {
    kind: 'implausible_time',
    detail: `${quoted(text)} is a placeholder or a mistake`,
  })
}

/**
 * Where the paper stands among other papers: at its date, a day counting from its first moment in UTC, else when it
 * came. No paper was written after it came.
 */
export function statedAtOf(
  writtenOn: EventTime | null,
  { receivedAt, after }: Pick<DocumentWord, 'receivedAt' | 'after'>,
): string {
  const writtenAt = writtenOn === null ? receivedAt : instantOf(writtenOn, null).at
  const statedAt = earlierOf(writtenAt, receivedAt)
  return after === null ? statedAt : laterOf(statedAt, addMs(after, 1))
}
