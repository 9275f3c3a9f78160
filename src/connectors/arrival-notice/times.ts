/** Dates and times of a notice: `{value, classifier}`. A date is local to its place. */

import { type EventClassifier, eventClassifiers, isOneOf } from '../../domain/values/codes.ts'
import { type EventTime, instantOf, parseEventTime } from '../../domain/values/time.ts'
import { codeFor } from '../dcsa/codes.ts'
import type { ReadContext } from '../dcsa/context.ts'
import { type JsonNode, readObject, readText } from '../dcsa/json-node.ts'
import type { MemberName } from '../dcsa/names.ts'
import { quoteValue } from '../source-issue.ts'

export interface ClassifiedTime {
  readonly time: EventTime
  /** Null when the notice does not state whether it is planned, estimated or actual. */
  readonly classifier: EventClassifier | null
}

const twoYearsMs = 2 * 365 * 86_400_000

/** Null when there is no time; null with an issue when it is unreadable or implausible. */
export function readClassifiedTime(
  node: JsonNode | null,
  field: MemberName,
  { issues, profile, fetchedAtMs }: ReadContext,
): ClassifiedTime | null {
  const dated = readObject(node, field, issues)
  const text = dated === null ? null : readText(dated, 'value', issues)
  if (dated === null || text === null) return null
  const at = { path: `${dated.path}/value`, lost: 'field' } as const
  const time = parseEventTime(text)
  if (time === null) {
    issues.add('unreadable_time', at, `${quoteValue(text)} is not an ISO 8601 time`)
    return null
  }
  const ms = Date.parse(instantOf(time, null).at)
  if (ms < Date.UTC(2000, 0, 1) || ms > fetchedAtMs + twoYearsMs) {
    issues.add('implausible_time', at, `${quoteValue(text)} is a placeholder or a mistake`)
    return null
  }
  const rawClassifier = readText(dated, 'classifier', issues)
  const classifier = rawClassifier === null ? null : codeFor('classifier', rawClassifier, profile.enumAliases)
  return { time, classifier: isOneOf(eventClassifiers, classifier) ? classifier : null }
}
