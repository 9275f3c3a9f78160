/** The values for how well a line's answers are understood, shared by all resources that show this. */

import * as schema from '../../api/shape/schema.ts'
import { type AnswerWindow, isPartlyUnderstood } from '../../domain/tracking-requests/event-counts.ts'
import { Type } from '../../platform/json-schema.ts'

export const understandings = ['understood', 'partly understood'] as const

export function writeUnderstanding(isPartly: boolean): (typeof understandings)[number] {
  return isPartly ? 'partly understood' : 'understood'
}

export const recentAnswers = schema.anyOf([
  schema.object(
    {
      state: schema.oneOf(understandings),
      answers: Type.Integer({ minimum: 1 }),
      events: Type.Integer({ minimum: 1, description: 'Number of events that should be read.' }),
      events_understood: Type.Integer({ minimum: 0 }),
    },
    {
      description:
        'How much was understood of the newest fifty answers that contained something new. An answer is `partly understood` if less than nine tenths of its events were understood. Null if there are no such answers.',
    },
  ),
  schema.nothing(),
])

export function writeRecentAnswers(reading: AnswerWindow | null) {
  if (reading === null) return null
  const { answers, told: stated, aside: ignored, understood } = reading
  const state = writeUnderstanding(isPartlyUnderstood(reading) === true)
  return { state, answers, events: stated - ignored, events_understood: understood }
}
