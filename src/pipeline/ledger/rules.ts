/** The rules that the journeys of this installation follow, read once from its settings. */

import { defaultPollRules, type PollRules } from '../../domain/polling/schedule.ts'
import { defaultLifecycleRules, type LifecycleRules } from '../../domain/tracking-requests/lifecycle-rules.ts'
import { defaultProjectionRules, type ProjectionRules } from '../../domain/view/projection-rules.ts'
import type { Config } from '../../platform/config.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

export interface Rules {
  readonly lifecycle: LifecycleRules
  readonly polls: PollRules
  readonly projection: ProjectionRules
  /**
   * True when subscribers get what corrected rules and readers change, as corrections. Otherwise it is only written.
   */
  readonly publishesRepairs: boolean
}

/** The rules of an installation whose operator changed no setting. */
export const defaultRules: Rules = {
  lifecycle: defaultLifecycleRules,
  polls: defaultPollRules,
  projection: defaultProjectionRules,
  publishesRepairs: true,
}

export function readRules(config: Config): Rules {
  const { tracking } = config
  const retryFirstDelayMs = defaultLifecycleRules.retryFirstDelayMs * (tracking.retryWindowHours / 24)
  return {
    lifecycle: {
      ...defaultLifecycleRules,
      retriesMax: tracking.retriesMax,
      retryFirstDelayMs,
      manifestWaitDays: tracking.awaitingDays,
      arrivalWindowDays: tracking.stopAfterArrivalDays,
      fullOutWindowDays: tracking.stopAfterFullOutDays,
      noUpdatesWindowDays: tracking.stopWithoutUpdatesDays,
    },
    polls: {
      ...defaultPollRules,
      underWayGapMs: tracking.lookGapHours * hourMs,
      nearGapMs: tracking.lookGapNearHours * hourMs,
      atTerminalGapMs: tracking.lookGapNearHours * hourMs,
      sharpGapMs: Math.min(defaultPollRules.sharpGapMs, tracking.lookGapNearHours * hourMs),
      gapMaxMs: tracking.lookGapQuietHours * hourMs,
    },
    projection: {
      ...defaultProjectionRules,
      estimateThresholdMs: tracking.estimateThresholdMinutes * minuteMs,
      podTerminalDwellMs: tracking.podTerminalDwellHours * hourMs,
    },
    publishesRepairs: tracking.mendedHistory === 'announce',
  }
}
