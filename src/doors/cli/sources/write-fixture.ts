/**
 * Makes a fixture from an answer that can be published, and checks that the fixture is read in the same way as the
 * answer.
 */

import { randomInt } from 'node:crypto'
import { ok, type Result, refused } from '../../../core/values/result.ts'
import { addMs } from '../../../core/values/time.ts'
import {
  type AnswerInHand,
  type AnswerReading,
  readAnswer,
} from '../../../service/hearing/sources/read-answer.ts'
import type { Rules } from '../../../service/ledger/rules.ts'
import { redactAnswer } from '../../../sources/dcsa/redact.ts'
import { findLineAccess } from '../../../sources/line-access.ts'

const dayMs = 86_400_000

export const readOtherwise =
  'The redacted answer gives another result than the original. Please report the kind of answer.'

interface Held extends Pick<AnswerInHand, 'body' | 'at' | 'access'> {
  readonly told: AnswerReading
}

/**
 * Moves all times by a random number of days, a new one at each call, so that nobody can compute the original times.
 */
export function writeFixture(
  rules: Rules,
  { told, body, at, access }: Held,
): Result<{ readonly text: string; readonly isReadAlike: boolean }, string> {
  const language = (access ?? findLineAccess(told.asked.scac))?.source ?? 'dcsa'
  if (language !== 'dcsa')
    return refused(
      'Only answers of DCSA Track & Trace can be redacted. In others Landfall does not know where names are.',
    )
  const shiftDays = -randomInt(28, 365)
  const redacted = redactAnswer(body, { shiftDays })
  if (!redacted.ok) return refused(`It cannot be redacted: ${redacted.reason}.`)
  const { text, replacementOf } = redacted.value
  const { scac, kind, number } = told.asked
  const again = readAnswer(rules, {
    scac,
    kind,
    number: replacementOf(number),
    body: Buffer.from(text),
    at: addMs(at, shiftDays * dayMs),
    ...(access !== undefined && { access }),
  })
  return ok({ text, isReadAlike: summaryOf(again) === summaryOf(told) })
}

/** What must be the same for the answer and its fixture, although their numbers differ. */
function summaryOf(told: AnswerReading): string {
  const issues = told.issues.map(({ kind, page, path }) => `${kind} ${page} ${path}`)
  const boxes = told.containers.map(({ status, milestones }) => `${status} ${milestones.length}`).toSorted()
  return JSON.stringify([told.verdict, told.counts, told.said.length, issues, boxes])
}
