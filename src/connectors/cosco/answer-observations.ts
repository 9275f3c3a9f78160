/** The statements of an answer of COSCO: the calls of its ships, the last move of each container, and facts. */

import { naturalKeyOf } from '../../domain/statements/natural-key.ts'
import {
  type EventObservation,
  type FactName,
  type FactObservation,
  type FactValues,
  nowhere,
  type ObservedPlace,
} from '../../domain/statements/observation.ts'
import { type EventTime, parseEventTime } from '../../domain/values/time.ts'
import { readContainer } from '../container-reference.ts'
import { type JsonNode, readText } from '../dcsa/json-node.ts'
import { isPlausible } from '../dcsa/moment.ts'
import type { MemberName } from '../dcsa/names.ts'
import type { EventTally } from '../event-tally.ts'
import { type IssueList, quoteValue } from '../source-issue.ts'
import { modeOf, moveOf } from './move-codes.ts'
import { placeOfPort, placeOfTown, readTown, type Town } from './towns.ts'

export interface AnswerContext {
  readonly issues: IssueList
  readonly tally: EventTally
  readonly fetchedAtMs: number
  /** The towns that the answer names together with their country. */
  readonly towns: readonly Town[]
}

/**
 * A ship's departure from and arrival at a port, expected and actual. The line's ship number is not read: it is its
 * own.
 */
export function readLeg(leg: JsonNode, context: AnswerContext): readonly EventObservation[] {
  const { issues } = context
  const name = readText(leg, 'vesselName', issues)
  const ship = {
    vessel: name === null ? null : { imo: null, name },
    voyage: readText(leg, 'voyageNo', issues),
    mode: 'VESSEL',
    load: null,
    equipment: null,
  } as const
  const ends = [
    ['DEPA', 'portOfLoading', 'expectedDateOfDeparture', 'actualDepartureDate'],
    ['ARRI', 'portOfDischarge', 'estimatedDateOfArrival', 'actualArrivalDate'],
  ] as const
  return ends.flatMap(([code, port, expected, actual]) => {
    const written = readText(leg, port, issues)
    // The town of a leg is that where it ends.
    const town = code === 'ARRI' ? readTown(readText(leg, 'city', issues)) : null
    const bare = town === null ? nowhere : placeOfTown(town, { path: `${leg.path}/city`, issues })
    const place = written === null ? bare : placeOfPort(written, { ...context, path: `${leg.path}/${port}` })
    return (
      [
        ['EST', expected],
        ['ACT', actual],
      ] as const
    ).flatMap(([classifier, field]) => {
      if (readText(leg, field, issues) === null) return []
      const time = readTime(leg, field, context)
      if (time === null) return []
      return [toEventObservation({ ...ship, classifier, code, place, time, original: null }, context)]
    })
  })
}

/** The last move of the container, which its label names. */
export function readContainerMove(
  container: JsonNode,
  number: string,
  context: AnswerContext,
): readonly EventObservation[] {
  const { issues, tally } = context
  const label = readText(container, 'label', issues)
  const move = label === null ? null : moveOf(label)
  if (label === null || move === 'aside') {
    tally.ignored()
    return []
  }
  const time = readTime(container, 'locationDateTime', context)
  if (time === null) return []
  const path = `${container.path}/location`
  const written = readText(container, 'location', issues)
  const town = readTown(written)
  const bare = written === null ? nowhere : { ...nowhere, name: written }
  const place = town === null ? bare : placeOfTown(town, { path, issues })
  const mode = move?.mode ?? modeOf(readText(container, 'transportation', issues))
  const { code = null, load = null } = move ?? {}
  if (move === null) {
    const at = { path: `${container.path}/label`, lost: 'field' } as const
    issues.addOnce('unknown_code', at, `${quoteValue(label)} is not a known move`)
  }
  const moveEvent = { classifier: 'ACT', code, load, mode, time, place, vessel: null, voyage: null } as const
  return [toEventObservation({ ...moveEvent, equipment: number, original: label }, context)]
}

export function readContainerFacts(container: JsonNode, number: string, { issues }: AnswerContext) {
  const size = readText(container, 'containerType', issues)
  const seal = readText(container, 'sealNumber', issues)
  const weight = /^(\d{1,6}(?:\.\d{1,3})?) ?KGS?$/i.exec(readText(container, 'grossWeight', issues) ?? '')?.[1]
  return [
    ...(size === null ? [] : [createFact('size_type', size, number)]),
    ...(seal === null ? [] : [createFact('seal_number', seal, number)]),
    ...(weight === undefined || Number(weight) === 0 ? [] : [createFact('weight_kg', Number(weight), number)]),
  ]
}

export function createFact<Name extends FactName>(
  name: Name,
  value: FactValues[Name],
  equipment: string | null = null,
): FactObservation {
  const key = `${name}|${equipment ?? '-'}`
  // The name determines the type of the value.
  return {
    kind: 'fact',
    fact: name,
    value,
    equipment,
    key,
    statedAt: null,
    isRetracted: false,
  } as FactObservation
}

/** Null, with an issue, for an invalid number: the event would seem to belong to another container. */
export function readContainerNumber(container: JsonNode, { issues, tally }: AnswerContext): string | null {
  const text = readText(container, 'containerNumber', issues)
  const path = `${container.path}/containerNumber`
  const number = text === null ? null : readContainer(text, path, issues)
  if (number !== null) return number
  const what = text === null ? 'the container has no number' : `${quoteValue(text)} is not a container number`
  issues.add('bad_equipment', { path, lost: 'event' }, what)
  tally.lost('bad_equipment')
  return null
}

/** The time as written: the line names no zone. */
function readTime(node: JsonNode, field: MemberName, { issues, tally, fetchedAtMs }: AnswerContext): EventTime | null {
  const text = readText(node, field, issues)
  const at = { path: `${node.path}/${field}`, lost: 'event' } as const
  const time = text === null ? null : parseEventTime(text)
  if (time !== null && isPlausible(time, fetchedAtMs)) return time
  const kind = text === null ? 'missing_field' : time === null ? 'unreadable_time' : 'implausible_time'
  const what =
    kind === 'missing_field'
      ? 'the event has no time'
      : `${quoteValue(text ?? '')} is ${time === null ? 'not an ISO 8601 time' : 'a placeholder or a mistake'}`
  issues.add(kind, at, what)
  tally.lost(kind)
  return null
}

type Draft = Pick<
  EventObservation,
  'classifier' | 'code' | 'load' | 'mode' | 'time' | 'place' | 'vessel' | 'voyage' | 'equipment' | 'original'
>

function toEventObservation(draft: Draft, { tally }: AnswerContext): EventObservation {
  const unkeyedEvent = { kind: 'event', callId: null, callSequence: null, ...draft } as const
  if (draft.code === null) tally.partly('unknown_code')
  else if (isNowhere(draft.place)) tally.partly(draft.place.name === null ? 'no_place' : 'unknown_place')
  else tally.understood()
  return { ...unkeyedEvent, key: naturalKeyOf(unkeyedEvent), statedAt: null, isRetracted: false }
}

function isNowhere({ unlocode }: ObservedPlace): boolean {
  return unlocode === null
}
