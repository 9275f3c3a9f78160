/**
 * `meta.line_search` of a tracking request: which lines are polled for the number while its line is being found, or
 * were polled when this failed.
 */

import * as schema from '../../api/shape/schema.ts'
import { exclusionReasons, type LineDetection } from '../../domain/tracking-requests/line-detection.ts'
import type { TrackingRequestReading } from './list-tracking-requests-sql.ts'

const scacs = (description: string) => schema.list(schema.text(), { description })

export const lineSearch = {
  schema: schema.anyOf([
    schema.object({
      said_no: scacs('SCACs of the lines that do not know the number.'),
      gave_no_answer: scacs(
        'SCACs of the carriers that did not answer. They are polled again when all others have answered.',
      ),
      knows_no_trip_under_way: scacs(
        'SCACs of the carriers that know the container, but had no trip of it under way at the time of your request: their trip was that of another customer. Landfall uses such a carrier only if you name it.',
      ),
      still_to_ask: scacs('SCACs of the carriers that will be polled next, in order.'),
      left_out: schema.list(
        schema.object({
          scac: schema.text(),
          because: schema.oneOf(exclusionReasons, {
            description:
              "`billed`: its requests cost money. `limit`: the account's limit of carriers for one search is reached.",
          }),
        }),
        {
          description: 'Carriers that could be polled but are not. To poll one of them, name it in a request.',
        },
      ),
      detail: schema.textOrNull({ description: 'If the search has failed: what you can do.' }),
    }),
    schema.nothing(),
  ]),
  write: ({ detection, status, failedReason }: TrackingRequestReading) =>
    detection === null
      ? null
      : {
          said_no: detection.ruledOut,
          gave_no_answer: scacsOf(detection.unanswered),
          knows_no_trip_under_way: scacsOf(detection.idle),
          still_to_ask: scacsOf(detection.candidates),
          left_out: detection.search?.leftOut ?? [],
          detail:
            status === 'failed' && failedReason === 'scac_auto_detect_failed' ? describeFailedSearch(detection) : null,
        },
}

function scacsOf(lines: LineDetection['candidates'] = []): readonly string[] {
  return lines.map(({ scac }) => scac)
}

function describeFailedSearch({ idle = [], search, ruledOut }: LineDetection): string {
  if (idle.length > 1)
    return `${scacsOf(idle).join(', ')} know this container, but none had a trip of it under way at the time of your request. Name its line.`
  const skipped = search?.leftOut ?? []
  const sentence = ruledOut.length === 0 ? 'No line could be polled.' : 'No polled line knows this number.'
  if (skipped.length === 0) return `${sentence} If you know its line, name it.`
  return `${sentence} Not polled: ${skipped.map(({ scac, because }) => `${scac} (${because})`).join(', ')}. If it is one of these, name it.`
}
