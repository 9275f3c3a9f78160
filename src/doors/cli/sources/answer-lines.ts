/** Shows how an answer was read, as lines for its owner: what was read, what was lost and why, and what follows. */

import { styleText } from 'node:util'
import type { AnswerReading } from '../../../service/hearing/sources/read-answer.ts'

export function answerLines(told: AnswerReading, hasColours: boolean): readonly string[] {
  const title = (text: string): string =>
    hasColours ? styleText('bold', plain(text), { validateStream: false }) : plain(text)
  const { asked, counts, shipment } = told
  const partly = counts.told - counts.aside - counts.understood - counts.lost
  return [
    title(`${asked.scac} ${asked.kind} ${asked.number || '(no number)'}: ${told.verdict}`),
    ...(told.hasProfile
      ? []
      : ['The interface of this carrier is not known; the answer is read by the standard.']),
    `${counts.told} events: ${counts.understood} understood, ${partly} in part, ${counts.lost} lost, ${counts.aside} set aside${told.isPartlyUnderstood === true ? '; partly understood' : ''}`,
    '',
    title('Read'),
    ...listOf(told.said),
    '',
    title('Lost, and other issues'),
    ...listOf(
      told.issues.map(
        ({ kind, page, path, lost, detail }) =>
          `${kind}  lost: ${lost}  ${page === 1 ? '' : `page ${page} `}${path || '/'}  ${detail}`,
      ),
    ),
    ...told.notBelieved.map(({ kind, detail }) => `  ${kind}  ${plain(detail)}`),
    '',
    title(
      `Shipment ${shipment.billOfLadingNumber ?? shipment.bookingNumber ?? '-'}  ${shipment.portOfLoading ?? '?'} → ${shipment.portOfDischarge ?? '?'}`,
    ),
    ...told.containers.flatMap(({ number, status, milestones }) => [
      title(`${number}  ${status}`),
      ...listOf(milestones),
    ]),
  ]
}

function listOf(lines: readonly string[]): readonly string[] {
  return (lines.length === 0 ? ['–'] : lines).map((line) => `  ${plain(line)}`)
}

/** Removes control characters, because a terminal would act on them. */
function plain(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ')
}
