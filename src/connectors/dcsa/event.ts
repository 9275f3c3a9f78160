/** Reads one event of an answer, in any of DCSA's shapes. Everything that is wrong in the event becomes an issue. */

import { nowhere, type ObservedPlace, type ObservedVessel } from '../../domain/statements/observation.ts'
import {
  type EmptyIndicator,
  type EventClassifier,
  type EventCode,
  equipmentEventCodes,
  eventClassifiers,
  isOneOf,
  shipmentEventCodes,
  transportEventCodes,
} from '../../domain/values/codes.ts'
import { isObject } from '../../domain/values/json-value.ts'
import type { EventTime } from '../../domain/values/time.ts'
import { IssueList, quoteValue } from '../source-issue.ts'
import { readCall, type StatedCall } from './call.ts'
import { codeFor } from './codes.ts'
import type { ReadContext } from './context.ts'
import { type DocumentNumber, readDocument, readDocuments, type StatedDocument } from './documents.ts'
import { readEquipment, readLoad, readSeal, readSizeType, type Seal } from './equipment.ts'
import { type EventNodes, findEventNodes } from './event-parts.ts'
import { nameOfType, pointTo, readFirstText, readText } from './json-node.ts'
import { readEventTime, readStatedAt } from './moment.ts'
import type { MemberName } from './names.ts'
import { readPlace } from './place.ts'
import { readVessel } from './vessel.ts'

const eventTypes = ['TRANSPORT', 'EQUIPMENT', 'SHIPMENT'] as const
type EventType = (typeof eventTypes)[number]

export interface StatedEvent extends StatedCall {
  readonly kind: 'event'
  readonly id: string | null
  /**
   * `path`: JSON pointer of the id. `isVersion3`: in 3.0, ids are free text and the latest statement under an id
   * counts.
   */
  readonly path: string
  readonly isVersion3: boolean
  readonly isRetracted: boolean
  readonly type: EventType
  readonly classifier: EventClassifier
  readonly code: EventCode | null
  /** The code as the line wrote it; for a shipment event followed by the type of its document. */
  readonly original: string
  readonly statedAt: string | null
  /** Null for a planned ship's call without a time. */
  readonly time: EventTime | null
  readonly place: ObservedPlace
  readonly vessel: ObservedVessel | null
  readonly load: EmptyIndicator | null
  /** ISO 6346 numbers that the event is about: one for an equipment event, any number for a transport event. */
  readonly equipment: readonly string[]
  readonly sizeType: string | null
  readonly seals: readonly Seal[]
  /** The document that a shipment event is about. */
  readonly document: StatedDocument | null
  readonly documents: readonly DocumentNumber[]
  /** POL, POD, PDE …: the role of the place in the shipment, if the line gives it. */
  readonly placeRole: string | null
}

/** The source withdraws its statement with this id. */
export interface Withdrawal {
  readonly kind: 'withdrawal'
  readonly id: string
}

/**
 * One event may state something and withdraw something else (`retractedEventID`). Empty when the event is unreadable.
 */
export function readEvent(value: unknown, path: string, context: ReadContext): readonly (StatedEvent | Withdrawal)[] {
  const { issues } = context
  if (!isObject(value)) {
    issues.add('wrong_structure', { path, lost: 'event' }, `an event was expected, not ${nameOfType(value)}`)
    return []
  }
  const nodes = findEventNodes(value, path, issues)
  if (nodes === null) {
    issues.add('wrong_structure', { path, lost: 'event' }, 'the object has no member of an event')
    return []
  }
  const isVersion3 = nodes.kind.path.endsWith('/eventClassification') || value['isRetracted'] !== undefined
  const id = readId(nodes, { issues, isVersion3 })
  const earlier = readText(nodes.head, 'retractedEventID', issues)
  const withdrawals: Withdrawal[] = earlier === null ? [] : [{ kind: 'withdrawal', id: earlier }]
  const isRetracted = nodes.head.value['isRetracted'] === true
  if (isRetracted && id !== null) {
    // The other data of a retracted event are irrelevant (3.0), so its faults are no issues; what can be read is passed
    // on.
    const event = readStatement(nodes, { ...context, issues: new IssueList(issues.page), id, isVersion3 })
    return [...(event === null ? [] : [{ ...event, isRetracted }]), { kind: 'withdrawal', id }, ...withdrawals]
  }
  const event = readStatement(nodes, { ...context, id, isVersion3 })
  return event === null ? withdrawals : [event, ...withdrawals]
}

