/** What an IFTSTA says: of each status what happened, when, where and to which boxes, and the holds that it sets and lifts. */

import type { EmptyIndicator, EventClassifier } from '../../core/codes.ts'
import type { HoldWord, Observation, ObservedPlace } from '../../core/observation.ts'
import type { EventTally } from '../event-tally.ts'
import { quoted } from '../source-issue.ts'
import type { OfMessage, ReadContext } from './context.ts'
import { boxOf, isBox } from './documents.ts'
import { boxFacts, loadOf } from './equipment.ts'
import { pathTo, segmentsOf } from './fields.ts'
import { readMoment } from './moment.ts'
import { readPlace } from './place.ts'
import type { Segment } from './segments.ts'
import { readCalls } from './ships-calls.ts'
import { observeEvent, observeFact, type SaidFact } from './statements.ts'
import { holdsOfReasons, type KnownMeaning, meaningOf, readStatus, type SaidStatus } from './status-codes.ts'
import type { StatusGroup } from './status-groups.ts'
import { modeOf, noTransport, readTransport, type Transport } from './transport.ts'
import { type StatusUnit, segmentsIn } from './units.ts'

export function readStatuses(unit: StatusUnit, of: OfMessage): readonly Observation[] {
  return unit.statuses.flatMap((group) => {
    const boxes = boxesOf(group, unit, of.context)
    if (boxes === null) of.tally.lost('bad_equipment')
    if (boxes === null) return []
    const said = [...readBoxFacts(group, of), ...readGroup(group, boxes, of)]
    const known = new Set(said.map(({ key }) => key))
    const numbers = boxes.map((box) => box?.number ?? null)
    return [...said, ...readCalls(group, numbers, of).filter(({ key }) => !known.has(key))]
  })
}

/** A box as far as the status names it. */
interface NamedBox {
  readonly number: string
  readonly load: EmptyIndicator | null
}

/** `null` among them stands for the whole consignment; nothing at all where boxes are named and none can be one. */
function boxesOf(
  group: StatusGroup,
  { named }: StatusUnit,
  { issues }: ReadContext,
): readonly (NamedBox | null)[] | null {
  const own = segmentsIn(group).filter(isBox)
  const told = own.length === 0 ? named : own
  const boxes = new Map<string, NamedBox>()
  for (const segment of told) {
    const number = boxOf(segment)
    const load = segment.tag === 'EQD' ? loadOf(segment) : null
    if (number !== null) boxes.set(number, { number, load: load ?? boxes.get(number)?.load ?? null })
  }
  if (told.length > 0 && told[0] !== undefined && boxes.size === 0) {
    const at = { path: pathTo(told[0], 1), lost: 'event' } as const
    issues.add('bad_equipment', at, 'what the status names is no container number: it would be taken for all')
    return null
  }
  return told.length === 0 ? [null] : [...boxes.values()]
}

function readBoxFacts(group: StatusGroup, { by, context }: OfMessage): readonly Observation[] {
  return group.boxes.flatMap((box) => {
    const [equipment] = box
    const number = equipment === undefined ? null : boxOf(equipment)
    if (equipment === undefined || number === null || !isBox(equipment)) return []
    return boxFacts(box, { number, load: loadOf(equipment) }, context).map((fact) => observeFact(fact, by))
  })
}

function readGroup(
  group: StatusGroup,
  boxes: readonly (NamedBox | null)[],
  of: OfMessage,
): readonly Observation[] {
  const { context, by, tally } = of
  const [segment] = group.own
  if (segment === undefined) return []
  const status = readStatus(segment)
  const meaning = meaningOf(status, of.version, context)
  const said = { status, place: () => readPlace(findPlace(group, null), context) }
  const facts = [
    ...holdsOfReasons(status, of.version, context).map(holdFact),
    ...(meaning.kind === 'hold' ? [holdFact(holdOf(meaning, said))] : []),
    ...(meaning.kind === 'available' ? [{ fact: 'available', value: meaning.value } as const] : []),
  ]
  const observed = boxes.flatMap((box) =>
    facts.map((fact) => observeFact({ ...fact, equipment: box?.number ?? null } as SaidFact, by)),
  )
  switch (meaning.kind) {
    case 'nothing':
      tally.setAside()
      return observed
    case 'hold':
    case 'available':
      tally.understood()
      return observed
    case 'booking_cancelled':
      tally.understood()
      return [...observed, observeFact({ fact: 'booking_cancelled', value: true, equipment: null }, by)]
    default:
      return [...observed, ...readEvents({ group, segment, status, meaning }, boxes, of)]
  }
}

/** Holds of one name are one, but for those that only their words tell apart. */
function holdFact(value: HoldWord): Pick<SaidFact, 'fact' | 'part'> & { readonly value: HoldWord } {
  const part = value.name === 'other' ? `other:${value.description ?? ''}` : value.name
  return { fact: 'hold', value, part }
}

/** The US department of agriculture clears nothing elsewhere. */
function holdOf(
  meaning: KnownMeaning & { readonly kind: 'hold' },
  { status, place }: { readonly status: SaidStatus; readonly place: () => ObservedPlace },
): HoldWord {
  const isElsewhere = meaning.needs === 'US' && place().unlocode?.startsWith('US') !== true
  const description = meaning.description ?? (status.text || null)
  return { name: isElsewhere ? 'other' : meaning.name, status: meaning.status, description }
}

interface SaidGroup {
  readonly group: StatusGroup
  readonly segment: Segment
  readonly status: SaidStatus
  readonly meaning: (KnownMeaning & { readonly kind: 'event' }) | { readonly kind: 'raw' | 'unmapped' }
}

