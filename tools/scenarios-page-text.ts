/** Writes the text of the page about the sandbox's named scenarios, from the table that the sandbox itself uses. */

import { FAULT_KINDS, faultBox } from '../sandbox/faults.ts'
import { findLine } from '../sandbox/lines.ts'
import { namedScenarios } from '../sandbox/named.ts'
import type { FailedReason } from '../src/core/requests/tracking-request-state.ts'

const kinds = { bill_of_lading: 'bill_of_lading', booking: 'booking_number', container: 'container' } as const

const faults: Readonly<Record<(typeof FAULT_KINDS)[number], string>> = {
  '400': 'the line says that the number is none',
  '500': 'the line answers 500',
  '429': 'the line asks to be left alone for a while',
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

Written by \`node tools/run.mjs tools/scenarios-page.ts\` from \`sandbox/named.ts\`. Each scenario is a journey that somebody wrote down
statement by statement, with what should come of it (\`sandbox/scenarios/\`). It has numbers of its own, the same in every
world, so that you can ask for it:

\`\`\`
curl -s http://127.0.0.1:3000/v2/tracking_requests -H "Authorization: Token $KEY" -H 'Content-Type: application/vnd.api+json' \\
  -d '{"data":{"type":"tracking_request","attributes":{"request_type":"booking_number","request_number":"SBX-ROLLOVER-01","scac":"YMLU"}}}'
\`\`\`

\`01\` begins with the sandbox's world, 90 days before it is first started; each next one begins ten days later. In the
first minute and a half, while a day lasts a second, \`01\` is the one to watch: the others are not booked yet, and a number
that nobody knows for a week is given up. When
the sandbox has caught up with the clock, \`01\` to \`05\` are over or nearly so, \`06\` to \`09\` are under way, and \`10\` begins:
the same number shows another stage some days later. The numbers may be written with hyphens or without.
\`GET /sandbox/scenarios\` of the sandbox lists them, \`GET /sandbox/journeys/<number>\` tells what truly happened so far.

| Scenario | \`scac\` | \`request_type\` | \`request_number\` | What it shows |
|---|---|---|---|---|
${rows.join('\n')}

${asContainer.map(({ scac }) => `${findLine(scac)?.scac} is tracked by container only.`).join(' ')} Boxes of the other instances stand in
\`GET /sandbox/journeys/SBX-…-NN\`.

## Answers that are none
A bill or booking number that begins with one of these is answered so by any line, every time; \`POST /sandbox/faults\` spoils
the next answers of a line instead. The request shows why in \`failed_reason\`, first and at the end (a day of retries, a week of
waiting).

| \`request_number\` | The answer | \`failed_reason\` |
|---|---|---|
${spoilt.join('\n')}

A box fails at once: \`${faultBox('unknown')}\`, which no line knows, with \`not_found\`; \`${faultBox('nodata')}\`, which every line knows
and tells nothing of, with \`data_unavailable\`. \`FAULTUNKNOWN0001\` without a line (\`auto_detect_vocc_scac\`) ends as
\`scac_auto_detect_failed\` when all have been asked; a booking of CANCELLED that was cancelled before it was asked for as
\`booking_cancelled\`; a number that is tracked already, asked for again without its line, as \`duplicate\`.
\`internal_processing_error\` is a fault of Landfall's own: no world shows it.
`
}
