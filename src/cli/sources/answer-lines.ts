/** Shows how an answer was read, as lines for its owner: what was read, what was lost and why, and what follows. */

import { styleText } from 'node:util'
import type { AnswerReading } from '../../modules/sources/read-answer.ts'

export function answerLines(reading: AnswerReading, hasColours: boolean): readonly string[] {
  const title = (text: string): string =>
    hasColours ? styleText('bold', stripControls(text), { validateStream: false }) : stripControls(text)
  const { asked: query, counts, shipment } = reading
  const partly = counts.told - counts.aside - counts.understood - counts.lost
  return [
    title(`${query.scac} ${query.kind} ${query.number || '(no number)'}: ${reading.verdict}`),
    ...(reading.hasProfile
      ? []
      : ['The interface of this carrier is not known; the answer is read by the DCSA standard.']),
    `${counts.told} events: ${counts.understood} understood, ${partly} in part, ${counts.lost} lost, ${counts.aside} set aside${reading.isPartlyUnderstood === true ? '; partly understood' : ''}`,
    '',
    title('Read'),
    ...listOf(reading.said),
    '',
    title('Lost, and other issues'),
    ...listOf(
      reading.issues.map(
        ({ kind, page, path, lost, detail }) =>
          `${kind}  lost: ${lost}  ${page === 1 ? '' : `page ${page} `}${path || '/'}  ${detail}`,
      ),
    ),
    ...reading.notBelieved.map(({ kind, detail }) => `  ${kind}  ${stripControls(detail)}`),
    '',
    title(
      `Shipment ${shipment.billOfLadingNumber ?? shipment.bookingNumber ?? '-'}  ${shipment.portOfLoading ?? '?'} → ${shipment.portOfDischarge ?? '?'}`,
    ),
    ...reading.containers.flatMap(({ number, status, milestones }) => [
      title(`${number}  ${status}`),
      ...listOf(milestones),
    ]),
  ]
}

function listOf(lines: readonly string[]): readonly string[] {
  return (lines.length === 0 ? ['–'] : lines).map((line) => `  ${stripControls(line)}`)
}

/** Removes control characters, because a terminal would act on them. */
function stripControls(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ')
}