function readEvents(
  said: SaidGroup,
  boxes: readonly (NamedBox | null)[],
  { by, context, tally }: OfMessage,
): readonly Observation[] {
  const { group, segment, status, meaning } = said
  const transport = transportOf(group, context)
  const events = boxes.map((box) => {
    const known = meaning.kind === 'event' && isMeant(meaning, box, transport) ? meaning : null
    return { box, known, load: known?.load ?? box?.load ?? null }
  })
  const code = events.find(({ known }) => known !== null)?.known?.code ?? null
  const dated = findDate(group, code)
  if (dated === null) {
    const at = { path: pathTo(segment), lost: 'event' } as const
    context.issues.add('missing_field', at, `the status ${shown(status)} has no time of its own`)
    tally.lost('missing_field')
    return []
  }
  const place = readPlace(findPlace(group, code), context)
  const time = readMoment(dated.segment, context)
  if (time === null) {
    tally.lost('unreadable_time')
    return []
  }
  return events.map(({ box, known, load }) => {
    if (known === null) reportUnmapped(said, context)
    const isGate = known?.code === 'GTIN' || known?.code === 'GTOT'
    const mode = known?.mode ?? (known?.needs === 'RAIL' ? 'RAIL' : transport.mode)
    tallyEvent(tally, {
      isKnown: known !== null,
      isRaw: meaning.kind === 'raw',
      isPlaced: place.unlocode !== null,
      isNamed: place.name !== null,
    })
    return observeEvent(
      {
        classifier: known?.isEstimate === true ? 'EST' : dated.classifier,
        code: known?.code ?? null,
        load,
        // A gate is passed by what fetches the box; the ship that is named beside it is another matter.
        mode: isGate && mode === 'VESSEL' ? null : mode,
        time,
        place,
        vessel: isGate ? null : transport.vessel,
        voyage: isGate ? null : transport.voyage,
        equipment: box?.number ?? null,
        original: status.original || null,
      },
      by,
    )
  })
}

export function tallyEvent(
  tally: EventTally,
  is: {
    readonly isKnown: boolean
    readonly isRaw: boolean
    readonly isPlaced: boolean
    readonly isNamed: boolean
  },
): void {
  if (is.isRaw) tally.setAside()
  else if (!is.isKnown) tally.partly('unmapped_code')
  else if (!is.isPlaced) tally.partly(is.isNamed ? 'unknown_place' : 'no_place')
  else tally.understood()
}

function isMeant(meaning: KnownMeaning, box: NamedBox | null, transport: Transport): boolean {
  switch (meaning.needs) {
    case 'RAIL':
      return transport.mode === 'RAIL'
    case 'EMPTY':
      return box?.load === 'EMPTY'
    case 'transport':
      return transport.mode !== null
    default:
      return true
  }
}

function reportUnmapped({ segment, status, meaning }: SaidGroup, { issues }: ReadContext): void {
  const at = { path: pathTo(segment, 1), lost: 'nothing' } as const
  const why =
    meaning.kind === 'unmapped'
      ? 'is a code of the partner that nobody has mapped'
      : meaning.kind === 'raw'
        ? 'moves no container'
        : 'does not say enough to mean an event'
  issues.addOnce('unmapped_code', at, `${shown(status)} ${why}`)
}

/** Words are the partner's own and stay in the observation. */
function shown({ code, reasons, text }: SaidStatus): string {
  return `${quoted([code, ...reasons].join('/'))}${text === '' ? '' : ` with ${text.length} characters of text`}`
}

/** Several means of transport of different modes: nobody knows which the status is about. */
function transportOf({ transports }: StatusGroup, context: ReadContext): Transport {
  const segments = transports.map(([first]) => first).filter((each) => each !== undefined)
  const [first] = segments
  if (first === undefined) return noTransport
  if (segments.length > 1 && new Set(segments.map(modeOf)).size > 1) return noTransport
  const read = readTransport(first, { isAtSea: false }, context)
  return segments.length === 1 ? read : { ...read, vessel: null, voyage: null }
}

interface Dated {
  readonly segment: Segment
  readonly classifier: EventClassifier
}

/**
 * Element 2005: 334 change of status, 7 effective, 203 execution; of a ship's or a train's coming and going 178 and 186
 * actual, 132 and 133 estimated. When the message was written (137) is not when it happened.
 */
function findDate({ own, transports }: StatusGroup, code: string | null): Dated | null {
  const moves = code === 'ARRI' ? ['178', '132'] : code === 'DEPA' ? ['186', '133'] : []
  const within = (segments: readonly Segment[], qualifiers: readonly string[]): Dated | null => {
    for (const qualifier of qualifiers) {
      const [segment] = segmentsOf(segments, 'DTM', [qualifier])
      const isExpected = qualifier === '132' || qualifier === '133'
      if (segment !== undefined) return { segment, classifier: isExpected ? 'EST' : 'ACT' }
    }
    return null
  }
  return (
    within(own, ['334', '7', '203', ...moves]) ??
    (transports.length === 1 ? within(transports.flat(), moves) : null)
  )
}

/** Where the status was reached (175), else the only place beside it, else the end of the leg that it is about. */
function findPlace({ own, transports }: StatusGroup, code: string | null): Segment | null {
  const places = segmentsOf(own, 'LOC')
  const [activity] = segmentsOf(own, 'LOC', ['175'])
  if (activity !== undefined) return activity
  if (places.length === 1) return places[0] ?? null
  const end = code === 'LOAD' || code === 'DEPA' ? '9' : code === 'DISC' || code === 'ARRI' ? '11' : null
  if (end === null) return null
  const [ofLeg] = segmentsOf(places.length > 0 ? own : transports.flat(), 'LOC', [end])
  return ofLeg ?? null
}
