/** The rules that the journeys of this installation follow, read once from its settings. */

import { defaultLookRules, type LookRules } from '../../core/looking/schedule.ts'
import { defaultLifecycleRules, type LifecycleRules } from '../../core/requests/lifecycle-rules.ts'
import { defaultProjectionRules, type ProjectionRules } from '../../core/shown/projection-rules.ts'
import type { Config } from '../../platform/config.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

export interface Rules {
  readonly lifecycle: LifecycleRules
  readonly looks: LookRules
  readonly projection: ProjectionRules
  /** True when subscribers hear what mended rules and readers change, as corrections. Otherwise it is only written. */
  readonly announcesMended: boolean
}

/** The rules of an installation whose operator changed no setting. */
export const defaultRules: Rules = {
  lifecycle: defaultLifecycleRules,
  looks: defaultLookRules,
  projection: defaultProjectionRules,
  announcesMended: true,
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
    looks: {
      ...defaultLookRules,
      underWayGapMs: tracking.lookGapHours * hourMs,
      nearGapMs: tracking.lookGapNearHours * hourMs,
      atTerminalGapMs: tracking.lookGapNearHours * hourMs,
      sharpGapMs: Math.min(defaultLookRules.sharpGapMs, tracking.lookGapNearHours * hourMs),
      gapMaxMs: tracking.lookGapQuietHours * hourMs,
    },
    projection: {
      ...defaultProjectionRules,
      estimateThresholdMs: tracking.estimateThresholdMinutes * minuteMs,
      podTerminalDwellMs: tracking.podTerminalDwellHours * hourMs,
    },
    announcesMended: tracking.mendedHistory === 'announce',
  }
}
