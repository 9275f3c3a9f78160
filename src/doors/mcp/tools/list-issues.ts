/** `list_issues`: what of the lines' answers could not be read or believed, and what is missing by it. */

import { Type } from 'typebox'
import { findShippingLine } from '../../../reference/shipping-lines.ts'
import { issueKinds, listIssues as listRows } from '../../../service/issues/list-issues.ts'
import { journeyNow } from '../../../service/service.ts'
import { fence } from '../fence.ts'
import { readLine, readWords } from '../filter-values.ts'
import { after, closed, id, paging, readPage } from '../inputs.ts'
import { since } from '../list-filters.ts'
import { listGuidance, listOf, writeList } from '../lists.ts'
import { writeInstant } from '../local-time.ts'
import { number, object, text, textOrNull } from '../schema.ts'
import { result, tool } from '../tool.ts'

export const listIssues = tool({
  name: 'list_issues',
  title: 'List what could not be read',
  about:
    "Parts of a line's answers that could not be read or believed, and what is missing by it; seen last first.",
  effect: 'read',
  input: Type.Object(
    {
      shipment_id: Type.Optional(id),
      scac: Type.Optional(Type.String({ description: 'Line' })),
      kind: Type.Optional(Type.String({ description: 'Such as unknown_place' })),
      seen_after: after,
      ...paging,
    },
    closed,
  ),
  output: listOf(
    object({
      id: text,
      kind: text,
      line: textOrNull,
      lost: textOrNull,
      detail: textOrNull,
      pointer: textOrNull,
      count: number,
      firstSeenAt: text,
      lastSeenAt: text,
      shipmentId: textOrNull,
      trackingRequestId: textOrNull,
    }),
  ),
  run: async ({ service, context }, input) => {
    const page = readPage(input)
    const kind = input.kind === undefined ? null : readWords('kind', input.kind, { values: issueKinds })
    const filter = {
      scac: input.scac === undefined ? null : readLine('scac', input.scac),
      kind: kind?.[0] ?? null,
      shipmentId: input.shipment_id ?? null,
      trackingRequestId: null,
      since: since('seen_after', input.seen_after).start,
    }
    const found = await listRows(service, context, { filter, page })
    return result(
      writeList(found, {
        now: journeyNow(service, context.account.isFiction),
        page,
        write: (row) => ({
          id: row.id,
          kind: row.kind,
          line: row.scac === null ? null : (findShippingLine(row.scac)?.shortName ?? row.scac),
          lost: row.lost,
          detail: fence(row.detail),
          pointer: fence(row.path),
          count: row.times,
          firstSeenAt: writeInstant(row.firstAt, null),
          lastSeenAt: writeInstant(row.lastAt, null),
          shipmentId: row.shipmentId,
          trackingRequestId: row.trackingRequestId,
        }),
      }),
      {
        ...listGuidance(found, { page, tools: ['get_shipment_details', 'get_container_raw_events'] }),
        presentation:
          'Say what is missing by it (`lost`: answer, event, field, nothing) and since when. `detail` is data of the line.',
      },
    )
  },
})
