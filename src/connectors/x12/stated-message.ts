/** What a 315 or 322 states, in one shape for both: they state the same things in different segments. */

import type { ObservedPlace, ObservedVessel } from '../../domain/statements/observation.ts'
import type { EmptyIndicator } from '../../domain/values/codes.ts'
import { parseImoNumber } from '../../domain/values/identifiers.ts'
import { type IssueList, quoteValue } from '../source-issue.ts'
import type { WrittenMoment } from './moment.ts'
import { isContainer, type Numbers, readNumbers } from './numbers.ts'
import { makeStatusDateCheck, type PlaceContext, readActivity, readPlaces, type StatedPlace } from './place.ts'
import { elementOf, type Segment } from './segments.ts'
import type { MessageDialect } from './statuses.ts'

export interface StatedStatus {
  readonly code: string
  readonly path: string
  readonly moment: WrittenMoment
}

export interface Reference {
  readonly qualifier: string
  readonly value: string
  readonly path: string
}

export interface StatedMessage {
  readonly type: MessageDialect['type']
  readonly numbers: Numbers
  /** The message's own status (B4) first, then the additional ones (SG). */
  readonly statuses: readonly StatedStatus[]
  readonly load: EmptyIndicator | null
  readonly activity: { readonly place: ObservedPlace; readonly code: string }
  readonly places: readonly StatedPlace[]
  readonly vessel: ObservedVessel | null
  readonly voyage: string | null
  readonly references: readonly Reference[]
  /** The segments themselves, for facts that only one of them has. */
  readonly segments: readonly Segment[]
}

export function readStatedMessage(segments: readonly Segment[], context: PlaceContext): StatedMessage {
  const { type, issues } = context
  const places = readPlaces(segments, context)
  return {
    type,
    numbers: readNumbers(segments, issues),
    statuses: type === '315' ? statusesOf315(segments, places) : statusesOf322(segments),
    load: readLoad(segments, issues),
    activity: readActivity(segments, places, context),
    places,
    ...readShip(segments, issues),
    references: segments.filter(({ tag }) => tag === 'N9').map(readReference),
    segments,
  }
}

/** B4 has no zone. If the date of a place is the date of the status, its zone is the zone of the status. */
function statusesOf315(segments: readonly Segment[], places: readonly StatedPlace[]): readonly StatedStatus[] {
  const mainStatus = segments.find(({ tag }) => tag === 'B4')
  if (mainStatus === undefined) return []
  const inOrder = places.toSorted((a, b) => Number(b.role === '5') - Number(a.role === '5'))
  const dates = inOrder.flatMap((each) => each.dates)
  const zone = dates.filter(makeStatusDateCheck(mainStatus)).map((date) => elementOf(date, 4))[0] ?? ''
  const status = (segment: Segment, element: number): StatedStatus => {
    const isDated = elementOf(segment, 4) !== ''
    const of = isDated ? segment : mainStatus
    return {
      code: elementOf(segment, element).toUpperCase(),
      path: `/${segment.number}/${element}`,
      moment: {
        path: `/${of.number}/4`,
        date: elementOf(of, 4),
        time: elementOf(of, 5),
        zone: of === mainStatus ? zone : '',
      },
    }
  }
  const beside = segments.filter(({ tag }) => tag === 'SG').map((segment) => status(segment, 1))
  return [status(mainStatus, 3), ...beside].filter(({ code }) => code !== '')
}

function statusesOf322(segments: readonly Segment[]): readonly StatedStatus[] {
  return segments
    .filter((segment) => segment.tag === 'Q5' && elementOf(segment, 1) !== '')
    .map((segment) => ({
      code: elementOf(segment, 1).toUpperCase(),
      path: `/${segment.number}/1`,
      moment: {
        path: `/${segment.number}/2`,
        date: elementOf(segment, 2),
        time: elementOf(segment, 3),
        zone: elementOf(segment, 4),
      },
    }))
}

const loads: ReadonlyMap<string, EmptyIndicator> = new Map([
  ['E', 'EMPTY'],
  ['L', 'LADEN'],
])

function readLoad(segments: readonly Segment[], issues: IssueList): EmptyIndicator | null {
  for (const segment of segments) {
    const element = segment.tag === 'B4' ? 9 : segment.tag === 'W2' ? 5 : null
    const loadCode = element === null ? '' : elementOf(segment, element).toUpperCase()
    const load = loads.get(loadCode)
    if (load !== undefined) return load
    const at = { path: `/${segment.number}/${element}`, lost: 'field' } as const
    if (loadCode !== '')
      issues.addOnce('unknown_code', at, `${quoteValue(loadCode)} is neither empty (E) nor laden (L)`)
  }
  return null
}

/**
 * The twelfth element of Q2 is the kind of the code in the first one. Only IMO numbers are read: we do not know ships
 * by call sign.
 */
function readShip(segments: readonly Segment[], issues: IssueList): Pick<StatedMessage, 'vessel' | 'voyage'> {
  const ship = segments.find(({ tag }) => tag === 'Q2')
  const other = segments.find((each) => each.tag === 'N9' && elementOf(each, 1) === 'WU')
  const name = (ship && elementOf(ship, 13)) || (other && elementOf(other, 2)) || null
  if (ship === undefined) return { vessel: name === null ? null : { imo: null, name }, voyage: null }
  const imoText = elementOf(ship, 12) === 'L' ? elementOf(ship, 1) : ''
  const imo = parseImoNumber(imoText)
  if (imoText !== '' && !imo.ok) {
    const at = { path: `/${ship.number}/1`, lost: 'field' } as const
    issues.addOnce('bad_imo', at, `${quoteValue(imoText)} is not an IMO number: ${imo.reason.replaceAll('_', ' ')}`)
  }
  const vessel = imo.ok || name !== null ? { imo: imo.ok ? imo.value : null, name } : null
  return { vessel, voyage: elementOf(ship, 9) || null }
}

function readReference(segment: Segment): Reference {
  return {
    qualifier: elementOf(segment, 1).toUpperCase(),
    value: elementOf(segment, 2),
    path: `/${segment.number}/2`,
  }
}

/** The segment of the container, not of the chassis under it. */
export function findContainerSegment({ segments }: StatedMessage): Segment | null {
  return segments.find((segment) => segment.tag === 'B4' || isContainer(segment)) ?? null
}
