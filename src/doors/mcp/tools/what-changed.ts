/** `what_changed`: what became different since a cursor or a time: the value before and after, and who said so. */

import { addMs } from '../../../core/values/time.ts'
import { Type } from '../../../platform/json-schema.ts'
import { ServiceError } from '../../../service/errors.ts'
import { journeyNow } from '../../../service/service.ts'
import { type ChangeOfEvent, listChanges } from '../../../service/telling/events/list-changes.ts'
import { eventNames } from '../../../service/telling/webhooks/event-catalogue.ts'
import { getContainer, getContainers } from '../../../service/tracking/containers/get-container.ts'
import { getShipment, getShipments } from '../../../service/tracking/shipments/get-shipment.ts'
import { readInstant, readWords, refused } from '../lists/filter-values.ts'
import { readId } from '../lists/known-id.ts'
import { closed, id } from '../tool/inputs.ts'
import { responseContract, writeContract } from '../tool/response-contract.ts'
import { flag, list, maybe, number, object, text, textOrNull } from '../tool/schema.ts'
import { type Asking, result, tool } from '../tool/tool.ts'
import { fenceUnlessCode } from '../words/fence.ts'
import { writeInstant } from '../words/local-time.ts'

const dayMs = 86_400_000
const usual = 100
const most = 200

const change = object({
  sequence: number,
  at: text,
  event: text,
  number: textOrNull,
  billOfLading: textOrNull,
  containerId: textOrNull,
  shipmentId: textOrNull,
  requestId: maybe(text),
  attribute: text,
  before: maybe(textOrNull),
  after: maybe(textOrNull),
  saidBy: textOrNull,
  claim: maybe(text),
})

export const whatChanged = tool({
  name: 'what_changed',
  title: 'What changed',
  about:
    'Changes in order since a cursor or time: old and new value, and who said so. Call again with `cursor`.',
  effect: 'read',
  input: Type.Object(
    {
      since: Type.Optional(
        Type.String({ description: '`cursor` of an answer, or a time (ISO 8601); by default a day ago' }),
      ),
      id: Type.Optional({ ...id, description: 'Only this container or shipment: its id or number' }),
      events: Type.Optional(Type.String({ description: 'Only these events, separated by commas' })),
      page_size: Type.Optional(
        Type.Integer({ minimum: 1, description: `${usual} events by default, ${most} at most` }),
      ),
    },
    closed,
  ),
  output: object({
    changes: list(change),
    cursor: text,
    has_more: flag,
    _response_contract: responseContract,
  }),
  run: async (asking, input) => {
    const { service, context } = asking
    const now = journeyNow(service, context.account.isFiction)
    const names =
      input.events === undefined ? null : readWords('events', input.events, { values: eventNames })
    const subject = input.id === undefined ? nothing : await subjectOf(asking, input.id)
    const found = await listChanges(service, context, {
      since: readSince(input.since, addMs(now, -dayMs)),
      limit: Math.min(input.page_size ?? usual, most),
      filter: { names, ...subject, trackingRequestId: null },
    })
    const [boxes, shipments] = await Promise.all([
      getContainers(service, context, { ids: idsIn(found.changes, 'containerId') }),
      getShipments(service, context, { ids: idsIn(found.changes, 'shipmentId') }),
    ])
    const numbers = new Map(boxes.map(({ id, projection }) => [id, projection.number]))
    const bills = new Map(shipments.map(({ id, billOfLadingNumber }) => [id, billOfLadingNumber]))
    return result(
      {
        changes: found.changes.map((each) => ({
          ...writeChange(each),
          number: numbers.get(each.containerId ?? '') ?? null,
          billOfLading: fenceUnlessCode(bills.get(each.shipmentId ?? '') ?? null),
        })),
        cursor: String(found.cursor),
        has_more: found.hasMore,
        _response_contract: writeContract({ now: writeInstant(now, null) }),
      },
      {
        presentation:
          'Tell what moved from what to what, and who said so. Keep `cursor` for the next time; with `has_more` call again with it.',
        tools: ['explain_value', 'get_container'],
      },
    )
  },
})

const nothing = { containerId: null, shipmentId: null } as const

/** A container where there is one with this id or number, else a shipment. */
async function subjectOf({ service, context }: Asking, given: string) {
  const found = async (kind: 'container' | 'shipment') => readId({ service, context }, kind, given)
  try {
    const containerId = await found('container')
    await getContainer(service, context, { id: containerId })
    return { containerId, shipmentId: null }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const shipmentId = await found('shipment').catch(() => {
      throw error
    })
    await getShipment(service, context, { id: shipmentId })
    return { containerId: null, shipmentId }
  }
}

function readSince(
  given: string | undefined,
  usualAt: string,
): { readonly after: number } | { readonly at: string } {
  if (given === undefined) return { at: usualAt }
  const text = given.trim()
  if (/^\d{1,15}$/.test(text)) return { after: Number(text) }
  if (!/^\d{4}-\d{2}-\d{2}/.test(text))
    throw refused('since', 'is a `cursor` or a time such as 2026-01-31T00:00:00Z')
  return { at: readInstant('since', text) }
}

function idsIn(changes: readonly ChangeOfEvent[], name: 'containerId' | 'shipmentId'): readonly string[] {
  return [...new Set(changes.flatMap((each) => each[name] ?? []))]
}

function writeChange(each: ChangeOfEvent) {
  return {
    sequence: each.sequence,
    at: writeInstant(each.at, null),
    event: each.event,
    containerId: each.containerId,
    shipmentId: each.shipmentId,
    ...(each.trackingRequestId === null ? {} : { requestId: each.trackingRequestId }),
    attribute: each.attribute,
    ...(each.before === undefined ? {} : { before: writeValue(each.before, each.timeZone) }),
    ...(each.after === undefined ? {} : { after: writeValue(each.after, each.timeZone) }),
    saidBy: each.saidBy,
    ...(each.claimId === null ? {} : { claim: each.claimId }),
  }
}

/** A time is local at the place; anything else that a source may have said is data on one line. */
function writeValue(value: unknown, timeZone: string | null): string | null {
  if (value === null) return null
  if (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(value))
    return writeInstant(value, timeZone)
  return fenceUnlessCode(typeof value === 'string' ? value : JSON.stringify(value))
}
