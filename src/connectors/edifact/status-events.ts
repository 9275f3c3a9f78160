/** The events of a status of an IFTSTA, past or expected: with containers, time, place and transport. */

import type { Observation } from '../../domain/statements/observation.ts'
import type { EmptyIndicator, EventClassifier } from '../../domain/values/codes.ts'
import { quoteValue } from '../source-issue.ts'
import type { EdifactMessageContext, ReadContext } from './context.ts'
import { pathTo, segmentsOf } from './fields.ts'
import { readMoment } from './moment.ts'
import { readPlace } from './place.ts'
import type { Segment } from './segments.ts'
import { observeEvent } from './statements.ts'
import { type KnownMeaning, noteStatus, type StatedStatus } from './status-codes.ts'
import type { StatusGroup } from './status-groups.ts'
import { countEvent } from './tally.ts'
import { modeOf, noTransport, readTransport, type Transport } from './transport.ts'

/** A container, with what the status states about it. */
export interface NamedContainer {
  readonly number: string
  readonly load: EmptyIndicator | null
}

type EventMeaning = KnownMeaning & { readonly kind: 'event' }

export interface StatusStatement {
  readonly group: StatusGroup
  readonly segment: Segment
  readonly status: StatedStatus
  readonly meaning: EventMeaning | { readonly kind: 'raw' | 'unmapped' }
}

export function readEvents(
  statement: StatusStatement,
  containers: readonly (NamedContainer | null)[],
  { by, context, tally }: EdifactMessageContext,
): readonly Observation[] {
  const { group, segment, status, meaning } = statement
  const transport = transportOf(group, context)
  const events = containers.map((container) => {
    const known = meaning.kind === 'event' && isApplicable(meaning, container, transport) ? meaning : null
    return { box: container, known, load: known?.load ?? container?.load ?? null }
  })
  const code = events.find(({ known }) => known !== null)?.known?.code ?? null
  const dated = findDate(group, code)
  if (dated === null) {
    const at = { path: pathTo(segment), lost: 'event' } as const
    context.issues.add('missing_field', at, `the status ${describeStatus(status)} has no time of its own`)
    tally.lost('missing_field')
    return []
  }
  const place = readPlace(findPlace(group, code), context)
  const time = readMoment(dated.segment, context)
  if (time === null) {
    tally.lost('unreadable_time')
    return []
  }
  return events.map(({ box: container, known, load }) => {
    if (known === null) reportUnmapped(statement, context)
    countEvent(tally, {
      isKnown: known !== null,
      isRaw: meaning.kind === 'raw',
      isPlaced: place.unlocode !== null,
      isNamed: place.name !== null,
    })
    const classifier = known?.isEstimate === true ? 'EST' : dated.classifier
    const what = { classifier, code: known?.code ?? null, load, original: status.original || null }
    const moved = resolveEventTransport(known, transport)
    return observeEvent({ ...what, ...moved, time, place, equipment: container?.number ?? null }, by)
  })
}

/**
 * A truck or train carries the container through a gate: the ship that the status names is not the transport of a gate
 * event.
 */
function resolveEventTransport(known: EventMeaning | null, transport: Transport): Transport {
  const mode = known?.mode ?? transport.mode
  const isGate = known?.code === 'GTIN' || known?.code === 'GTOT'
  if (isGate) return { ...noTransport, mode: mode === 'VESSEL' ? null : mode }
  return mode === transport.mode ? transport : { ...noTransport, mode }
}

function isApplicable(meaning: KnownMeaning, container: NamedContainer | null, transport: Transport): boolean {
  switch (meaning.needs) {
    case 'RAIL':
      return transport.mode === 'RAIL'
    case 'EMPTY':
      return container?.load === 'EMPTY'
    case 'transport':
      return transport.mode !== null
    default:
      return true
  }
}

function reportUnmapped({ segment, status, meaning }: StatusStatement, context: ReadContext): void {
  const { issues } = context
  const at = { path: pathTo(segment, 1), lost: 'nothing' } as const
  noteStatus(status, { path: at.path, isMapped: false }, context)
  const why =
    meaning.kind === 'unmapped'
      ? 'is a code of the partner that is not mapped'
      : meaning.kind === 'raw'
        ? 'is not about a move of a container'
        : 'does not say enough to be read as an event'
  issues.addOnce('unmapped_code', at, `${describeStatus(status)} ${why}`)
}

/** An issue does not quote the text: it is the partner's own and stays in the observation. */
function describeStatus({ code, reasons, text }: StatedStatus): string {
  return `${quoteValue([code, ...reasons].join('/'))}${text === '' ? '' : ` with ${text.length} characters of text`}`
}

/** Several transports with different modes: it is unknown which of them the status is about. */
function transportOf({ transports }: StatusGroup, context: ReadContext): Transport {
  const segments = transports.map(([first]) => first).filter((each) => each !== undefined)
  const [first] = segments
  if (first === undefined) return noTransport
  if (segments.length > 1 && new Set(segments.map(modeOf)).size > 1) return noTransport
  const read = readTransport(first, { isAtSea: false }, context)
  return segments.length === 1 ? read : { ...read, vessel: null, voyage: null }
}

interface StatusDate {
  readonly segment: Segment
  readonly classifier: EventClassifier
}

/**
 * Element 2005: 334 change of status, 7 effective, 203 execution; for arrival and departure of a ship or train 178 and
 * 186 actual, 132 and 133 estimated. The time of writing (137) is not used: it is not when the event happened.
 */
function findDate({ ownSegments, transports }: StatusGroup, code: string | null): StatusDate | null {
  const moves = code === 'ARRI' ? ['178', '132'] : code === 'DEPA' ? ['186', '133'] : []
  const within = (segments: readonly Segment[], qualifiers: readonly string[]): StatusDate | null => {
    for (const qualifier of qualifiers) {
      const [segment] = segmentsOf(segments, 'DTM', [qualifier])
      const isExpected = qualifier === '132' || qualifier === '133'
      if (segment !== undefined) return { segment, classifier: isExpected ? 'EST' : 'ACT' }
    }
    return null
  }
  return (
    within(ownSegments, ['334', '7', '203', ...moves]) ??
    (transports.length === 1 ? within(transports.flat(), moves) : null)
  )
}

/**
 * The place where the status was reached (175), else the only place of the status, else the matching end of its leg.
 */
export function findPlace({ ownSegments, transports }: StatusGroup, code: string | null): Segment | null {
  const places = segmentsOf(ownSegments, 'LOC')
  const [activity] = segmentsOf(ownSegments, 'LOC', ['175'])
  if (activity !== undefined) return activity
  if (places.length === 1) return places[0] ?? null
  const end = code === 'LOAD' || code === 'DEPA' ? '9' : code === 'DISC' || code === 'ARRI' ? '11' : null
  if (end === null) return null
  const [ofLeg] = segmentsOf(places.length > 0 ? ownSegments : transports.flat(), 'LOC', [end])
  return ofLeg ?? null
}