/**
 * Null for an id that is not usable as a key. 2.2 requires a UUID; any other text works too while it is unique. A JSON
 * number is refused, because it may have lost digits. Before 3.0, an id that contains the event's own time is refused
 * too: it changes with each new estimate, and the old estimate would stay.
 */
function readId(
  { head, time }: EventNodes,
  { issues, isVersion3 }: { readonly issues: IssueList; readonly isVersion3: boolean },
): string | null {
  const at = { path: `${head.path}/eventID`, lost: 'field' } as const
  const value = head.value['eventID']
  if (typeof value === 'number') {
    issues.add('wrong_type', at, 'a text was expected, not a number')
    return null
  }
  const id = readText(head, 'eventID', issues)
  if (id !== null && typeof value === 'string' && value.length > 300) {
    issues.add('bad_event_id', at, 'the id has more than 300 characters')
    return null
  }
  const happensAt = time.value['eventDateTime']
  const toTheMinute = typeof happensAt === 'string' ? happensAt.slice(0, 16) : ''
  if (id !== null && !isVersion3 && toTheMinute.length === 16 && id.includes(toTheMinute)) {
    issues.addOnce(
      'bad_event_id',
      { ...at, lost: 'nothing' },
      'the id contains the time of its event and changes with each estimate: it is not used',
    )
    return null
  }
  return id
}

function readStatement(
  nodes: EventNodes,
  context: ReadContext & { readonly id: string | null; readonly isVersion3: boolean },
): StatedEvent | null {
  const { issues, profile } = context
  const type = readType(nodes, context)
  const classifier = type === null ? null : readClassifier(nodes, context)
  if (type === null || classifier === null) return null
  const coded = readCode(nodes, type, context)
  if (coded === null) return null
  const isStatedAnew = type === 'TRANSPORT' && profile.restatesTransport === true
  const statedAt = isStatedAnew ? null : readStatedAt(nodes.head, context)
  const call = readCall(nodes.call, coded.code, context)
  const place = type === 'SHIPMENT' ? nowhere : readPlace(nodes, { ...context, mode: call.mode })
  const isUndated = isUndatedPlan(nodes, { classifier, code: coded.code })
  const time = isUndated ? null : readEventTime(nodes.time, { ...context, place })
  if (time === null && !isUndated) return null
  if (type === 'TRANSPORT') reportMissingCall(nodes, context)
  const equipment = readEquipment(nodes, type, context)
  if (equipment === null) return null
  const documents = readDocuments(nodes, context)
  const document = type === 'SHIPMENT' ? readDocument(nodes, context) : null
  return {
    kind: 'event',
    id: context.id,
    path: `${nodes.head.path}/eventID`,
    isVersion3: context.isVersion3,
    isRetracted: false,
    type,
    classifier,
    code: coded.code,
    original: document === null ? coded.original : `${coded.original} ${document.type}`,
    statedAt,
    time,
    place,
    vessel: readVessel(nodes.vessel, context),
    ...call,
    load: readLoad(nodes.equipment, context),
    equipment,
    sizeType: type === 'EQUIPMENT' ? readSizeType(nodes.equipment, issues) : null,
    seals: nodes.seals.flatMap((seal) => readSeal(seal, issues)),
    document,
    documents: document?.number ? [...documents, { type: document.type, number: document.number }] : documents,
    placeRole: readPlaceRole(nodes, context),
  }
}

function reportMissingCall({ call, time }: EventNodes, { issues, profile }: ReadContext): void {
  if (call !== null || profile.mayLack.includes('transportCall')) return
  const at = { path: `${time.path}/transportCall`, lost: 'field' } as const
  issues.addOnce('missing_field', at, 'the transport event has no transport call')
}

/** A planned ship's call without a time only states where the ship goes. */
function isUndatedPlan({ time }: EventNodes, { classifier, code }: Pick<StatedEvent, 'classifier' | 'code'>): boolean {
  const rawTime = time.value['eventDateTime']
  const isMove = code === 'ARRI' || code === 'DISC' || code === 'LOAD' || code === 'DEPA'
  return classifier !== 'ACT' && isMove && (rawTime === undefined || rawTime === null || rawTime === '')
}

