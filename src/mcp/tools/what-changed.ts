/** `what_changed`: what became different since a cursor or a time: a sentence, the value before and after, and its source. */

import { eventNames } from '../../domain/changes/event-table.ts'
import { parseContainerNumber } from '../../domain/values/identifiers.ts'
import { addMs } from '../../domain/values/time.ts'
import { getContainer } from '../../modules/containers/get-container.ts'
import { refusedAt, ServiceError } from '../../modules/errors.ts'
import { listChanges, listNewestChanges } from '../../modules/events/list-changes.ts'
import { type WordableChange, type Words, wordChanges } from '../../modules/events/word-changes.ts'
import { journeyNow } from '../../modules/service.ts'
import { getShipment } from '../../modules/shipments/get-shipment.ts'
import { Type } from '../../platform/json-schema.ts'
import { invalidFilterError, readInstant, readValues } from '../lists/filter-values.ts'
import { eventSynonyms, listHappened } from '../lists/list-happened.ts'
import { readId } from '../lists/read-id.ts'
import { markParts, markUnlessCode } from '../presenters/fence.ts'
import { writeInstant, writeValue } from '../presenters/local-time.ts'
import { closed, id } from '../tool/inputs.ts'
import { type Members, schemaOf, writeMembers } from '../tool/members.ts'
import { responseContract, writeContract } from '../tool/response-contract.ts'
import { flag, list, number, object, optional, text, textOrNull } from '../tool/schema.ts'
import { defineTool, makeResult, type ToolAnswer, type ToolContext } from '../tool/tool.ts'

const dayMs = 86_400_000
const usual = 100
const most = 200
/** Without a place to begin, the answer is an overview of this size. */
const newestEvents = 1_000
const overviewBytes = 4_500
const shipmentsMax = 15
const changesOfOneMax = 3

