/**
 * The places of a message: one for each role that it names (R4), and the place of the status. The place of the status
 * is the R4 with the role of activity (R4*5), else the place in the status itself (B4-11, or B4-06 where only that is a
 * code; Q5-06), else the only place with the date of the status. Anything else would be a guess, so the place stays
 * unknown.
 */

import { nowhere, type ObservedPlace } from '../../domain/statements/observation.ts'
import { isUnLocode } from '../../domain/values/identifiers.ts'
import { findPlaceByCode, resolvePlace } from '../../reference/places.ts'
import { findSubdivisionName } from '../../reference/subdivisions.ts'
import { type IssueList, quoteValue } from '../source-issue.ts'
import { clockOf } from './moment.ts'
import type { X12Profile } from './profile.ts'
import { elementOf, type Segment } from './segments.ts'

export interface StatedPlace {
  /**
   * R4-01: `R` receipt, `L` loading, `D` discharge, `E` delivery, `T` and `Y` between, `5` activity, `1` final port of
   * discharge, `6` first and `7` last rail ramp.
   */
  readonly role: string
  /** As it is written, to compare places within the message. */
  readonly code: string
  readonly place: ObservedPlace
  readonly terminalName: string | null
  readonly segment: Segment
  /** Its dates (DTM). */
  readonly dates: readonly Segment[]
}

/** Railways in North America leave the country out, so the type of the message matters. */
export interface PlaceContext {
  readonly type: '315' | '322'
  readonly profile: Pick<X12Profile, 'places'>
  readonly issues: IssueList
}

export function readPlaces(segments: readonly Segment[], context: PlaceContext): readonly StatedPlace[] {
  const places: StatedPlace[] = []
  let dates: Segment[] | null = null
  for (const segment of segments) {
    if (segment.tag === 'R4') {
      dates = []
      places.push({ ...readPlace(segment, context), dates })
    } else if (segment.tag === 'DTM') dates?.push(segment)
    else if (segment.tag !== 'V9') dates = null
  }
  return places
}

function readPlace(segment: Segment, context: PlaceContext): Omit<StatedPlace, 'dates'> {
  const [code, name, terminalName] = [3, 4, 6].map((element) => elementOf(segment, element) || null)
  const written = {
    qualifier: elementOf(segment, 2),
    code: code ?? null,
    name: name ?? null,
    country: elementOf(segment, 5) || null,
    subdivision: elementOf(segment, 8) || null,
    terminalName: terminalName ?? null,
    path: `/${segment.number}/3`,
  }
  return {
    role: elementOf(segment, 1),
    code: (code ?? name ?? '').toUpperCase(),
    place: resolveWrittenPlace(written, context),
    terminalName: terminalName ?? null,
    segment,
  }
}

/** The longest code that a profile maps. */
const placeLengthMax = 30

interface WrittenPlace {
  /** `UN`: UN/LOCODE, `CI`: city. Only the profile maps codes of customs (`D`, `K`) and of railways (`SL`). */
  readonly qualifier: string
  readonly code: string | null
  readonly name: string | null
  readonly country: string | null
  readonly subdivision: string | null
  readonly terminalName: string | null
  readonly path: string
}

function resolveWrittenPlace(written: WrittenPlace, { type, profile, issues }: PlaceContext): ObservedPlace {
  const { qualifier, code, subdivision, terminalName, path } = written
  const mapped = code === null ? undefined : profile.places?.[code.toUpperCase()]
  const unlocode = mapped ?? (qualifier === 'UN' ? (code?.toUpperCase() ?? null) : null)
  const city = qualifier === 'CI' ? code : null
  const name = written.name ?? city
  const country = written.country ?? (type === '322' ? countryOfRegion(subdivision) : null)
  // A name without its country identifies no place: too many places share it.
  const named = country === null ? {} : { name, city, country, subdivision: isRegion(written) ? subdivision : null }
  const resolved = resolvePlace({ unlocode, facilityNames: [terminalName, name], ...named })
  const { terminal = null } = resolved ?? {}
  const label = unlocode ?? name ?? code
  if (code !== null && code.length <= placeLengthMax && (mapped !== undefined || resolved === null)) {
    const isMapped = mapped !== undefined
    issues.noteCode({ field: '/places', code: code.toUpperCase(), reason: '', text: '', isMapped, path })
  }
  if (resolved === null && label !== null) {
    const lost = unlocode === null ? 'nothing' : 'field'
    issues.addOnce('unknown_place', { path, lost }, `${quoteValue(label)} is not a known place`)
  }
  return {
    ...nowhere,
    unlocode: resolved?.place.unlocode ?? null,
    terminalId: terminal?.facilityType === 'rail_terminal' ? terminal.id : null,
    name: name ?? code,
    timeZone: resolved?.timeZone ?? null,
  }
}

