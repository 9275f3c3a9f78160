/**
 * The places of a message: one for each role that it names (R4), and the place of the status. The place of the status
 * is the R4 with the role of activity (R4*5), else the place in the status itself (B4-11, B4-06, Q5-06), else the only
 * place with the date of the status. Anything else would be a guess, so the place stays unknown.
 */

import { nowhere, type ObservedPlace } from '../../core/statements/observation.ts'
import { isUnLocode } from '../../core/values/identifiers.ts'
import { resolvePlace } from '../../reference/places.ts'
import { findSubdivisionName } from '../../reference/subdivisions.ts'
import { type IssueList, quoted } from '../source-issue.ts'
import { elementOf, type Segment } from './interchange.ts'
import type { X12Profile } from './profile.ts'

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
    place: resolve(written, context),
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

function resolve(written: WrittenPlace, { type, profile, issues }: PlaceContext): ObservedPlace {
  const { qualifier, code, subdivision, terminalName, path } = written
  const mapped = code === null ? undefined : profile.places?.[code.toUpperCase()]
  const unlocode = mapped ?? (qualifier === 'UN' ? (code?.toUpperCase() ?? null) : null)
  const city = qualifier === 'CI' ? code : null
  const name = written.name ?? city
  const country = written.country ?? (type === '322' ? countryOfRegion(subdivision) : null)
  // A name without its country identifies no place: too many places share it.
  const named =
    country === null ? {} : { name, city, country, subdivision: isRegion(written) ? subdivision : null }
  const resolved = resolvePlace({ unlocode, facilityNames: [terminalName, name], ...named })
  const { terminal = null } = resolved ?? {}
  const said = unlocode ?? name ?? code
  if (code !== null && code.length <= placeLengthMax && (mapped !== undefined || resolved === null)) {
    const isMapped = mapped !== undefined
    issues.noteCode({ field: '/places', code: code.toUpperCase(), reason: '', text: '', isMapped, path })
  }
  if (resolved === null && said !== null) {
    const lost = unlocode === null ? 'nothing' : 'field'
    issues.addOnce('unknown_place', { path, lost }, `${quoted(said)} is not a known place`)
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
  return (
    ['US', 'CA'].find((country) => findSubdivisionName(country, subdivision.toUpperCase()) !== null) ?? null
  )
}

/** Some write the country into the element of the region. */
function isRegion({ subdivision, country }: WrittenPlace): boolean {
  return subdivision !== country
}

/** Where the status took place; `nowhere` when the message does not say. */
export function readActivity(
  segments: readonly Segment[],
  places: readonly StatedPlace[],
  context: PlaceContext,
): { readonly place: ObservedPlace; readonly code: string } {
  const said = places.find(({ role }) => role === '5') ?? ofStatus(segments, places, context)
  if (said !== null) return said
  const status = segments.find(({ tag }) => tag === 'B4')
  const sameDay = status === undefined ? [] : places.filter(({ dates }) => dates.some(isMomentOf(status)))
  const [only] = sameDay
  const isOne = new Set(sameDay.map(({ code }) => code)).size === 1
  return only !== undefined && isOne ? only : { place: nowhere, code: '' }
}

function ofStatus(
  segments: readonly Segment[],
  places: readonly StatedPlace[],
  context: PlaceContext,
): { readonly place: ObservedPlace; readonly code: string } | null {
  const written = writtenByStatus(segments)
  if (written === null) return null
  const code = (written.code ?? written.name ?? '').toUpperCase()
  // The places by role often have more details of the same place: its name, its country.
  const named = places.find((each) => each.code === code && each.place.unlocode !== null)
  return named ?? { place: resolve(written, context), code }
}

function writtenByStatus(segments: readonly Segment[]): WrittenPlace | null {
  const nothing = { code: null, name: null, country: null, subdivision: null, terminalName: null }
  for (const segment of segments) {
    const say = (element: number): string | null => elementOf(segment, element) || null
    if (segment.tag === 'Q5' && say(6) !== null) {
      const path = `/${segment.number}/6`
      return { qualifier: '', ...nothing, name: say(6), subdivision: say(7), country: say(8), path }
    }
    if (segment.tag !== 'B4') continue
    if (say(11) !== null)
      return { ...nothing, qualifier: say(12) ?? '', code: say(11), path: `/${segment.number}/11` }
    const place = say(6)
    const qualifier = isUnLocode(place?.toUpperCase() ?? '') ? 'UN' : 'CI'
    if (place !== null) return { ...nothing, qualifier, code: place, path: `/${segment.number}/6` }
  }
  return null
}

/** Whether a date (DTM) is the date of the status (B4-04), and the time of the status (B4-05) if both have one. */
export function isMomentOf(status: Segment): (date: Segment) => boolean {
  const [day, time] = [elementOf(status, 4), elementOf(status, 5).slice(0, 4)]
  return (date) => {
    const said = elementOf(date, 3).slice(0, 4)
    return elementOf(date, 2) === day && day !== '' && (said === '' || time === '' || said === time)
  }
}
