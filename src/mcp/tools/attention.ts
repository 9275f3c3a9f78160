/** `attention`: what needs a person now, in the order of the inbox: reason by reason, those of one entry together. */

import type { PageRequest } from '../../db/listing/page.ts'
import { attentionReasons } from '../../domain/view/attention-reasons.ts'
import { describeDaysLeft } from '../../domain/view/day-count.ts'
import type { MarkedItem } from '../../modules/attention/find-items.ts'
import { countEntriesUnknown, type EntryView, findEntries } from '../../modules/attention/list-entries.ts'
import { getContainers } from '../../modules/containers/get-container.ts'
import type { ContainerReading } from '../../modules/containers/list-containers-sql.ts'
import { getUsers } from '../../modules/members/get-users.ts'
import { journeyNow } from '../../modules/service.ts'
import { getShipments } from '../../modules/shipments/get-shipment.ts'
import type { ShipmentReading } from '../../modules/shipments/list-shipments-sql.ts'
import { getTrackingRequests } from '../../modules/tracking-requests/get-tracking-request.ts'
import type { TrackingRequestReading } from '../../modules/tracking-requests/list-tracking-requests-sql.ts'
import { Type } from '../../platform/json-schema.ts'
import { fields, pickFields, readFields } from '../lists/columns.ts'
import { readLine, readValues } from '../lists/filter-values.ts'
import { readFittingPage } from '../lists/fit-rows.ts'
import { listSchema, writeFitting, writeList } from '../lists/lists.ts'
import { markForeignText, markParts, markUnlessCode } from '../presenters/fence.ts'
import { writeInstant, writeValue } from '../presenters/local-time.ts'
import { closed, id, oneOf, paging, readPage } from '../tool/inputs.ts'
import { type Members, schemaOf, writeMembers } from '../tool/members.ts'
import { writeContract } from '../tool/response-contract.ts'
import { text, textOrNull, texts } from '../tool/schema.ts'
import { defineTool, makeResult, type ToolContext } from '../tool/tool.ts'

type Item = MarkedItem & Pick<EntryView, 'group' | 'assignedTo'>

interface Row extends Item {
  readonly assignee: string | null
  readonly container: ContainerReading | undefined
  readonly shipment: ShipmentReading | undefined
  readonly request: TrackingRequestReading | undefined
}

const item: Members<Row> = {
  id: [text, ({ id }) => id],
  reason: [text, ({ reason }) => reason],
  severity: [text, ({ severity }) => severity],
  group: [text, ({ group }) => group],
  actBy: [textOrNull, ({ actBy }) => actBy && `${actBy.on} (${describeDaysLeft(actBy.daysLeft)})`],
  assignedTo: [textOrNull, ({ assignee }) => assignee && markForeignText(assignee)],
  since: [textOrNull, ({ since }) => since && writeInstant(since, null)],
  dueAt: [textOrNull, ({ dueAt }) => dueAt && writeInstant(dueAt, null)],
  text: [text, (row) => markParts(row.text, row.foreign)],
  before: [textOrNull, (row) => writeValue(row.before, podZone(row)) ?? null],
  after: [textOrNull, (row) => writeValue(row.after, podZone(row)) ?? null],
  saidBy: [textOrNull, ({ said: statement }) => statement && writeSource(statement)],
  claim: [textOrNull, ({ said: statement }) => statement?.claimId ?? null],
  shipmentId: [textOrNull, ({ shipmentId }) => shipmentId],
  containerId: [textOrNull, ({ containerId }) => containerId],
  requestId: [textOrNull, ({ trackingRequestId }) => trackingRequestId],
  number: [
    textOrNull,
    ({ container, request }) => container?.projection.number ?? markUnlessCode(request?.requestNumber ?? null),
  ],
  billOfLading: [textOrNull, ({ shipment }) => markUnlessCode(shipment?.billOfLadingNumber ?? null)],
  scac: [textOrNull, ({ shipment, request }) => shipment?.scac ?? request?.scac ?? null],
}

