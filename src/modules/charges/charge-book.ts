/** The terms and calendars of an account as they were on record at a moment, ready to be looked up. */

import type { Db } from '../../db/database.ts'
import type { ChargeCalendar } from '../../domain/charges/calendar.ts'
import type { ChargeTerms } from '../../domain/charges/terms.ts'
import { openTermsBook, type TermsBook } from '../../domain/charges/terms-book.ts'
import { readVersions } from './charge-versions-sql.ts'

export interface RecordedVersions {
  readonly terms: readonly ChargeTerms[]
  readonly calendars: readonly ChargeCalendar[]
}

/** `until`: null for now. */
export async function readRecordedVersions(
  db: Db,
  of: { readonly accountId: string; readonly until: string | null },
): Promise<RecordedVersions> {
  const terms = await readVersions(db, 'charge_terms', of)
  const calendars = await readVersions(db, 'charge_calendars', of)
  return {
    terms: terms.map(({ content, code, version, recordedAt }) => ({ ...content, code, version, recordedAt })),
    calendars: calendars.map(({ content, code, version, recordedAt }) => ({
      ...content,
      code,
      version,
      recordedAt,
    })),
  }
}

export async function readTermsBook(
  db: Db,
  of: { readonly accountId: string; readonly until: string | null },
): Promise<TermsBook> {
  const { terms, calendars } = await readRecordedVersions(db, of)
  return openTermsBook(terms, calendars)
}
