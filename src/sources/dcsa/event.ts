/** Reads one event of an answer, in any of DCSA's shapes. Everything that is wrong in the event becomes an issue. */

import { nowhere, type ObservedPlace, type ObservedVessel } from '../../core/statements/observation.ts'
import {
  type EmptyIndicator,
  type EventClassifier,
  type EventCode,
  equipmentEventCodes,
  eventClassifiers,
  isOneOf,
  shipmentEventCodes,
  transportEventCodes,
} from '../../core/values/codes.ts'
import { isObject } from '../../core/values/json-value.ts'
import type { EventTime } from '../../core/values/time.ts'
import { IssueList, quoted } from '../source-issue.ts'
import { readEquipment, readLoad, readSeal, readSizeType, type Seal } from './boxes.ts'
import { readCall, type StatedCall } from './call.ts'
import type { ReadContext } from './context.ts'
import { type DocumentNumber, readDocument, readDocuments, type StatedDocument } from './documents.ts'
import { type EventParts, findEventParts } from './event-parts.ts'
import { readEventTime, readStatedAt } from './moment.ts'
import type { MemberName } from './names.ts'
import { nameOfType, pointTo, readFirstText, readText } from './part.ts'
import { readPlace } from './place.ts'
import { readVessel } from './vessel.ts'
import { codeFor } from './words.ts'

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

/** The source takes back its statement with this id. */
export interface Withdrawal {
  readonly kind: 'withdrawal'
  readonly id: string
}

/**
 * One event may state something and take something else back (`retractedEventID`). Empty when the event is unreadable.
 */
export function readEvent(
  value: unknown,
  path: string,
  context: ReadContext,
): readonly (StatedEvent | Withdrawal)[] {
  const { issues } = context
  if (!isObject(value)) {
    issues.add('wrong_structure', { path, lost: 'event' }, `an event was expected, not ${nameOfType(value)}`)
    return []
  }
  const parts = findEventParts(value, path, issues)
  if (parts === null) {
    issues.add('wrong_structure', { path, lost: 'event' }, 'the object has no member of an event')
    return []
  }
  const isVersion3 = parts.kind.path.endsWith('/eventClassification') || value['isRetracted'] !== undefined
  const id = readId(parts, { issues, isVersion3 })
  const earlier = readText(parts.head, 'retractedEventID', issues)
  const withdrawals: Withdrawal[] = earlier === null ? [] : [{ kind: 'withdrawal', id: earlier }]
  const isRetracted = parts.head.value['isRetracted'] === true
  if (isRetracted && id !== null) {
    // The other data of a retracted event are irrelevant (3.0), so its faults are no issues; what can be read is passed
    // on.
    const event = readStatement(parts, { ...context, issues: new IssueList(issues.page), id, isVersion3 })
    return [
      ...(event === null ? [] : [{ ...event, isRetracted }]),
      { kind: 'withdrawal', id },
      ...withdrawals,
    ]
  }
  const event = readStatement(parts, { ...context, id, isVersion3 })
  return event === null ? withdrawals : [event, ...withdrawals]
}

/**
 * Null for an id that is not usable as a key. 2.2 requires a UUID; any other text works too while it is unique. A JSON
 * number is refused, because it may have lost digits. Before 3.0, an id that contains the event's own time is refused
 * too: it changes with each new estimate, and the old estimate would stay.
 */
function readId(
  { head, time }: EventParts,
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
  parts: EventParts,
  context: ReadContext & { readonly id: string | null; readonly isVersion3: boolean },
): StatedEvent | null {
  const { issues, profile } = context
  const type = readType(parts, context)
  const classifier = type === null ? null : readClassifier(parts, context)
  if (type === null || classifier === null) return null
  const coded = readCode(parts, type, context)
  if (coded === null) return null
  const isStatedAnew = type === 'TRANSPORT' && profile.restatesTransport === true
  const statedAt = isStatedAnew ? null : readStatedAt(parts.head, context)
  const call = readCall(parts.call, coded.code, context)
  const place = type === 'SHIPMENT' ? nowhere : readPlace(parts, { ...context, mode: call.mode })
  const isUndated = isUndatedPlan(parts, { classifier, code: coded.code })
  const time = isUndated ? null : readEventTime(parts.time, { ...context, place })
  if (time === null && !isUndated) return null
  if (type === 'TRANSPORT') reportMissingCall(parts, context)
  const equipment = readEquipment(parts, type, context)
  if (equipment === null) return null
  const documents = readDocuments(parts, context)
  const document = type === 'SHIPMENT' ? readDocument(parts, context) : null
  return {
    kind: 'event',
    id: context.id,
    path: `${parts.head.path}/eventID`,
    isVersion3: context.isVersion3,
    isRetracted: false,
    type,
    classifier,
    code: coded.code,
    original: document === null ? coded.original : `${coded.original} ${document.type}`,
    statedAt,
    time,
    place,
    vessel: readVessel(parts.vessel, context),
    ...call,
    load: readLoad(parts.equipment, context),
    equipment,
    sizeType: type === 'EQUIPMENT' ? readSizeType(parts.equipment, issues) : null,
    seals: parts.seals.flatMap((seal) => readSeal(seal, issues)),
    document,
    documents: document?.number
      ? [...documents, { type: document.type, number: document.number }]
      : documents,
    placeRole: readPlaceRole(parts, context),
  }
}

