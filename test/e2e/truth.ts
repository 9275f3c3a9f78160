/** What truly happened to a number (`/sandbox/journeys`), and what the line stated so far (`/<scac>/v2/events`). */

import { addDays, instantOf, parseEventTime } from '../../src/domain/values/time.ts'
import { findPlaceByCode } from '../../src/reference/places.ts'

export interface Asked {
  readonly scac: string
  readonly kind: 'bill_of_lading' | 'booking' | 'container'
  readonly number: string
}

/** An event that truly happened to a container. */
export interface Fact {
  readonly event: string
  readonly load: string
  readonly mode: string
  readonly place: string
  readonly at: string
}

export interface Box {
  readonly number: string
  readonly events: readonly Fact[]
  /** The terminal of discharge and the ramp of the train, once those know about it. */
  readonly at_port: { readonly place: string } | null
  readonly at_ramp: { readonly place: string } | null
}

interface Journey {
  readonly booking: string
  readonly bill_of_lading: string
  readonly containers: readonly Box[]
}

/** The line's last statement about one event. */
export interface Word {
  readonly id: string
  readonly box: string
  readonly booking: string | null
  readonly code: string
  readonly load: string | null
  readonly place: string | null
  readonly call: string | null
  /** The call is at a berth: an arrival there means that the vessel berthed. */
  readonly atBerth: boolean
  readonly at: string
  /** If the line gave only a day: the first moment after that day in local time. */
  readonly dayEnds: string | null
}

export interface Truth {
  readonly journeys: readonly Journey[]
  readonly words: readonly Word[]
}

const questionNames = {
  bill_of_lading: 'transportDocumentReference',
  booking: 'carrierBookingReference',
  container: 'equipmentReference',
} as const

/** The truth at the sandbox's current time. */
export async function askTruth(sandboxUrl: string, asked: Asked): Promise<Truth> {
  const { scac, kind, number } = asked
  const journeys = await askJson(`${sandboxUrl}/sandbox/journeys/${encodeURIComponent(number)}?scac=${scac}`)
  const question = `${questionNames[kind]}=${encodeURIComponent(number)}&limit=1000`
  const answer = await askJson(`${sandboxUrl}/${scac.toLowerCase()}/v2/events?${question}`)
  const told = Array.isArray(journeys) ? (journeys as readonly Journey[]) : []
  return { journeys: told, words: lastStatements(eventsIn(answer), told) }
}

async function askJson(url: string): Promise<unknown> {
  const response = await fetch(url)
  const text = await response.text()
  return response.status === 200 ? (JSON.parse(text) as unknown) : null
}

interface DcsaEvent {
  readonly eventID: string
  readonly eventCreatedDateTime: string
  readonly eventClassifierCode: string
  readonly eventDateTime: string
  readonly eventType: string
  readonly transportEventTypeCode?: string
  readonly equipmentEventTypeCode?: string
  readonly equipmentReference?: string
  readonly emptyIndicatorCode?: string
  readonly documentReferences?: readonly {
    readonly documentReferenceType: string
    readonly documentReferenceValue: string
  }[]
  readonly references?: readonly { readonly referenceType: string; readonly referenceValue: string }[]
  readonly transportCall?: {
    readonly transportCallID: string
    readonly UNLocationCode: string
    readonly facilityTypeCode?: string
  }
}

function eventsIn(answer: unknown): readonly DcsaEvent[] {
  if (Array.isArray(answer)) return answer as readonly DcsaEvent[]
  return ((answer as { readonly events?: readonly DcsaEvent[] } | null)?.events ?? []) as readonly DcsaEvent[]
}

function lastStatements(events: readonly DcsaEvent[], journeys: readonly Journey[]): readonly Word[] {
  const words = new Map<string, Word>()
  const oldestFirst = events.toSorted((a, b) => (a.eventCreatedDateTime < b.eventCreatedDateTime ? -1 : 1))
  for (const event of oldestFirst) {
    if (event.eventClassifierCode !== 'ACT' || event.eventType === 'SHIPMENT') continue
    const booking =
      event.documentReferences?.find(({ documentReferenceType }) => documentReferenceType.startsWith('BKG'))
        ?.documentReferenceValue ?? null
    const code = event.transportEventTypeCode ?? event.equipmentEventTypeCode ?? ''
    const place = event.transportCall?.UNLocationCode ?? null
    for (const box of boxesOf(event, journeys, booking)) {
      words.set(
        `${box} ${code} ${event.emptyIndicatorCode ?? ''} ${event.transportCall?.transportCallID ?? event.eventID}`,
        {
          id: event.eventID,
          box,
          booking,
          code,
          load: event.emptyIndicatorCode ?? null,
          place,
          call: event.transportCall?.transportCallID ?? null,
          atBerth: event.transportCall?.facilityTypeCode === 'BRTH',
          ...momentAt(place, event.eventDateTime),
        },
      )
    }
  }
  return [...words.values()]
}

/** Without references a transport event is about all containers of its booking. */
function boxesOf(event: DcsaEvent, journeys: readonly Journey[], booking: string | null): readonly string[] {
  if (event.equipmentReference !== undefined) return [event.equipmentReference]
  const named = (event.references ?? []).filter(({ referenceType }) => referenceType === 'EQ')
  if (named.length > 0) return named.map(({ referenceValue }) => referenceValue)
  return journeys
    .filter((journey) => booking === null || journey.booking === booking)
    .flatMap(({ containers }) => containers.map(({ number }) => number))
}

/** A day is its local midnight, a time without zone is local time. */
function momentAt(place: string | null, text: string): Pick<Word, 'at' | 'dayEnds'> {
  const time = parseEventTime(text)
  if (time === null) throw new Error(`the sandbox wrote the time ${text}`)
  const zone = place === null ? null : (findPlaceByCode(place)?.timeZone ?? null)
  const dayAfter = time.kind === 'day' ? { ...time, on: addDays(time.on, 1) } : null
  return { at: instantOf(time, zone).at, dayEnds: dayAfter === null ? null : instantOf(dayAfter, zone).at }
}
