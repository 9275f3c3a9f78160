/** DCSA 2.2 events for tests: a valid one of each type, changed where the test says so. */

import { openDcsaSource } from '../../../src/connectors/dcsa/dcsa-source.ts'
import type { DcsaProfile } from '../../../src/connectors/dcsa/profile.ts'
import { standardProfile } from '../../../src/connectors/dcsa/profile.ts'
import type { PollRequest, Reading } from '../../../src/connectors/source.ts'
import type { EventObservation, FactObservation } from '../../../src/domain/statements/observation.ts'

export type Json = Record<string, unknown>

export const box = 'APZU4812090'
export const otherBox = 'LDFU1000018'
export const fetchedAt = '2026-03-01T00:00:00.000Z'

export const profile: DcsaProfile = { ...standardProfile, scac: 'ACLU', base: 'https://line.example' }
export const billRequest: PollRequest = { scac: 'ACLU', kind: 'bill_of_lading', number: 'HHL71800000' }
export const boxRequest: PollRequest = { scac: 'ACLU', kind: 'container', number: box }
export const bookingRequest: PollRequest = { scac: 'ACLU', kind: 'booking', number: 'ABC709951' }

let ids = 0
export function newId(): string {
  ids += 1
  return `00000000-0000-4000-8000-${String(ids).padStart(12, '0')}`
}

const call = {
  transportCallID: 'CALL-1',
  transportCallSequenceNumber: 1,
  UNLocationCode: 'USLAX',
  facilityTypeCode: 'POTE',
  modeOfTransport: 'VESSEL',
  exportVoyageNumber: '602E',
  importVoyageNumber: '601W',
  vessel: { vesselIMONumber: '9321483', vesselName: 'King of the Seas' },
}

function head(): Json {
  return {
    eventID: newId(),
    eventCreatedDateTime: '2026-01-10T00:00:00Z',
    eventClassifierCode: 'ACT',
    eventDateTime: '2026-01-09T14:00:00-08:00',
  }
}

export function transportEvent(changes: Json = {}): Json {
  return {
    ...head(),
    eventType: 'TRANSPORT',
    transportEventTypeCode: 'ARRI',
    transportCall: call,
    ...changes,
  }
}

export function callWith(changes: Json): Json {
  return { ...call, ...changes }
}

export function equipmentEvent(changes: Json = {}): Json {
  return {
    ...head(),
    eventType: 'EQUIPMENT',
    equipmentEventTypeCode: 'DISC',
    equipmentReference: box,
    emptyIndicatorCode: 'LADEN',
    transportCall: call,
    eventLocation: { UNLocationCode: 'USLAX', locationName: 'Los Angeles' },
    ...changes,
  }
}

export function shipmentEvent(changes: Json = {}): Json {
  return {
    ...head(),
    eventType: 'SHIPMENT',
    shipmentEventTypeCode: 'CONF',
    documentTypeCode: 'BKG',
    documentID: 'ABC709951',
    ...changes,
  }
}

const source = openDcsaSource()

export function readBody(body: unknown, request = billRequest, changes: Partial<DcsaProfile> = {}): Reading {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return readAnswer({ status: 200, contentType: 'application/json', text }, request, changes)
}

export function readAnswer(
  answer: { readonly status: number; readonly contentType: string | null; readonly text: string },
  request = billRequest,
  changes: Partial<DcsaProfile> = {},
): Reading {
  const { status, contentType, text } = answer
  return source.read({ status, contentType, body: Buffer.from(text), fetchedAt }, request, {
    ...profile,
    ...changes,
  })
}

export function eventsOf({ observations }: Reading): readonly EventObservation[] {
  return observations.filter((each) => each.kind === 'event')
}

export function onlyEventOf(reading: Reading): EventObservation {
  const [event, ...others] = eventsOf(reading)
  if (event === undefined || others.length > 0) throw new Error(`${others.length + 1} events, not one`)
  return event
}

export function factsOf({ observations }: Reading): Readonly<Record<string, unknown>> {
  const facts = observations.filter((each): each is FactObservation => each.kind === 'fact')
  return Object.fromEntries(facts.map((each) => [`${each.fact} ${each.equipment ?? '-'}`, each.value]))
}

/** What is wrong, briefly: `kind path`. */
export function issuesOf({ issues }: Reading): readonly string[] {
  return issues.map(({ kind, path }) => `${kind} ${path}`)
}
