/** The terms and calendars of an account, ready for look-ups: versions by code, the newest first. */

import { instantOf, localDateIn } from '../values/time.ts'
import type { ChargeCalendar } from './calendar.ts'
import { type ChargedContainer, findMilestone, findStartMilestone, momentOf } from './evidence.ts'
import type { ChargeTerms } from './terms.ts'

export interface TermsBook {
  readonly series: readonly (readonly ChargeTerms[])[]
  readonly calendars: ReadonlyMap<string, ChargeCalendar>
}

/**
 * Of a calendar only the newest version counts: a closure that was published late counts for the days that are over.
 */
export function openTermsBook(terms: readonly ChargeTerms[], calendars: readonly ChargeCalendar[]): TermsBook {
  const newest = new Map<string, ChargeCalendar>()
  for (const calendar of calendars) {
    const known = newest.get(calendar.code)
    if (known === undefined || known.version < calendar.version) newest.set(calendar.code, calendar)
  }
  const series = [...Map.groupBy(terms, ({ code }) => code)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, versions]) => versions.toSorted((a, b) => b.version - a.version))
  return { series, calendars: newest }
}

export type VersionLookup =
  | { readonly kind: 'found'; readonly terms: ChargeTerms }
  /** The end of a sentence about the terms. */
  | { readonly kind: 'none' | 'undecided'; readonly terms: ChargeTerms; readonly why: string }

/** The newest version that is valid on the date that locks its rate. */
export function versionFor(
  chargedContainer: ChargedContainer,
  versions: readonly ChargeTerms[],
  book: TermsBook,
): VersionLookup | null {
  const [newest] = versions
  if (newest === undefined) return null
  for (const terms of versions) {
    if (terms.validFrom === null && terms.validTo === null) return toVersionLookup(terms)
    const day = lockDayOf(chargedContainer, terms, book)
    if (day === null) {
      const why = `the date that locks the rate (${terms.lockedBy}) is not known`
      return { kind: 'undecided', terms, why }
    }
    if (isValidOn(terms, day)) return toVersionLookup(terms)
  }
  return { kind: 'none', terms: newest, why: 'no version is valid on the date that locks the rate' }
}

function toVersionLookup(terms: ChargeTerms): VersionLookup {
  return terms.isWithdrawn ? { kind: 'none', terms, why: 'they were withdrawn' } : { kind: 'found', terms }
}

/** The terms whose rates count on a day. Terms whose rate is locked by one date have the same rates on all days. */
export function ratesOf(terms: ChargeTerms, versions: readonly ChargeTerms[]): (day: string) => ChargeTerms {
  if (terms.lockedBy !== 'each_day') return () => terms
  return (day) =>
    versions.find((version) => !version.isWithdrawn && version.lockedBy === 'each_day' && isValidOn(version, day)) ??
    terms
}

function isValidOn({ validFrom, validTo }: ChargeTerms, day: string): boolean {
  return (validFrom === null || validFrom <= day) && (validTo === null || day <= validTo)
}

function lockDayOf({ container }: ChargedContainer, terms: ChargeTerms, { calendars }: TermsBook): string | null {
  const calendar = terms.calendar === null ? null : (calendars.get(terms.calendar) ?? null)
  switch (terms.lockedBy) {
    case 'clock_start':
    case 'each_day': {
      const start = findStartMilestone(container, terms.start.event)
      return start === null ? null : (momentOf(terms.start.event, start, calendar?.zone ?? null)?.day ?? null)
    }
    case 'vessel_discharged':
    case 'full_in': {
      const lockMilestone = findMilestone(container, terms.lockedBy, false)
      return lockMilestone === null ? null : (momentOf(terms.lockedBy, lockMilestone, null)?.day ?? null)
    }
    case 'vessel_departed': {
      const { atd, place } = container.portOfLoading
      const zone = place?.timeZone ?? null
      if (atd === null) return null
      if (atd.kind === 'instant') return zone === null ? null : localDateIn(atd.at, zone)
      return instantOf(atd, null).at.slice(0, 10)
    }
  }
}