function reportMissingCall({ call, time }: EventParts, { issues, profile }: ReadContext): void {
  if (call !== null || profile.mayLack.includes('transportCall')) return
  const at = { path: `${time.path}/transportCall`, lost: 'field' } as const
  issues.addOnce('missing_field', at, 'the transport event has no transport call')
}

/** A planned ship's call without a time only says where the ship goes. */
function isUndatedPlan(
  { time }: EventParts,
  { classifier, code }: Pick<StatedEvent, 'classifier' | 'code'>,
): boolean {
  const said = time.value['eventDateTime']
  const isMove = code === 'ARRI' || code === 'DISC' || code === 'LOAD' || code === 'DEPA'
  return classifier !== 'ACT' && isMove && (said === undefined || said === null || said === '')
}

function readType({ kind }: EventParts, { issues, profile }: ReadContext): EventType | null {
  const isNested = kind.path.endsWith('/eventClassification')
  const fields: readonly MemberName[] = isNested ? ['eventType', 'eventTypeCode'] : ['eventType']
  const said = readFirstText(kind, fields, issues)
  const at = { path: pointTo(kind, fields), lost: 'event' } as const
  if (said === null) {
    // Events before 1.2 have no type. Their code decides it, because no code belongs to two types.
    const code = isNested ? null : readText(kind, 'eventTypeCode', issues)
    const type = code === null ? undefined : eventTypes.find((each) => isOneOf(codes[each], code))
    if (type !== undefined) return type
    issues.add('missing_field', at, 'the event has no type')
    return null
  }
  const type = codeFor('eventType', said, profile.enumAliases)
  if (isOneOf(eventTypes, type)) return type
  // Reports of sensors and cooling units do not move a container; they stay only in the snapshot.
  const isKnown = type === 'IOT' || type === 'REEFER'
  issues.add(
    isKnown ? 'unsupported_event' : 'unknown_code',
    at,
    `${quoted(said)} is not a type of event that is read`,
  )
  return null
}

function readClassifier({ kind }: EventParts, { issues, profile }: ReadContext): EventClassifier | null {
  const fields: readonly MemberName[] = ['eventClassifierCode', 'eventClassifier']
  const said = readFirstText(kind, fields, issues)
  const at = { path: pointTo(kind, fields), lost: 'event' } as const
  if (said === null) {
    issues.add('missing_field', at, 'the event has no classifier: PLN, EST or ACT')
    return null
  }
  const classifier = codeFor('classifier', said, profile.enumAliases)
  if (isOneOf(eventClassifiers, classifier)) return classifier
  issues.add('unknown_code', at, `${quoted(said)} is neither PLN, EST nor ACT`)
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

interface Coded {
  readonly code: EventCode | null
  readonly original: string
}

/** An unknown code is kept as the line wrote it; only an event without any code is lost. */
function readCode({ kind }: EventParts, type: EventType, { issues, profile }: ReadContext): Coded | null {
  const isNested = kind.path.endsWith('/eventClassification')
  // Before 2.0 the code stood in `eventTypeCode`, where 3.0 has the type.
  const fields: readonly MemberName[] = isNested ? codeFields[type] : [...codeFields[type], 'eventTypeCode']
  const original = readFirstText(kind, fields, issues)
  const path = pointTo(kind, fields)
  if (original === null) {
    issues.add('missing_field', { path, lost: 'event' }, 'the event has no code of what happened')
    return null
  }
  const code = codeFor(type, original, profile.enumAliases)
  const own = original.toUpperCase()
  const isMapped = Object.hasOwn(profile.enumAliases, own)
  if (isMapped || !isOneOf(codes[type], code))
    issues.noteCode({ field: '/enumAliases', code: own, reason: '', text: '', isMapped, path })
  if (isOneOf(codes[type], code)) return { code, original }
  issues.add(
    'unknown_code',
    { path, lost: 'nothing' },
    `${quoted(original)} is not a known code of ${type.toLowerCase()} events`,
  )
  return { code: null, original }
}

function readPlaceRole(parts: EventParts, { issues, profile }: ReadContext): string | null {
  for (const part of [parts.shipmentLocation, parts.time]) {
    const said = part && readFirstText(part, ['shipmentLocationType', 'shipmentLocationTypeCode'], issues)
    if (said) return codeFor('location', said, profile.enumAliases)
  }
  return null
}
