/**
 * Finds where an event has each piece of data. Four shapes are in use: flat (1.x and 2.2), `metadata` and `payload`
 * (3.0.0-Beta-1 of 2023), and the two nested ones of 3.0.0 (January and May 2026), which differ only in their names.
 */

import { isObject } from '../../domain/values/json-value.ts'
import { findPlaceByCode } from '../../reference/places.ts'
import type { IssueList } from '../source-issue.ts'
import { type JsonNode, readObject, readObjects } from './json-node.ts'
import type { MemberName, Members } from './names.ts'

export interface EventNodes {
  /** eventID, isRetracted, the time of creation or last update. */
  readonly head: JsonNode
  /** The event's type, classifier and code. */
  readonly kind: JsonNode
  readonly time: JsonNode
  readonly call: JsonNode | null
  readonly callLocation: JsonNode | null
  readonly eventLocation: JsonNode | null
  readonly vessel: JsonNode | null
  /** equipmentReference, ISOEquipmentCode, emptyIndicatorCode. */
  readonly equipment: JsonNode
  readonly seals: readonly JsonNode[]
  readonly documents: readonly JsonNode[]
  readonly references: readonly JsonNode[]
  readonly shipmentLocation: JsonNode | null
}

/** Null when the object has no field of an event: it is something else. */
export function findEventNodes(value: Members, path: string, issues: IssueList): EventNodes | null {
  const whole = { value, path }
  if (isObject(value['metadata']) && isObject(value['payload'])) return findBetaNodes(whole, issues)
  if (isObject(value['eventClassification'])) return findNestedNodes(whole, issues)
  return isEventLike(value) ? findFlatNodes(whole, whole, issues) : null
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

function findBetaNodes(whole: JsonNode, issues: IssueList): EventNodes | null {
  const head = readObject(whole, 'metadata', issues)
  const payload = readObject(whole, 'payload', issues)
  return head === null || payload === null ? null : findFlatNodes(head, payload, issues)
}

/** In the flat shape `head` and `body` are one object. */
function findFlatNodes(head: JsonNode, body: JsonNode, issues: IssueList): EventNodes {
  const first = body.value['transportCall'] === undefined ? findFirstCall(body) : null
  const call = first ?? readObject(body, 'transportCall', issues)
  const both = head === body ? [body] : [head, body]
  return {
    head,
    kind: body.value['eventType'] === undefined ? mergeKind(head, body) : body,
    time: body,
    call,
    callLocation: readLocation(call, 'location', issues),
    eventLocation: readLocation(body, 'eventLocation', issues),
    vessel: first === null ? readObject(call, 'vessel', issues) : first.vessel,
    equipment: body,
    seals: readObjects(body, 'seals', issues),
    documents: both.flatMap((node) => [
      ...readObjects(node, 'documentReferences', issues),
      ...readObjects(node, 'relatedDocumentReferences', issues),
    ]),
    references: both.flatMap((node) => readObjects(node, 'references', issues)),
    shipmentLocation: readObject(body, 'carrierSpecificData', issues),
  }
}

/** In 1.x place, mode, ship and voyage are members of the event itself; the mode decides what they mean. */
function findFirstCall(body: JsonNode): (JsonNode & { readonly vessel: JsonNode | null }) | null {
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

/** Beta-1 has the event's type in the metadata and its classifier and code in the payload. */
function mergeKind(head: JsonNode, body: JsonNode): JsonNode {
  return head === body ? body : { value: { ...body.value, eventType: head.value['eventType'] }, path: body.path }
}

function findNestedNodes(whole: JsonNode, issues: IssueList): EventNodes | null {
  const kind = readObject(whole, 'eventClassification', issues)
  if (kind === null) return null
  const call = readObject(readObject(whole, 'transportDetails', issues), 'transportCall', issues)
  const equipment = readObject(whole, 'equipmentDetails', issues)
  const shipment = readObject(whole, 'shipmentDetails', issues)
  const document = readObject(shipment, 'documentReference', issues)
  return {
    head: whole,
    kind,
    time: whole,
    call,
    callLocation: readLocation(call, 'location', issues),
    eventLocation: readLocation(whole, 'eventLocation', issues),
    // Some carriers that push 3.0 use the member of 2.2.
    vessel: readObject(call, 'vesselTransport', issues) ?? readObject(call, 'vessel', issues),
    equipment: equipment ?? { value: {}, path: `${whole.path}/equipmentDetails` },
    seals: readObjects(equipment, 'seals', issues),
    documents: [
      ...(document === null ? [] : [document]),
      ...readObjects(shipment, 'additionalDocumentReferences', issues),
    ],
    references: [...readObjects(shipment, 'shipmentReferences', issues), ...readObjects(whole, 'references', issues)],
    shipmentLocation: shipment,
  }
}

/** Some lines write the code or the name of a place in place of the object. */
function readLocation(node: JsonNode | null, field: MemberName, issues: IssueList): JsonNode | null {
  const text = node?.value[field]
  if (node === null || typeof text !== 'string') return readObject(node, field, issues)
  const isCode = findPlaceByCode(text) !== null
  return { value: { [isCode ? 'UNLocationCode' : 'locationName']: text }, path: `${node.path}/${field}` }
}
