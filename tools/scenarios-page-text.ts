/** Writes the text of the page about the sandbox's named scenarios, from the table that the sandbox itself uses. */

import { FAULT_KINDS, faultBox } from '../sandbox/faults.ts'
import { findLine } from '../sandbox/lines.ts'
import { namedScenarios } from '../sandbox/named.ts'
import type { FailedReason } from '../src/domain/tracking-requests/tracking-request-state.ts'

const kinds = { bill_of_lading: 'bill_of_lading', booking: 'booking_number', container: 'container' } as const

const faults: Readonly<Record<(typeof FAULT_KINDS)[number], string>> = {
  '400': 'the line says that the number is invalid',
  '500': 'the line answers 500',
  '429': 'the line asks Landfall to wait for a while',
  login: 'a page to sign in, with status 200',
  html: 'a page about maintenance that claims to be JSON',
  slow: 'the right answer, a few bytes at a time',
  empty: 'status 200 and no body',
  trunc: 'the right answer, cut in the middle',
  half: 'half an answer',
  other: "somebody else's container",
  stale: "yesterday's answer",
  reset: 'the connection is cut',
  unknown: 'the line does not know the number',
  nodata: 'a booking that is confirmed, and nothing that moves',
}

const unreachable = ['shipping_line_unreachable', 'retries_exhausted'] as const
const unreadable = ['unrecognized_response', 'retries_exhausted'] as const

/** The `failed_reason` of a request for a bill that is answered with this fault: the first one, and the final one. */
export const faultReasons: Readonly<Record<(typeof FAULT_KINDS)[number], readonly FailedReason[]>> = {
  '400': ['invalid_number'],
  '500': unreachable,
  '429': unreachable,
  login: unreadable,
  html: unreadable,
  // The profile's timeout ends the answer, which would take minutes to be complete.
  slow: unreachable,
  empty: unreadable,
  trunc: unreadable,
  half: unreadable,
  other: unreadable,
  stale: unreadable,
  reset: unreachable,
  unknown: ['awaiting_manifest', 'not_found'],
  nodata: ['awaiting_manifest', 'expired'],
}

export function writeScenariosPage(): string {
  const rows = namedScenarios().map(({ name, scac, kind, number, instances, shows }) => {
    const written = kind === 'container' ? number : number.replace(/^SBX([A-Z]+)(\d\d)$/, 'SBX-$1-$2')
    const more = kind === 'container' ? '' : ` to \`-${instances}\``
    return `| ${name} | \`${scac}\` | \`${kinds[kind]}\` | \`${written}\`${more} | ${shows} |`
  })
  const spoilt = FAULT_KINDS.map((kind) => {
    const reasons = faultReasons[kind].map((reason) => `\`${reason}\``).join(', then ')
    return `| \`FAULT${kind.toUpperCase()}1\` | ${faults[kind]} | ${reasons} |`
  })
  const asContainer = namedScenarios().filter(({ kind }) => kind === 'container')
  return `# Scenarios of the sandbox

For integrators and operators who want to see a certain case of the trade, such as a rollover or a hold:

\`\`\`
curl -s http://127.0.0.1:3000/v2/tracking_requests -H "Authorization: Token $KEY" -H 'Content-Type: application/vnd.api+json' \\
  -d '{"data":{"type":"tracking_request","attributes":{"request_type":"booking_number","request_number":"SBX-ROLLOVER-01","scac":"YMLU"}}}'
\`\`\`

Written by \`node tools/run.mjs tools/scenarios-page.ts\` from \`sandbox/named.ts\`. Each scenario is a journey that somebody wrote
statement by statement, with its expected result (\`sandbox/scenarios/\`). Its numbers are the same in every world.

\`01\` begins with the sandbox's world, 90 days before the first start; each next one begins ten days later. In the
first minute and a half, while a day lasts a second, use \`01\`: the others are not booked yet, and Landfall gives up a number
that is unknown for a week. When the sandbox has caught up with the clock, \`01\` to \`05\` have ended or nearly so, \`06\` to \`09\`
are under way, and \`10\` begins. Some days later the same number shows a later stage. Numbers work with and without hyphens.
\`GET /sandbox/scenarios\` of the sandbox lists them; \`GET /sandbox/journeys/<number>\` shows the simulated events so far.

| Scenario | \`scac\` | \`request_type\` | \`request_number\` | What it shows |
|---|---|---|---|---|
${rows.join('\n')}

${asContainer.map(({ scac }) => `${findLine(scac)?.scac} is tracked by container only.`).join(' ')} \`GET /sandbox/journeys/SBX-…-NN\` lists the boxes
of the other instances.

## Answers that are none
For a bill or booking number that begins with one of these, every line gives the faulty answer each time. With
\`POST /sandbox/faults\` you can instead make the next answers of a line fail. \`failed_reason\` of the request shows the reason, first
the early one and then the final one (after a day of retries, or a week of waiting).

| \`request_number\` | The answer | \`failed_reason\` |
|---|---|---|
${spoilt.join('\n')}

A box fails at once: \`${faultBox('unknown')}\`, which no line knows, with \`not_found\`; \`${faultBox('nodata')}\`, which every line knows
without any data, with \`data_unavailable\`. \`FAULTUNKNOWN0001\` without a line (\`auto_detect_vocc_scac\`) ends with
\`scac_auto_detect_failed\` after all lines were asked; a booking of CANCELLED that was cancelled before the request with
\`booking_cancelled\`; a second request for a tracked number, without its line, with \`duplicate\`.
\`internal_processing_error\` is a fault of Landfall itself, which the sandbox cannot show.
`
}