const change: Members<WordableChange & Words & { readonly sequence?: number }> = {
  sequence: [optional(number), ({ sequence }) => sequence],
  at: [text, ({ at }) => writeInstant(at, null)],
  event: [text, ({ event }) => event],
  containerId: [textOrNull, ({ containerId }) => containerId],
  shipmentId: [textOrNull, ({ shipmentId }) => shipmentId],
  requestId: [optional(text), ({ trackingRequestId }) => trackingRequestId ?? undefined],
  text: [optional(text), ({ text: words, foreign }) => (words === null ? undefined : markParts(words, foreign))],
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
  about: 'Changes since a cursor or time, old and new value, who said so. Or what happened: `events`, `place`, `day`.',
  effect: 'read',
  input: Type.Object(
    {
      since: Type.Optional(
        Type.String({ description: '`cursor`, or a time (ISO 8601); without: the last day in short' }),
      ),
      id: Type.Optional({ ...id, description: 'Only this container or shipment: its id or number' }),
      events: Type.Optional(Type.String({ description: 'Only these, with commas between, such as `discharged`' })),
      place: Type.Optional(Type.String({ description: 'What happened there: port by name or code' })),
      day: Type.Optional(Type.String({ description: 'What happened then: `yesterday`, `>=monday`, `2026-10-01`' })),
      page_size: Type.Optional(Type.Integer({ minimum: 1, description: `${usual} by default, ${most} at most` })),
    },
    closed,
  ),
  output: object({
    changes: list(schemaOf(change)),
    shipments: optional(list(object({ shipmentId: textOrNull, billOfLading: textOrNull, changes: number }))),
    left_off: optional(object({ shipments: number, events: number })),
    understood: optional(object({ events: text, place: optional(text), day: optional(text) })),
    cursor: optional(text),
    has_more: flag,
    _response_contract: responseContract,
  }),
  run: async (toolContext, input) => {
    const { service, context } = toolContext
    const now = journeyNow(service, context.account.isSandbox)
    const { since, id: asked, events, page_size: pageSize } = input
    const { place, day } = input
    const isWhole = [since, asked, events, pageSize, place, day].every((each) => each === undefined)
    if (isWhole) return overview(toolContext, now)
    const entityFilter = asked === undefined ? nothing : await readEntityFilter(toolContext, asked)
    const limit = Math.min(pageSize ?? usual, most)
    if (place !== undefined || day !== undefined) {
      if (since !== undefined)
        throw refusedAt('/since', '`since` is about when it became known: leave it out with `day` and `place`.')
      const { changes, hasMore, understood } = await listHappened(toolContext, {
        input,
        entity: entityFilter,
        limit,
        now,
      })
      return makeResult(
        {
          changes: changes.map((each) => writeMembers(change, each)),
          understood,
          has_more: hasMore,
          _response_contract: writeContract({ now: writeInstant(now, null) }),
        },
        {
          presentation:
            'Say what happened where and when, and who says so; with `has_more` there is more than is listed.',
          tools: ['get_container', 'explain_value'],
        },
      )
    }
    const names =
      events === undefined ? null : readValues('events', events, { values: eventNames, synonyms: eventSynonyms })
    const found = await listChanges(service, context, {
      since: readSince(since, addMs(now, -dayMs)),
      limit,
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

/** The newest changes of the last day, shipment by shipment, the one with the newest first. */
async function overview({ service, context }: ToolContext, now: string): Promise<ToolAnswer> {
  const newest = await listNewestChanges(service, context, { since: { at: addMs(now, -dayMs) }, limit: newestEvents })
  const worded = (await wordChanges(service, context, newest.changes)).filter((each) => each.text !== null)
  const groups = [...Map.groupBy(worded, (each) => each.shipmentId ?? each.trackingRequestId)]
  const changes: unknown[] = []
  let bytes = 0
  let shown = 0
  for (const [, of] of groups) {
    const rows = of.slice(0, changesOfOneMax).map((each) => writeMembers(change, each))
    bytes += JSON.stringify(rows).length
    if (bytes > overviewBytes && shown > 0) break
    changes.push(...rows)
    shown += 1
  }
  return makeResult(
    {
      changes,
      shipments: groups.slice(0, shipmentsMax).map(([, of]) => ({
        shipmentId: of[0]?.shipmentId ?? null,
        billOfLading: markUnlessCode(of[0]?.billOfLadingNumber ?? null),
        changes: of.length,
      })),
      left_off: { shipments: groups.length - shown, events: Math.max(0, newest.events - newestEvents) },
      cursor: String(newest.cursor),
      has_more: false,
      _response_contract: writeContract({ now: writeInstant(now, null) }),
    },
    {
      presentation:
        'The last day, newest first: `shipments` counts the changes of each, `changes` tells the newest of them. Say what `left_off` counts. With `id`: all of one shipment or container; with `page_size`: all in order. Keep `cursor` for the next time.',
      tools: ['explain_value', 'get_container'],
    },
  )
}

const nothing = { containerId: null, shipmentId: null } as const

/** A shipment where there is one with this id or number, unless it is the number of a container. */
async function readEntityFilter({ service, context }: ToolContext, given: string) {
  const found = async (kind: 'container' | 'shipment') => readId({ service, context }, kind, given)
  const findContainer = async () => {
    const containerId = await found('container')
    await getContainer(service, context, { id: containerId })
    return { containerId, shipmentId: null }
  }
  if (parseContainerNumber(given).ok) return findContainer()
  try {
    const shipmentId = await found('shipment')
    await getShipment(service, context, { id: shipmentId })
    return { containerId: null, shipmentId }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return findContainer().catch(() => {
      throw error
    })
  }
}

export function readSince(
  given: string | undefined,
  usualAt: string,
): { readonly after: number } | { readonly at: string } {
  if (given === undefined) return { at: usualAt }
  const text = given.trim()
  if (/^\d{1,15}$/.test(text)) return { after: Number(text) }
  if (!/^\d{4}-\d{2}-\d{2}/.test(text))
    throw invalidFilterError('since', 'must be a `cursor` or a time such as 2026-01-31T00:00:00Z')
  return { at: readInstant('since', text) }
}
