/** Decides what one page of an answer is, before its events are read: events, a refusal, or not an answer at all. */

import { isObject } from '../../domain/values/json-value.ts'
import { readErrorStatus, readJsonAnswer } from '../json-answer.ts'
import type { Page } from '../pages.ts'
import type { AnswerOutcome } from '../source.ts'
import type { IssueList } from '../source-issue.ts'
import { nameOfType } from './json-node.ts'
import { normalizeNames } from './names.ts'
import type { DcsaProfile } from './profile.ts'
import { type FoundEvent, findSeparatedEvents } from './separated-events.ts'

export type Answer =
  | { readonly kind: 'events'; readonly events: readonly FoundEvent[] }
  | { readonly kind: 'none'; readonly outcome: AnswerOutcome }

type Context = { readonly issues: IssueList; readonly profile: DcsaProfile }

export function readAnswer(page: Page, context: Context): Answer {
  const answer = readJsonAnswer(page, { issues: context.issues, errorPatterns: context.profile })
  if (answer.kind === 'none') return answer
  if (answer.kind === 'nothing') return { kind: 'events', events: [] }
  context.issues.pointBy(normalizeNames(answer.value))
  return readEvents(answer.value, answer.text, context)
}

function rejectAnswer(outcome: AnswerOutcome): Answer {
  return { kind: 'none', outcome }
}

function readEvents(value: unknown, text: string, context: Context): Answer {
  const { issues, profile } = context
  // Some gateways answer 200 with the error of the system behind them inside.
  const stated = isObject(value) && value['events'] === undefined ? Number(value['statusCode']) : Number.NaN
  if (stated >= 400 && stated < 600)
    return rejectAnswer(readErrorStatus(stated, text, { issues, errorPatterns: profile }))
  const found = findEvents(value)
  if (found === null) {
    const what = `a list of events, or an object with one, was expected, not ${nameOfType(value)}`
    issues.add('wrong_structure', { path: '', lost: 'answer' }, what)
    return rejectAnswer('unrecognized')
  }
  if (profile.body !== 'any' && profile.body !== found.shape) {
    const what = `the profile expects the shape ${profile.body}, but the answer has the shape ${found.shape}`
    issues.add('other_body_shape', { path: '', lost: 'nothing' }, what)
  }
  return { kind: 'events', events: found.events }
}

type Shape = Exclude<DcsaProfile['body'], 'any'>

function findEvents(value: unknown): { readonly shape: Shape; readonly events: readonly FoundEvent[] } | null {
  const separated = findSeparatedEvents(value)
  if (separated !== null) return { shape: 'parts', events: separated }
  const shape = Array.isArray(value) ? 'array' : 'events'
  const list: unknown = isObject(value) ? value['events'] : value
  const path = shape === 'array' ? '' : '/events'
  return Array.isArray(list)
    ? { shape, events: list.map((event, index) => ({ value: event, path: `${path}/${index}` })) }
    : null
}
