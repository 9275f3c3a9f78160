/** Decides what one page of an answer is, before its events are read: events, a refusal, or not an answer at all. */

import { isObject } from '../../domain/values/json-value.ts'
import { readErrorStatus, readJsonAnswer } from '../json-answer.ts'
import type { Page } from '../pages.ts'
import type { AnswerOutcome } from '../source.ts'
import type { IssueList } from '../source-issue.ts'
import { nameOfType } from './json-node.ts'
import { type Members, normalizeNames } from './names.ts'
import type { DcsaProfile } from './profile.ts'

interface FoundEvent {
  readonly value: unknown
  /** JSON pointer of the event. */
  readonly path: string
}

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

const lists = ['shipmentEvent', 'transportEvent', 'equipmentEvent'] as const

/**
 * Reads answers with a separate list for each type of event, and with common data outside the lists (HMM). The common
 * data are added to each event. Such an answer is recognised by its members, so no line is named here. Null for an answer
 * of another shape. The answer may be one object, or a list of them.
 */
function findSeparatedEvents(value: unknown): readonly FoundEvent[] | null {
  if (isObject(value)) return hasSeparateLists(value) ? eventsOf(value, '') : null
  if (!Array.isArray(value) || value.length === 0 || !value.every((each) => isObject(each) && hasSeparateLists(each)))
    return null
  return value.flatMap((each: Members, index) => eventsOf(each, `/${index}`))
}

function hasSeparateLists(value: Members): boolean {
  return lists.some((list) => Array.isArray(value[list]))
}

function eventsOf(answer: Members, path: string): readonly FoundEvent[] {
  const shipment = isObject(answer['shipment']) ? answer['shipment'] : {}
  const booking = shipment['carrierBookingReference']
  const documentReferences = [{ documentReferenceType: 'BKG', documentReferenceValue: booking }]
  const calls: readonly unknown[] = Array.isArray(answer['transportCall']) ? answer['transportCall'] : []
  return lists.flatMap((list) => {
    const events: unknown = answer[list]
    if (!Array.isArray(events)) return []
    return events.map((event: unknown, index) => ({
      value: isObject(event)
        ? { ...(booking !== undefined && { documentReferences }), ...event, ...mergeListedCall(event, calls) }
        : event,
      path: `${path}/${list}/${index}`,
    }))
  })
}

/** The event's own data about its call have priority over the call with the same id in the list. */
function mergeListedCall(event: Members, calls: readonly unknown[]): Members {
  const ownCall = event['transportCall']
  const id = isObject(ownCall) ? ownCall['transportCallID'] : undefined
  const listed = id && calls.find((call) => isObject(call) && call['transportCallID'] === id)
  if (!isObject(ownCall) || !isObject(listed)) return {}
  const statedMembers = Object.entries(ownCall).filter(([, value]) => value !== null && value !== '')
  return { transportCall: { ...listed, ...Object.fromEntries(statedMembers) } }
}
