/**
 * Makes a fixture from an answer that can be published, and checks that the fixture is read in the same way as the
 * answer.
 */

import { randomInt } from 'node:crypto'
import { redactAnswer } from '../../connectors/dcsa/redact.ts'
import { findLineAccess } from '../../connectors/line-access.ts'
import { err, ok, type Result } from '../../domain/values/result.ts'
import { addMs } from '../../domain/values/time.ts'
import { type AnswerReading, type PastedAnswer, readAnswer } from '../../modules/sources/read-answer.ts'
import type { Rules } from '../../pipeline/ledger/rules.ts'

const dayMs = 86_400_000

export const readOtherwise =
  'The redacted answer gives another result than the original. Please report the kind of answer.'

interface FixtureInput extends Pick<PastedAnswer, 'body' | 'at' | 'access'> {
  readonly reading: AnswerReading
}

/**
 * Moves all times by a random number of days, a new one at each call, so that nobody can compute the original times.
 */
export function writeFixture(
  rules: Rules,
  { reading, body, at, access }: FixtureInput,
): Result<{ readonly text: string; readonly isReadAlike: boolean }, string> {
  const language = (access ?? findLineAccess(reading.asked.scac))?.source ?? 'dcsa'
  if (language !== 'dcsa')
    return err('Only answers of DCSA Track & Trace can be redacted. In others Landfall does not know where names are.')
  const shiftDays = -randomInt(28, 365)
  const redacted = redactAnswer(body, { shiftDays })
  if (!redacted.ok) return err(`It cannot be redacted: ${redacted.reason}.`)
  const { text, replacementOf } = redacted.value
  const { scac, kind, number } = reading.asked
  const again = readAnswer(rules, {
    scac,
    kind,
    number: replacementOf(number),
    body: Buffer.from(text),
    at: addMs(at, shiftDays * dayMs),
    ...(access !== undefined && { access }),
  })
  return ok({ text, isReadAlike: summaryOf(again) === summaryOf(reading) })
}

/** What must be the same for the answer and its fixture, although their numbers differ. */
function summaryOf(reading: AnswerReading): string {
  const issues = reading.issues.map(({ kind, page, path }) => `${kind} ${page} ${path}`)
  const containers = reading.containers.map(({ status, milestones }) => `${status} ${milestones.length}`).toSorted()
  return JSON.stringify([reading.verdict, reading.counts, reading.said.length, issues, containers])
}
