/** `what_changed`: what became different since a cursor or a time: a sentence, the value before and after, and its source. */

import { eventNames } from '../../domain/changes/event-table.ts'
import { addMs } from '../../domain/values/time.ts'
import { getContainer } from '../../modules/containers/get-container.ts'
import { ServiceError } from '../../modules/errors.ts'
import { listChanges } from '../../modules/events/list-changes.ts'
import { type ChangeInWords, wordChanges } from '../../modules/events/word-changes.ts'
import { journeyNow } from '../../modules/service.ts'
import { getShipment } from '../../modules/shipments/get-shipment.ts'
import { Type } from '../../platform/json-schema.ts'
import { invalidFilterError, readInstant, readValues } from '../lists/filter-values.ts'
import { readId } from '../lists/read-id.ts'
import { markForeignText, markUnlessCode } from '../presenters/fence.ts'
import { writeInstant } from '../presenters/local-time.ts'
import { closed, id } from '../tool/inputs.ts'
import { type Members, schemaOf, writeMembers } from '../tool/members.ts'
import { responseContract, writeContract } from '../tool/response-contract.ts'
import { flag, list, number, object, optional, text, textOrNull } from '../tool/schema.ts'
import { defineTool, makeResult, type ToolContext } from '../tool/tool.ts'

const dayMs = 86_400_000
const usual = 100
const most = 200

const change: Members<ChangeInWords> = {
  sequence: [number, ({ sequence }) => sequence],
  at: [text, ({ at }) => writeInstant(at, null)],
  event: [text, ({ event }) => event],
  containerId: [textOrNull, ({ containerId }) => containerId],
  shipmentId: [textOrNull, ({ shipmentId }) => shipmentId],
  requestId: [optional(text), ({ trackingRequestId }) => trackingRequestId ?? undefined],
  text: [optional(text), (row) => markForeignText(row.text) ?? undefined],
  attribute: [text, ({ attribute }) => attribute],
  before: [optional(textOrNull), ({ before, timeZone }) => writeValue(before, timeZone)],
  after: [optional(textOrNull), ({ after, timeZone }) => writeValue(after, timeZone)],
  saidBy: [textOrNull, ({ source }) => source],
  claim: [optional(text), ({ claimId }) => claimId ?? undefined],
  number: [textOrNull, ({ containerNumber }) => containerNumber],
  billOfLading: [textOrNull, ({ billOfLadingNumber }) => markUnlessCode(billOfLadingNumber)],
}

export const whatChanged = defineTool({
  name: 'what_changed',
  title: 'What changed',
  about: 'Changes in order since a cursor or time: old and new value, and who said so. Call again with `cursor`.',
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
    changes: list(schemaOf(change)),
    cursor: text,
    has_more: flag,
    _response_contract: responseContract,
  }),
  run: async (toolContext, input) => {
    const { service, context } = toolContext
    const now = journeyNow(service, context.account.isSandbox)
    const names = input.events === undefined ? null : readValues('events', input.events, { values: eventNames })
    const entityFilter = input.id === undefined ? nothing : await readEntityFilter(toolContext, input.id)
    const found = await listChanges(service, context, {
      since: readSince(input.since, addMs(now, -dayMs)),
      limit: Math.min(input.page_size ?? usual, most),
      filter: { names, ...entityFilter, trackingRequestId: null },
    })
    const changes = await wordChanges(service, context, found.changes)
    return makeResult(
      {
        changes: changes.map((each) => writeMembers(change, each)),
        cursor: String(found.cursor),
        has_more: found.hasMore,
        _response_contract: writeContract({ now: writeInstant(now, null) }),
      },
      {
        presentation:
          'Tell `text`; without it, what moved from what to what. Keep `cursor` for the next time; with `has_more` call again with it.',
        tools: ['explain_value', 'get_container'],
      },
    )
  },
})

const nothing = { containerId: null, shipmentId: null } as const

/** A container where there is one with this id or number, else a shipment. */
async function readEntityFilter({ service, context }: ToolContext, given: string) {
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

function readSince(given: string | undefined, usualAt: string): { readonly after: number } | { readonly at: string } {
  if (given === undefined) return { at: usualAt }
  const text = given.trim()
  if (/^\d{1,15}$/.test(text)) return { after: Number(text) }
  if (!/^\d{4}-\d{2}-\d{2}/.test(text))
    throw invalidFilterError('since', 'must be a `cursor` or a time such as 2026-01-31T00:00:00Z')
  return { at: readInstant('since', text) }
}

/** A time is local at the place; any other statement of a source is data on one line. */
function writeValue(value: unknown, timeZone: string | null): string | null | undefined {
  if (value === null || value === undefined) return value
  if (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(value)) return writeInstant(value, timeZone)
  return markUnlessCode(typeof value === 'string' ? value : JSON.stringify(value))
}
