/**
 * Reads answers with a separate list for each type of event, and with common data outside the lists (HMM). The common
 * data are added to each event. Such an answer is recognised by its members, so no line is named here.
 */

import { isObject } from '../../domain/values/json-value.ts'
import type { Members } from './names.ts'

export interface FoundEvent {
  readonly value: unknown
  /** JSON pointer of the event. */
  readonly path: string
}

const lists = ['shipmentEvent', 'transportEvent', 'equipmentEvent'] as const

/** Null for an answer of another shape. The answer may be one object, or a list of them. */
export function findSeparatedEvents(value: unknown): readonly FoundEvent[] | null {
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
