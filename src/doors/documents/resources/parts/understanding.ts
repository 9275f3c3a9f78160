/** The values for how well a line's answers are understood, shared by all resources that show this. */

import { Type } from 'typebox'
import { type AnswerWindow, isPartlyUnderstood } from '../../../../core/requests/understanding.ts'
import * as schema from '../../shape/schema.ts'

export const understandings = ['understood', 'partly understood'] as const

export function writeUnderstanding(isPartly: boolean): (typeof understandings)[number] {
  return isPartly ? 'partly understood' : 'understood'
}

export const recentAnswers = schema.anyOf([
  schema.object(
    {
      state: schema.oneOf(understandings),
      answers: Type.Integer({ minimum: 1 }),
      events: Type.Integer({ minimum: 1, description: 'Those that were to be read.' }),
      events_understood: Type.Integer({ minimum: 0 }),
    },
    {
      description:
        'How much is understood of the newest fifty answers that told something new; `partly understood` is less than nine tenths of the events. Null while there are none.',
    },
  ),
  schema.nothing(),
])

export function writeRecentAnswers(reading: AnswerWindow | null) {
  if (reading === null) return null
  const { answers, told, aside, understood } = reading
  const state = writeUnderstanding(isPartlyUnderstood(reading) === true)
  return { state, answers, events: told - aside, events_understood: understood }
}
