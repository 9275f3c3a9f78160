/** Checks which events reached the webhook, and which failure reasons requests showed. */

import { contractEventNames } from '../../src/domain/changes/event-table.ts'
import { failedReasons } from '../../src/domain/tracking-requests/tracking-request-state.ts'
import type { Report } from '../kill/checks.ts'
import type { Lived } from './live.ts'

/** The sandbox does not simulate documents yet. */
const isPlayed = (event: string): boolean => !event.startsWith('document.')

/** A fault of our own program, which no world can cause. Tests in `test/support/` cover it. */
const ofOurOwn = 'internal_processing_error'

export function checkEvents({ heard }: Lived): Report {
  const wanted = contractEventNames.filter(isPlayed)
  return {
    says: `${[...heard.values()].reduce((sum, count) => sum + count, 0)} notifications tell of ${wanted.length} events.`,
    problems: wanted.flatMap((event) => (heard.has(event) ? [] : [`${event} was never heard`])),
  }
}

export function checkReasons({ reasons }: Lived): Report {
  const wanted = failedReasons.filter((reason) => reason !== ofOurOwn)
  return {
    says: `Requests show ${wanted.length} reasons for which they fail or wait.`,
    problems: wanted.flatMap((reason) => (reasons.has(reason) ? [] : [`${reason} was shown by none`])),
  }
}
