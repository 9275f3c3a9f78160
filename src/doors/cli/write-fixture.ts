/** A fixture of an answer that anybody may see, and whether it is read as the answer is. */

import { randomInt } from 'node:crypto'
import { ok, type Result, refused } from '../../core/result.ts'
import { addMs } from '../../core/time.ts'
import {
  type AnswerInHand,
  type AnswerReading,
  readAnswer,
} from '../../service/hearing/sources/read-answer.ts'
import type { Rules } from '../../service/ledger/rules.ts'
import { redactAnswer } from '../../sources/dcsa/redact.ts'
import { findLineAccess } from '../../sources/line-access.ts'

const dayMs = 86_400_000

export const readOtherwise =
  'The redacted answer is read otherwise than the original: please report the kind of answer.'

interface Held extends Pick<AnswerInHand, 'body' | 'at' | 'access'> {
  readonly told: AnswerReading
}

/** Another one each time: by how many days the times are moved is nobody's to know. */
export function writeFixture(
  rules: Rules,
  { told, body, at, access }: Held,
): Result<{ readonly text: string; readonly isReadAlike: boolean }, string> {
  const language = (access ?? findLineAccess(told.asked.scac))?.source ?? 'dcsa'
  if (language !== 'dcsa')
    return refused(
      'Only answers of DCSA Track & Trace can be redacted: of others we do not know where names stand.',
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

/** What has to stay the same whatever the numbers are. */
function summaryOf(told: AnswerReading): string {
  const issues = told.issues.map(({ kind, page, path }) => `${kind} ${page} ${path}`)
  const boxes = told.containers.map(({ status, milestones }) => `${status} ${milestones.length}`).toSorted()
  return JSON.stringify([told.verdict, told.counts, told.said.length, issues, boxes])
}
