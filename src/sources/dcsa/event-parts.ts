/**
 * Finds where an event has each piece of data. Four shapes are in use: flat (1.x and 2.2), `metadata` and `payload`
 * (3.0.0-Beta-1 of 2023), and the two nested ones of 3.0.0 (January and May 2026), which differ only in their names.
 */

import { isObject } from '../../core/values/json-value.ts'
import { findPlaceByCode } from '../../reference/places.ts'
import type { IssueList } from '../source-issue.ts'
import type { MemberName, Members } from './names.ts'
import { type Part, readPart, readParts } from './part.ts'

export interface EventParts {
  /** eventID, isRetracted, the time of creation or last update. */
  readonly head: Part
  /** The event's type, classifier and code. */
  readonly kind: Part
  readonly time: Part
  readonly call: Part | null
  readonly callLocation: Part | null
  readonly eventLocation: Part | null
  readonly vessel: Part | null
  /** equipmentReference, ISOEquipmentCode, emptyIndicatorCode. */
  readonly equipment: Part
  readonly seals: readonly Part[]
  readonly documents: readonly Part[]
  readonly references: readonly Part[]
  readonly shipmentLocation: Part | null
}

/** Null when the object has no field of an event: it is something else. */
export function findEventParts(value: Members, path: string, issues: IssueList): EventParts | null {
  const whole = { value, path }
  if (isObject(value['metadata']) && isObject(value['payload'])) return findBetaParts(whole, issues)
  if (isObject(value['eventClassification'])) return findNestedParts(whole, issues)
  return isEventLike(value) ? findFlatParts(whole, whole, issues) : null
}

function isEventLike(value: Members): boolean {
  return eventMembers.some((name) => value[name] !== undefined)
}

const eventMembers: readonly MemberName[] = [
  'eventID',
  'eventType',
  'eventDateTime',
  'eventClassifierCode',
  'eventCreatedDateTime',
  'isRetracted',
]

function findBetaParts(whole: Part, issues: IssueList): EventParts | null {
  const head = readPart(whole, 'metadata', issues)
  const payload = readPart(whole, 'payload', issues)
  return head === null || payload === null ? null : findFlatParts(head, payload, issues)
}

/** In the flat shape `head` and `body` are one object. */
function findFlatParts(head: Part, body: Part, issues: IssueList): EventParts {
  const first = body.value['transportCall'] === undefined ? findFirstCall(body) : null
  const call = first ?? readPart(body, 'transportCall', issues)
  const both = head === body ? [body] : [head, body]
  return {
    head,
    kind: body.value['eventType'] === undefined ? mergeKind(head, body) : body,
    time: body,
    call,
    callLocation: readLocation(call, 'location', issues),
    eventLocation: readLocation(body, 'eventLocation', issues),
    vessel: first === null ? readPart(call, 'vessel', issues) : first.vessel,
    equipment: body,
    seals: readParts(body, 'seals', issues),
    documents: both.flatMap((part) => [
      ...readParts(part, 'documentReferences', issues),
      ...readParts(part, 'relatedDocumentReferences', issues),
    ]),
    references: both.flatMap((part) => readParts(part, 'references', issues)),
    shipmentLocation: readPart(body, 'carrierSpecificData', issues),
  }
}

/** In 1.x place, mode, ship and voyage are members of the event itself; the mode decides what they mean. */
function findFirstCall(body: Part): (Part & { readonly vessel: Part | null }) | null {
  if (!firstMembers.some((name) => body.value[name] !== undefined)) return null
  const { transportReference, transportLegReference, ...rest } = body.value
  const isVessel = ['1', 'VESSEL'].includes(String(rest.modeOfTransportCode).toUpperCase())
  const vessel = isVessel ? { path: body.path, value: { vesselIMONumber: transportReference } } : null
  return {
    path: body.path,
    value: isVessel ? { ...rest, carrierVoyageNumber: transportLegReference } : rest,
    vessel,
  }
}

const firstMembers: readonly MemberName[] = ['UNLocationCode', 'facilityCode', 'modeOfTransportCode']

/** Beta-1 keeps the event's type in the metadata and its classifier and code in the payload. */
function mergeKind(head: Part, body: Part): Part {
  return head === body
    ? body
    : { value: { ...body.value, eventType: head.value['eventType'] }, path: body.path }
}

function findNestedParts(whole: Part, issues: IssueList): EventParts | null {
  const kind = readPart(whole, 'eventClassification', issues)
  if (kind === null) return null
  const call = readPart(readPart(whole, 'transportDetails', issues), 'transportCall', issues)
  const equipment = readPart(whole, 'equipmentDetails', issues)
  const shipment = readPart(whole, 'shipmentDetails', issues)
  const document = readPart(shipment, 'documentReference', issues)
  return {
    head: whole,
    kind,
    time: whole,
    call,
    callLocation: readLocation(call, 'location', issues),
    eventLocation: readLocation(whole, 'eventLocation', issues),
    vessel: readPart(call, 'vesselTransport', issues),
    equipment: equipment ?? { value: {}, path: `${whole.path}/equipmentDetails` },
    seals: readParts(equipment, 'seals', issues),
    documents: [
      ...(document === null ? [] : [document]),
      ...readParts(shipment, 'additionalDocumentReferences', issues),
    ],
    references: [
      ...readParts(shipment, 'shipmentReferences', issues),
      ...readParts(whole, 'references', issues),
    ],
    shipmentLocation: shipment,
  }
}

/** Some lines write the code or the name of a place in place of the object. */
function readLocation(part: Part | null, field: MemberName, issues: IssueList): Part | null {
  const text = part?.value[field]
  if (part === null || typeof text !== 'string') return readPart(part, field, issues)
  const isCode = findPlaceByCode(text) !== null
  return { value: { [isCode ? 'UNLocationCode' : 'locationName']: text }, path: `${part.path}/${field}` }
}