/** The country of a state or province: no US state has the code of a Canadian province. */
function countryOfRegion(subdivision: string | null): string | null {
  if (subdivision === null) return null
  return ['US', 'CA'].find((country) => findSubdivisionName(country, subdivision.toUpperCase()) !== null) ?? null
}

/** Some write the country into the element of the region. */
function isRegion({ subdivision, country }: WrittenPlace): boolean {
  return subdivision !== country
}

/** Where the status took place; `nowhere` when the message does not state it. */
export function readActivity(
  segments: readonly Segment[],
  places: readonly StatedPlace[],
  context: PlaceContext,
): { readonly place: ObservedPlace; readonly code: string } {
  const activityPlace = places.find(({ role }) => role === '5') ?? findStatusPlace(segments, places, context)
  if (activityPlace !== null) return activityPlace
  const status = segments.find(({ tag }) => tag === 'B4')
  const sameDay = status === undefined ? [] : places.filter(({ dates }) => dates.some(makeStatusDateCheck(status)))
  const [only] = sameDay
  const isOne = new Set(sameDay.map(({ code }) => code)).size === 1
  return only !== undefined && isOne ? only : { place: nowhere, code: '' }
}

function findStatusPlace(
  segments: readonly Segment[],
  places: readonly StatedPlace[],
  context: PlaceContext,
): { readonly place: ObservedPlace; readonly code: string } | null {
  const written = readStatusPlace(segments, context.profile)
  if (written === null) return null
  const code = (written.code ?? written.name ?? '').toUpperCase()
  // The places by role often have more details of the same place: its name, its country.
  const named = places.find((each) => each.code === code && each.place.unlocode !== null)
  return named ?? { place: resolveWrittenPlace(written, context), code }
}

function readStatusPlace(segments: readonly Segment[], profile: PlaceContext['profile']): WrittenPlace | null {
  const nothing = { code: null, name: null, country: null, subdivision: null, terminalName: null }
  for (const segment of segments) {
    const elementText = (element: number): string | null => elementOf(segment, element) || null
    if (segment.tag === 'Q5' && elementText(6) !== null) {
      const path = `/${segment.number}/6`
      return {
        qualifier: '',
        ...nothing,
        name: elementText(6),
        subdivision: elementText(7),
        country: elementText(8),
        path,
      }
    }
    if (segment.tag !== 'B4') continue
    const [identifier, place] = [elementText(11), elementText(6)]
    const isKnown = (code: string): boolean =>
      profile.places?.[code.toUpperCase()] !== undefined || findPlaceByCode(code) !== null
    const isNamed = identifier !== null && place !== null && !isKnown(identifier) && isKnown(place)
    if (identifier !== null && !isNamed)
      return { ...nothing, qualifier: elementText(12) ?? '', code: identifier, path: `/${segment.number}/11` }
    const qualifier = isUnLocode(place?.toUpperCase() ?? '') ? 'UN' : 'CI'
    const name = identifier !== null && !/\d/.test(identifier) ? identifier : null
    if (place !== null) return { ...nothing, qualifier, code: place, name, path: `/${segment.number}/6` }
  }
  return null
}

/** Whether a date (DTM) is the date of the status (B4-04), and the time of the status (B4-05) if both have one. */
export function makeStatusDateCheck(status: Segment): (date: Segment) => boolean {
  const toTheMinute = (time: string): string => clockOf(time)?.slice(0, 5) ?? time
  const [day, time] = [elementOf(status, 4), toTheMinute(elementOf(status, 5))]
  return (date) => {
    const writtenTime = toTheMinute(elementOf(date, 3))
    return elementOf(date, 2) === day && day !== '' && (writtenTime === '' || time === '' || writtenTime === time)
  }
}
