/**
 * Answers that keep each type of event in a list of its own, and what is common to all beside them (HMM): as events
 * that bear it themselves. A shape is told by its members, so no line is named here.
 */

import { isObject } from '../../core/json-value.ts'
import type { Members } from './names.ts'

export interface FoundEvent {
  readonly value: unknown
  /** JSON pointer of the event. */
  readonly path: string
}

const lists = ['shipmentEvent', 'transportEvent', 'equipmentEvent'] as const

/** Null when it is no such answer. It may be one object, or a list of them. */
export function findEventsInParts(value: unknown): readonly FoundEvent[] | null {
  if (isObject(value)) return isInParts(value) ? eventsOf(value, '') : null
  if (
    !Array.isArray(value) ||
    value.length === 0 ||
    !value.every((each) => isObject(each) && isInParts(each))
  )
    return null
  return value.flatMap((each: Members, index) => eventsOf(each, `/${index}`))
}

function isInParts(value: Members): boolean {
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
        ? { ...(booking !== undefined && { documentReferences }), ...event, ...completedCall(event, calls) }
        : event,
      path: `${path}/${list}/${index}`,
    }))
  })
}

/** What an event says of its call itself counts before what the list says of the call of that id. */
function completedCall(event: Members, calls: readonly unknown[]): Members {
  const own = event['transportCall']
  const id = isObject(own) ? own['transportCallID'] : undefined
  const listed = id && calls.find((call) => isObject(call) && call['transportCallID'] === id)
  if (!isObject(own) || !isObject(listed)) return {}
  const said = Object.entries(own).filter(([, value]) => value !== null && value !== '')
  return { transportCall: { ...listed, ...Object.fromEntries(said) } }
}