export const attention = defineTool({
  name: 'attention',
  title: 'List exceptions',
  about: 'Exceptions that need a person, most urgent first.',
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
  output: listSchema(schemaOf(item), { unknown: texts }),
  run: async (toolContext, input) => {
    const { service, context } = toolContext
    const page = readPage(input)
    const reasons = input.reason === undefined ? null : readValues('reason', input.reason, { values: attentionReasons })
    const scac = input.line === undefined ? null : readLine('line', input.line)
    const names = readFields(input.fields, Object.keys(item))
    const filter = { reasons, scac, shipmentId: input.shipment_id ?? null, assignedTo: null, state: null }
    const [{ all, isCut }, unknown] = await Promise.all([
      findEntries(service, context, filter),
      countEntriesUnknown(service, context, filter),
    ])
    const open = all.flatMap(({ items, group, assignedTo }) =>
      items.flatMap((each): readonly Item[] =>
        each.isDone || each.snoozedUntil !== null || reasons?.includes(each.reason) === false
          ? []
          : [{ ...each, group, assignedTo }],
      ),
    )
    const total = open.length
    const isUnknown = Object.entries(unknown).flatMap(([what, count]) =>
      count === 0 ? [] : [`${what}: ${count ?? 'more than 10000'}`],
    )
    const now = journeyNow(service, context.account.isSandbox)
    if (input.count_by !== undefined) {
      const by = input.count_by
      const counts = [...Map.groupBy(open, (each) => each[by])].map(([value, rows]) => ({
        value,
        count: rows.length,
      }))
      const { _response_contract: _, ...rest } = writeList({ rows: [], total }, { now, page, write: () => null })
      const contract = writeContract({ total_is_reliable: !isCut, now: writeInstant(now, null) })
      return makeResult(
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
    const read = async ({ number, size }: PageRequest) => {
      const start = (number - 1) * size
      const rows = await readRows(toolContext, open.slice(start, start + size))
      const items = rows.map((row) => pickFields(writeMembers(item, row), { fields: names, rare: [] }))
      return { found: { rows, total }, items }
    }
    const fitting = await readFittingPage(input, { isWhole: names !== null, read })
    return makeResult(
      { ...writeFitting(fitting, { now }), unknown: isUnknown },
      names === null
        ? {
            presentation:
              'Say what is urgent first. `unknown` counts containers or shipments for which no source says whether the reason applies: never say "none" there.',
            tools: ['get_container', 'get_shipment_details'],
          }
        : null,
    )
  },
})

/** With the numbers by which people know the shipments, containers and requests of the items. */
async function readRows({ service, context }: ToolContext, items: readonly Item[]): Promise<readonly Row[]> {
  const idsOf = (name: 'containerId' | 'shipmentId' | 'trackingRequestId') => [
    ...new Set(items.flatMap((each) => each[name] ?? [])),
  ]
  const assignees = [...new Set(items.flatMap(({ assignedTo }) => assignedTo ?? []))]
  const [containers, shipments, requests, members] = await Promise.all([
    getContainers(service, context, { ids: idsOf('containerId') }),
    getShipments(service, context, { ids: idsOf('shipmentId') }),
    getTrackingRequests(service, context, { ids: idsOf('trackingRequestId') }),
    getUsers(service, context, { ids: assignees }),
  ])
  const nameOf = ({ name, email }: (typeof members)[number]) => name || email
  return items.map((each) => ({
    ...each,
    assignee: members.filter(({ id }) => id === each.assignedTo).map(nameOf)[0] ?? null,
    container: containers.find(({ id }) => id === each.containerId),
    shipment: shipments.find(({ id }) => id === each.shipmentId),
    request: requests.find(({ id }) => id === each.trackingRequestId),
  }))
}

function podZone({ shipment }: Row): string | null {
  return shipment?.projection.portOfDischarge.place?.timeZone ?? null
}

function writeSource({ kind, code }: NonNullable<MarkedItem['said']>): string {
  return `${kind}${code === null ? '' : ` ${markUnlessCode(code)}`}`
}
