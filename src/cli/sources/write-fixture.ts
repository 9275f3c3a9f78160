/**
 * Makes a fixture from an answer that can be published, and checks that the fixture is read in the same way as the
 * answer.
 */

import { randomInt } from 'node:crypto'
import { coscoTreatments } from '../../connectors/cosco/treatments.ts'
import { type RedactedPages, redactPages } from '../../connectors/dcsa/redact.ts'
import { dcsaTreatments, type MemberTreatments } from '../../connectors/dcsa/treatments.ts'
import { findLineAccess } from '../../connectors/line-access.ts'
import { readPages, writePages } from '../../connectors/pages.ts'
import type { RawSnapshot } from '../../connectors/source.ts'
import { err, ok, type Result } from '../../domain/values/result.ts'
import { addMs } from '../../domain/values/time.ts'
import { type AnswerReading, type PastedAnswer, projectAnswer } from '../../modules/sources/read-answer.ts'
import type { Rules } from '../../pipeline/ledger/rules.ts'

const dayMs = 86_400_000

export const readOtherwise =
  'The redacted answer gives another result than the original. Please report the kind of answer.'

const treatments: Readonly<Record<string, MemberTreatments>> = { cosco: coscoTreatments, dcsa: dcsaTreatments }

interface FixtureInput extends Pick<PastedAnswer, 'body' | 'at' | 'access'> {
  readonly reading: AnswerReading
}

export function writeFixture(
  rules: Rules,
  { reading, body, at, access }: FixtureInput,
): Result<{ readonly text: string; readonly isReadAlike: boolean }, string> {
  const snapshot = { status: 200, contentType: null, body, fetchedAt: at }
  const redacted = redactReading(rules, { reading, snapshot, access })
  if (!redacted.ok) return redacted
  const { pages, isReadAlike } = redacted.value
  return ok({ text: `${JSON.stringify(pages[0], null, 2)}\n`, isReadAlike })
}

export interface RedactedReading extends RedactedPages {
  readonly snapshot: RawSnapshot
  readonly again: ReturnType<typeof projectAnswer>
  readonly isReadAlike: boolean
}

/**
 * Moves all times by a random number of days, a new one at each call, so that nobody can compute the original times.
 */
export function redactReading(
  rules: Rules,
  of: {
    readonly reading: AnswerReading
    readonly snapshot: RawSnapshot
    readonly access: PastedAnswer['access']
  },
): Result<RedactedReading, string> {
  const { reading, snapshot, access } = of
  const { scac, kind, number } = reading.asked
  const language = (access ?? findLineAccess(scac))?.source ?? 'dcsa'
  const known = treatments[language]
  if (known === undefined)
    return err(
      'Only answers of DCSA Track & Trace and of COSCO can be redacted. In others Landfall does not know where names are.',
    )
  const shiftDays = -randomInt(28, 365)
  const { pages, complete } = readPages(snapshot)
  const redacted = redactPages(pages, { shiftDays, treatments: known })
  if (!redacted.ok) return err(`It cannot be redacted: ${redacted.reason}.`)
  const fetchedAt = addMs(snapshot.fetchedAt, shiftDays * dayMs)
  const rewritten = writePages({ pages: redacted.value.pages.map(rewrite), complete }, fetchedAt)
  const again = projectAnswer(rules, {
    scac,
    kind,
    number: redacted.value.replacementOf(number),
    body: rewritten.body,
    at: fetchedAt,
    answered: rewritten,
    ...(access !== undefined && { access }),
  })
  const isReadAlike = summaryOf(again.reading) === summaryOf(reading)
  return ok({ ...redacted.value, snapshot: rewritten, again, isReadAlike })

  function rewrite(page: unknown, place: number) {
    const { status = 200, contentType = null } = pages[place] ?? {}
    return { status, contentType: mediaTypeOf(contentType), body: Buffer.from(JSON.stringify(page)), truncated: false }
  }
}

/** Without parameters: they may be anything, and the redacted answer is UTF-8. */
function mediaTypeOf(contentType: string | null): string | null {
  return /^[\w.+-]+\/[\w.+-]+/.exec(contentType ?? '')?.[0].toLowerCase() ?? null
}

/** What must be the same for the answer and its fixture, although their numbers differ. */
function summaryOf(reading: AnswerReading): string {
  const issues = reading.issues.map(({ kind, page, path }) => `${kind} ${page} ${path}`)
  const containers = reading.containers.map(({ status, milestones }) => `${status} ${milestones.length}`).toSorted()
  return JSON.stringify([reading.verdict, reading.counts, reading.said.length, issues, containers])
}
