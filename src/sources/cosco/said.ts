/** What an answer of COSCO says: the calls of its ships, the last move of each box, and facts. */

import { naturalKeyOf } from '../../core/statements/natural-key.ts'
import {
  type EventObservation,
  type FactName,
  type FactObservation,
  type FactValues,
  nowhere,
  type ObservedPlace,
} from '../../core/statements/observation.ts'
import { isContainerNumber } from '../../core/values/identifiers.ts'
import { type EventTime, parseEventTime } from '../../core/values/time.ts'
import { isPlausible } from '../dcsa/moment.ts'
import type { MemberName } from '../dcsa/names.ts'
import { type Part, readText } from '../dcsa/part.ts'
import type { EventTally } from '../event-tally.ts'
import { type IssueList, quoted } from '../source-issue.ts'
import { placeOfPort, placeOfTown, readTown, type Town } from './towns.ts'
import { modeOf, moveOf } from './words.ts'

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
export function readLeg(leg: Part, context: AnswerContext): readonly EventObservation[] {
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
    const place =
      written === null ? nowhere : placeOfPort(written, { ...context, path: `${leg.path}/${port}` })
    return (
      [
        ['EST', expected],
        ['ACT', actual],
      ] as const
    ).flatMap(([classifier, field]) => {
      if (readText(leg, field, issues) === null) return []
      const time = readTime(leg, field, context)
      if (time === null) return []
      return [observe({ ...ship, classifier, code, place, time, original: null }, context)]
    })
  })
}

/** The last move of the box, which its label names. */
export function readBox(box: Part, number: string, context: AnswerContext): readonly EventObservation[] {
  const { issues, tally } = context
  const label = readText(box, 'label', issues)
  const move = label === null ? null : moveOf(label)
  if (label === null || move === 'aside') {
    tally.setAside()
    return []
  }
  const time = readTime(box, 'locationDateTime', context)
  if (time === null) return []
  const path = `${box.path}/location`
  const written = readText(box, 'location', issues)
  const town = readTown(written)
  const bare = written === null ? nowhere : { ...nowhere, name: written }
  const place = town === null ? bare : placeOfTown(town, { path, issues })
  const mode = move?.mode ?? modeOf(readText(box, 'transportation', issues))
  const { code = null, load = null } = move ?? {}
  if (move === null) {
    const at = { path: `${box.path}/label`, lost: 'field' } as const
    issues.addOnce('unknown_code', at, `${quoted(label)} is not a known move`)
  }
  const said = { classifier: 'ACT', code, load, mode, time, place, vessel: null, voyage: null } as const
  return [observe({ ...said, equipment: number, original: label }, context)]
}

export function readBoxFacts(box: Part, number: string, { issues }: AnswerContext) {
  const size = readText(box, 'containerType', issues)
  const seal = readText(box, 'sealNumber', issues)
  const weight = /^(\d{1,6}(?:\.\d{1,3})?) ?KGS?$/i.exec(readText(box, 'grossWeight', issues) ?? '')?.[1]
  return [
    ...(size === null ? [] : [fact('size_type', size, number)]),
    ...(seal === null ? [] : [fact('seal_number', seal, number)]),
    ...(weight === undefined || Number(weight) === 0 ? [] : [fact('weight_kg', Number(weight), number)]),
  ]
}

export function fact<Name extends FactName>(
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

/** Null, with an issue, for an invalid number: the event would look like another box's. */
export function readBoxNumber(box: Part, { issues, tally }: AnswerContext): string | null {
  const text = readText(box, 'containerNumber', issues)
  const number = text?.toUpperCase().replace(/[\s-]/g, '') ?? ''
  if (isContainerNumber(number)) return number
  const what = text === null ? 'the container has no number' : `${quoted(text)} is not a container number`
  issues.add('bad_equipment', { path: `${box.path}/containerNumber`, lost: 'event' }, what)
  tally.lost('bad_equipment')
  return null
}

/** The time as written: the line names no zone. */
function readTime(
  part: Part,
  field: MemberName,
  { issues, tally, fetchedAtMs }: AnswerContext,
): EventTime | null {
  const text = readText(part, field, issues)
  const at = { path: `${part.path}/${field}`, lost: 'event' } as const
  const time = text === null ? null : parseEventTime(text)
  if (time !== null && isPlausible(time, fetchedAtMs)) return time
  const kind = text === null ? 'missing_field' : time === null ? 'unreadable_time' : 'implausible_time'
  const what =
    kind === 'missing_field'
      ? 'the event has no time'
      : `${quoted(text ?? '')} is ${time === null ? 'not an ISO 8601 time' : 'a placeholder or a mistake'}`
  issues.add(kind, at, what)
  tally.lost(kind)
  return null
}

type Draft = Pick<
  EventObservation,
  'classifier' | 'code' | 'load' | 'mode' | 'time' | 'place' | 'vessel' | 'voyage' | 'equipment' | 'original'
>

function observe(draft: Draft, { tally }: AnswerContext): EventObservation {
  const said = { kind: 'event', callId: null, callSequence: null, ...draft } as const
  if (draft.code === null) tally.partly('unknown_code')
  else if (isNowhere(draft.place)) tally.partly(draft.place.name === null ? 'no_place' : 'unknown_place')
  else tally.understood()
  return { ...said, key: naturalKeyOf(said), statedAt: null, isRetracted: false }
}

function isNowhere({ unlocode }: ObservedPlace): boolean {
  return unlocode === null
}