function readType({ kind }: EventNodes, { issues, profile }: ReadContext): EventType | null {
  const isNested = kind.path.endsWith('/eventClassification')
  const fields: readonly MemberName[] = isNested ? ['eventType', 'eventTypeCode'] : ['eventType']
  const rawText = readFirstText(kind, fields, issues)
  const at = { path: pointTo(kind, fields), lost: 'event' } as const
  if (rawText === null) {
    // Events before 1.2 have no type. Their code decides it, because no code belongs to two types.
    const code = isNested ? null : readText(kind, 'eventTypeCode', issues)
    const type = code === null ? undefined : eventTypes.find((each) => isOneOf(codes[each], code))
    if (type !== undefined) return type
    issues.add('missing_field', at, 'the event has no type')
    return null
  }
  const type = codeFor('eventType', rawText, profile.enumAliases)
  if (isOneOf(eventTypes, type)) return type
  // Reports of sensors and cooling units do not move a container; they stay only in the snapshot.
  const isKnown = type === 'IOT' || type === 'REEFER'
  issues.add(
    isKnown ? 'unsupported_event' : 'unknown_code',
    at,
    `${quoteValue(rawText)} is not a type of event that is read`,
  )
  return null
}

function readClassifier({ kind }: EventNodes, { issues, profile }: ReadContext): EventClassifier | null {
  const fields: readonly MemberName[] = ['eventClassifierCode', 'eventClassifier']
  const rawText = readFirstText(kind, fields, issues)
  const at = { path: pointTo(kind, fields), lost: 'event' } as const
  if (rawText === null) {
    issues.add('missing_field', at, 'the event has no classifier: PLN, EST or ACT')
    return null
  }
  const classifier = codeFor('classifier', rawText, profile.enumAliases)
  if (isOneOf(eventClassifiers, classifier)) return classifier
  issues.add('unknown_code', at, `${quoteValue(rawText)} is neither PLN, EST nor ACT`)
  return null
}

const codeFields = {
  TRANSPORT: ['transportEventTypeCode', 'transportEventType'],
  EQUIPMENT: ['equipmentEventTypeCode', 'equipmentEventType'],
  SHIPMENT: ['shipmentEventTypeCode', 'shipmentEventType'],
} as const satisfies Readonly<Record<EventType, readonly MemberName[]>>
const codes: Readonly<Record<EventType, readonly EventCode[]>> = {
  TRANSPORT: transportEventCodes,
  EQUIPMENT: equipmentEventCodes,
  SHIPMENT: shipmentEventCodes,
}

interface ResolvedCode {
  readonly code: EventCode | null
  readonly original: string
}

/** An unknown code is stored as the carrier wrote it; only an event without any code is lost. */
function readCode({ kind }: EventNodes, type: EventType, { issues, profile }: ReadContext): ResolvedCode | null {
  const isNested = kind.path.endsWith('/eventClassification')
  // Before 2.0 the code was in `eventTypeCode`, where 3.0 has the type.
  const fields: readonly MemberName[] = isNested ? codeFields[type] : [...codeFields[type], 'eventTypeCode']
  const original = readFirstText(kind, fields, issues)
  const path = pointTo(kind, fields)
  if (original === null) {
    issues.add('missing_field', { path, lost: 'event' }, 'the event has no code of what happened')
    return null
  }
  const code = codeFor(type, original, profile.enumAliases)
  const upperCode = original.toUpperCase()
  const isMapped = Object.hasOwn(profile.enumAliases, upperCode)
  if (isMapped || !isOneOf(codes[type], code))
    issues.noteCode({ field: '/enumAliases', code: upperCode, reason: '', text: '', isMapped, path })
  if (isOneOf(codes[type], code)) return { code, original }
  issues.add(
    'unknown_code',
    { path, lost: 'nothing' },
    `${quoteValue(original)} is not a known code of ${type.toLowerCase()} events`,
  )
  return { code: null, original }
}

function readPlaceRole(nodes: EventNodes, { issues, profile }: ReadContext): string | null {
  for (const node of [nodes.shipmentLocation, nodes.time]) {
    const rawText = node && readFirstText(node, ['shipmentLocationType', 'shipmentLocationTypeCode'], issues)
    if (rawText) return codeFor('location', rawText, profile.enumAliases)
  }
  return null
}
