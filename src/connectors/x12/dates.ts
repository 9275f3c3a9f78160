/**
 * The dates (DTM) of a message's places: estimated and actual times at which a ship leaves or arrives. 369 to 372 name
 * both classifier and event. 139 (estimated) and 140 (actual) mean departure at a port of loading and arrival at a port
 * of discharge, as in the samples.
 */

import type { EventObservation } from '../../domain/statements/observation.ts'
import type { EventClassifier, TransportMode } from '../../domain/values/codes.ts'
import { quoteValue } from '../source-issue.ts'
import type { ReadContext } from './context.ts'
import { clockOf, readMoment } from './moment.ts'
import { observeEvent } from './observe-event.ts'
import { makeStatusDateCheck, type StatedPlace } from './place.ts'
import { elementOf, type Segment } from './segments.ts'

interface DateMeaning {
  readonly classifier: EventClassifier
  /** Null where the role of the place decides. */
  readonly code: 'ARRI' | 'DEPA' | null
}

const meanings: ReadonlyMap<string, DateMeaning> = new Map<string, DateMeaning>([
  ['139', { classifier: 'EST', code: null }],
  ['140', { classifier: 'ACT', code: null }],
  ['369', { classifier: 'EST', code: 'DEPA' }],
  ['370', { classifier: 'ACT', code: 'DEPA' }],
  ['371', { classifier: 'EST', code: 'ARRI' }],
  ['372', { classifier: 'ACT', code: 'ARRI' }],
])

/**
 * For each role of a place: the event that 139 and 140 mean there, and the mode of transport; null where it is not
 * known.
 */
const roles: Readonly<Record<string, { readonly code: 'ARRI' | 'DEPA' | null; readonly mode: TransportMode | null }>> =
  {
    L: { code: 'DEPA', mode: 'VESSEL' },
    D: { code: 'ARRI', mode: 'VESSEL' },
    '1': { code: 'ARRI', mode: 'VESSEL' },
    T: { code: null, mode: 'VESSEL' },
    Y: { code: null, mode: 'VESSEL' },
    E: { code: 'ARRI', mode: null },
    '6': { code: 'DEPA', mode: 'RAIL' },
    '7': { code: 'ARRI', mode: 'RAIL' },
  }

export function writeDates(context: ReadContext): readonly EventObservation[] {
  const { stated } = context
  const ofPlaces = stated.places.flatMap((place) => place.dates.flatMap((date) => writeDate(date, place, context)))
  return stated.type === '322' ? [...ofPlaces, ...writeEstimateOfTrain(context)] : ofPlaces
}

function writeDate(date: Segment, place: StatedPlace, context: ReadContext): readonly EventObservation[] {
  const { issues, stated } = context
  const qualifier = elementOf(date, 1)
  const meaning = meanings.get(qualifier)
  const role = Object.hasOwn(roles, place.role) ? roles[place.role] : undefined
  const code = meaning?.code ?? role?.code ?? null
  if (meaning === undefined || role === undefined || code === null) {
    if (!isStatusDate(date, place, context)) {
      const at = { path: `/${date.number}/1`, lost: 'field' } as const
      issues.addOnce(
        'unmapped_code',
        at,
        `the date qualifier ${quoteValue(qualifier)} is not mapped for a place with the role ${quoteValue(place.role)}`,
      )
    }
    return []
  }
  const mode = modeAt(place, role.mode, context)
  if (mode === null) {
    const at = { path: `/${date.number}/1`, lost: 'field' } as const
    issues.addOnce('unmapped_code', at, 'the date of the place is not read: the mode of transport is missing')
    return []
  }
  const original = `${place.role} ${qualifier}`
  const isActivity = place.code === stated.activity.code && stated.type === '315'
  return writeMovement(date, { classifier: meaning.classifier, code, mode, place, original, isActivity }, context)
}

/** True for the date of the status itself, repeated at its place: it is not another event. */
function isStatusDate(date: Segment, place: StatedPlace, { stated }: ReadContext): boolean {
  const status = stated.segments.find(({ tag }) => tag === 'B4')
  return place.role === '5' || (status !== undefined && makeStatusDateCheck(status)(date))
}

/**
 * The mode at a place inland: rail if the message names a railway, otherwise unknown. A ship does not come to a ramp.
 */
function modeAt(
  { code, place }: StatedPlace,
  mode: TransportMode | null,
  { stated, speaker }: ReadContext,
): TransportMode | null {
  const isRamp = /\bRAMP\b/.test(place.name?.toUpperCase() ?? '')
  if (mode !== null) return mode === 'VESSEL' && isRamp ? null : mode
  const isPort = stated.places.some(({ role, code: of }) => (role === 'D' || role === '1') && of === code)
  const isByRail =
    isRamp ||
    stated.type === '322' ||
    speaker === 'rail' ||
    stated.references.some(({ qualifier }) => qualifier === 'RR') ||
    stated.places.some(({ role }) => role === '6' || role === '7')
  return isByRail && !isPort ? 'RAIL' : null
}

/**
 * 322: the dates outside of places are those of the train at its last ramp: 371 is the arrival, else 017 the delivery.
 */
function writeEstimateOfTrain(context: ReadContext): readonly EventObservation[] {
  const { stated } = context
  const end = stated.places.find(({ role }) => role === '7') ?? stated.places.find(({ role }) => role === 'E')
  const ofPlaces = new Set(stated.places.flatMap(({ dates }) => dates))
  const trainDates = stated.segments.filter((segment) => segment.tag === 'DTM' && !ofPlaces.has(segment))
  const date = ['371', '017'].flatMap((code) => trainDates.filter((each) => elementOf(each, 1) === code))[0]
  if (date === undefined || end === undefined) return []
  const original = `DTM ${elementOf(date, 1)}`
  const movement = {
    classifier: 'EST',
    code: 'ARRI',
    mode: 'RAIL',
    place: end,
    original,
    isActivity: false,
  } as const
  return writeMovement(date, movement, context)
}

function writeMovement(
  date: Segment,
  movement: {
    readonly classifier: EventClassifier
    readonly code: 'ARRI' | 'DEPA'
    readonly mode: TransportMode
    readonly place: StatedPlace
    readonly original: string
    /**
     * True at the place of the status. Only there is the ship of the message certainly the ship of the date; elsewhere
     * it may be another ship.
     */
    readonly isActivity: boolean
  },
  context: ReadContext,
): readonly EventObservation[] {
  const { stated } = context
  const { classifier, code, mode, place, original } = movement
  const { container } = stated.numbers
  if (container === null && mode !== 'VESSEL') return []
  const clock = elementOf(date, 3)
  const written = {
    path: `/${date.number}/2`,
    date: elementOf(date, 2),
    // An estimate for midnight is one for the day.
    time: classifier === 'EST' && clockOf(clock) === '00:00:00' ? '' : clock,
    zone: elementOf(date, 4),
  }
  const time = readMoment(written, { ...context, lost: 'field' })
  if (time === null) return []
  const isByShip = movement.isActivity && mode === 'VESSEL'
  const ship = { vessel: isByShip ? stated.vessel : null, voyage: isByShip ? stated.voyage : null }
  const observed = {
    classifier,
    code,
    mode,
    time,
    place: place.place,
    original,
    load: null,
    equipment: container,
    ...ship,
  }
  return [observeEvent(observed, context)]
}
