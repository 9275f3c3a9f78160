/** `attention`: what needs a person now, the same as the inbox of the API. */

import { attentionReasons } from '../../../core/shown/attention-reasons.ts'
import { Type } from '../../../platform/json-schema.ts'
import { listAttention, listedMax, type ShownItem } from '../../../service/attention/list-attention.ts'
import { journeyNow } from '../../../service/service.ts'
import { getContainers } from '../../../service/tracking/containers/get-container.ts'
import { getTrackingRequests } from '../../../service/tracking/requests/get-tracking-request.ts'
import { getShipments } from '../../../service/tracking/shipments/get-shipment.ts'
import { cutRow, fields, readFields } from '../lists/columns.ts'
import { readLine, readWords } from '../lists/filter-values.ts'
import { listOf, writeList } from '../lists/lists.ts'
import { closed, id, oneOf, paging, readPage } from '../tool/inputs.ts'
import { writeContract } from '../tool/response-contract.ts'
import { row, text, textOrNull, texts } from '../tool/schema.ts'
import { type Asking, result, tool } from '../tool/tool.ts'
import { fence, fenceUnlessCode } from '../words/fence.ts'
import { writeInstant } from '../words/local-time.ts'

const item = row({
  id: text,
  reason: text,
  severity: text,
  since: textOrNull,
  dueAt: textOrNull,
  text,
  number: textOrNull,
  billOfLading: textOrNull,
  scac: textOrNull,
  before: textOrNull,
  after: textOrNull,
  saidBy: textOrNull,
  claim: textOrNull,
  shipmentId: textOrNull,
  containerId: textOrNull,
  requestId: textOrNull,
})

const members = Object.keys(item.properties)

export const attention = tool({
  name: 'attention',
  title: 'List exceptions',
  about: 'What needs a person, most urgent first.',
  effect: 'read',
  input: Type.Object(
    {
      reason: Type.Optional(Type.String({ description: attentionReasons.join(', ') })),
      line: Type.Optional(Type.String({ description: 'Only this shipping line, by name or SCAC' })),
      shipment_id: Type.Optional({ ...id, description: 'Only this shipment: its id or number' }),
      count_by: Type.Optional(oneOf(['reason', 'severity'], 'Counts instead of rows')),
      fields,
      ...paging,
    },
    closed,
  ),
  ids: { shipment_id: 'shipment' },
  output: listOf(item, { unknown: texts }),
  run: async (asking, input) => {
    const { service, context } = asking
    const page = readPage(input)
    const reasons =
      input.reason === undefined ? null : readWords('reason', input.reason, { values: attentionReasons })
    const scac = input.line === undefined ? null : readLine('line', input.line)
    const names = readFields(input.fields, members)
    const filter = { reasons, scac, shipmentId: input.shipment_id ?? null, isSnoozed: false }
    const {
      page: found,
      unknown,
      isCut,
    } = await listAttention(service, context, {
      filter,
      page: input.count_by === undefined ? page : { number: 1, size: listedMax },
    })
    const isUnknown = Object.entries(unknown).flatMap(([what, count]) =>
      count === 0 ? [] : [`${what}: ${count ?? 'more than 10000'}`],
    )
    const now = journeyNow(service, context.account.isFiction)
    if (input.count_by !== undefined) {
      const by = input.count_by
      const counts = [...Map.groupBy(found.rows, (each) => each[by])].map(([value, rows]) => ({
        value,
        count: rows.length,
      }))
      const { _response_contract: _, ...rest } = writeList(
        { rows: [], total: found.total },
        { now, page, write: writeItem },
      )
      const contract = writeContract({ total_is_reliable: !isCut, now: writeInstant(now, null) })
      return result(
        {
          ...rest,
          links: { prev: null, next: null },
          counts,
          unknown: isUnknown,
          _response_contract: contract,
        },
        null,
      )
    }
    const subjects = await readSubjects(asking, found.rows)
    const write = (each: ShownItem) =>
      cutRow({ ...writeItem(each), ...subjects(each) }, { fields: names, rare: [] })
    return result(
      { ...writeList(found, { now, page, write }), unknown: isUnknown },
      names === null
        ? {
            presentation:
              'Say what is urgent first. `unknown` counts containers or shipments of which nobody has said whether the reason holds: never say "none" there.',
            tools: ['get_container', 'get_shipment_details'],
          }
        : null,
    )
  },
})

/** The numbers that people know the subjects of the items by. */
async function readSubjects({ service, context }: Asking, items: readonly ShownItem[]) {
  const idsOf = (name: 'containerId' | 'shipmentId' | 'trackingRequestId') => [
    ...new Set(items.flatMap((each) => each[name] ?? [])),
  ]
  const [containers, shipments, requests] = await Promise.all([
    getContainers(service, context, { ids: idsOf('containerId') }),
    getShipments(service, context, { ids: idsOf('shipmentId') }),
    getTrackingRequests(service, context, { ids: idsOf('trackingRequestId') }),
  ])
  const box = new Map(containers.map((each) => [each.id, each.projection.number]))
  const shipment = new Map(shipments.map((each) => [each.id, each]))
  const request = new Map(requests.map((each) => [each.id, each]))
  return (each: ShownItem) => {
    const asked = request.get(each.trackingRequestId ?? '')
    const of = shipment.get(each.shipmentId ?? '')
    return {
      number: box.get(each.containerId ?? '') ?? fenceUnlessCode(asked?.requestNumber ?? null),
      billOfLading: fenceUnlessCode(of?.billOfLadingNumber ?? null),
      scac: of?.scac ?? asked?.scac ?? null,
    }
  }
}

function writeItem(found: ShownItem) {
  return {
    id: found.id,
    reason: found.reason,
    severity: found.severity,
    since: found.since && writeInstant(found.since, null),
    dueAt: found.dueAt && writeInstant(found.dueAt, null),
    text: fence(found.text),
    before: writeValue(found.before),
    after: writeValue(found.after),
    saidBy:
      found.said === null
        ? null
        : `${found.said.kind}${found.said.code === null ? '' : ` ${fenceUnlessCode(found.said.code)}`}`,
    claim: found.said?.claimId ?? null,
    shipmentId: found.shipmentId,
    containerId: found.containerId,
    requestId: found.trackingRequestId,
  }
}

function writeValue(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return fenceUnlessCode(typeof value === 'string' ? value : JSON.stringify(value))
}
