/** The events of a container whose next event is overdue, or is overdue no longer. */

import { type Expectation, groundOf, proofOf, type SourceState } from '../../domain/view/expectation.ts'
import type { DomainEvent } from '../../pipeline/projection/domain-events-sql.ts'
import { uuidV7 } from '../../platform/ids.ts'

/** Why it is overdue no longer: the event was told, the estimate or the event before changed, or tracking has stopped. */
export const endings = ['reported', 'changed', 'not_tracked'] as const
export type Ending = (typeof endings)[number]

export type OverdueChange =
  | { readonly kind: 'started'; readonly state: SourceState; readonly lastAnswerAt: string | null }
  | { readonly kind: 'ended'; readonly ending: Ending }

/** `at`: now on the clock of the account's journeys. */
export function overdueEvent(
  container: { readonly id: string; readonly shipmentId: string },
  expectation: Expectation,
  change: OverdueChange,
  at: string,
): DomainEvent {
  const id = uuidV7(Date.parse(at))
  const isStart = change.kind === 'started'
  return {
    id,
    name: `container.overdue.${change.kind}`,
    referenceId: id,
    trackingRequestId: null,
    shipmentId: container.shipmentId,
    containerId: container.id,
    payload: {
      timestamp: at,
      ...writeExpectation(expectation, at),
      source_state: isStart ? change.state : null,
      source_answered_at: isStart ? change.lastAnswerAt : null,
      ended_by: isStart ? null : change.ending,
    },
  }
}

/** In wire names; `expectationSchema` describes it. */
export function writeExpectation(expectation: Expectation, now: string): Readonly<Record<string, unknown>> {
  return {
    leg: expectation.leg,
    expected: expectation.expected,
    after: expectation.after,
    after_at: expectation.afterAt,
    estimate_at: expectation.estimateAt,
    due_at: expectation.dueAt,
    usual_hours: Math.round(expectation.usualHours),
    limit_hours: Math.round(Math.max(0, expectation.limitHours)),
    by: expectation.by,
    cases: expectation.cases,
    sentence: `${proofOf(expectation, now)} ${groundOf(expectation)}`,
  }
}
