/** `attention`: what needs a person now, the same as the inbox of the API. */

import { Type } from 'typebox'
import { attentionReasons } from '../../../core/shown/attention-reasons.ts'
import { listAttention, type ShownItem } from '../../../service/attention/list-attention.ts'
import { journeyNow } from '../../../service/service.ts'
import { readWords } from '../lists/filter-values.ts'
import { listOf, writeList } from '../lists/lists.ts'
import { closed, paging, readPage } from '../tool/inputs.ts'
import { object, text, textOrNull, texts } from '../tool/schema.ts'
import { result, tool } from '../tool/tool.ts'
import { fence } from '../words/fence.ts'
import { writeInstant } from '../words/local-time.ts'

const item = object({
  id: text,
  reason: text,
  severity: text,
  since: textOrNull,
  dueAt: textOrNull,
  text,
  shipmentId: textOrNull,
  containerId: textOrNull,
  requestId: textOrNull,
})

export const attention = tool({
  name: 'attention',
  title: 'List exceptions',
  about: 'What needs a person, most urgent first.',
  effect: 'read',
  input: Type.Object(
    { reason: Type.Optional(Type.String({ description: 'Such as held' })), page: paging.page },
    closed,
  ),
  output: listOf(item, { unknown: texts }),
  run: async ({ service, context }, input) => {
    const page = readPage(input)
    const reasons =
      input.reason === undefined ? null : readWords('reason', input.reason, { values: attentionReasons })
    const filter = { reasons, scac: null, shipmentId: null, isSnoozed: false }
    const { page: found, unknown } = await listAttention(service, context, { filter, page })
    const isUnknown = Object.entries(unknown).flatMap(([what, count]) =>
      count === 0 ? [] : [`${what}: ${count ?? 'more than 10000'}`],
    )
    const now = journeyNow(service, context.account.isFiction)
    return result(
      { ...writeList(found, { now, page, write: writeItem }), unknown: isUnknown },
      {
        presentation:
          'Say what is urgent first. `unknown` counts containers or shipments of which nobody has said whether the reason holds: never say "none" there.',
        tools: ['get_container', 'get_shipment_details'],
      },
    )
  },
})

function writeItem(found: ShownItem) {
  return {
    id: found.id,
    reason: found.reason,
    severity: found.severity,
    since: found.since && writeInstant(found.since, null),
    dueAt: found.dueAt && writeInstant(found.dueAt, null),
    text: fence(found.text),
    shipmentId: found.shipmentId,
    containerId: found.containerId,
    requestId: found.trackingRequestId,
  }
}
