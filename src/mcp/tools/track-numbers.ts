/**
 * `track_numbers`: up to fifty numbers at once. What is tracked already is shown; for the others requests are made, and
 * where the line is not certain it is found by polling the likely ones.
 */

import { ServiceError } from '../../modules/errors.ts'
import { findAnsweringContainers, findTracked } from '../../modules/search/find-tracked.ts'
import { numberKey } from '../../modules/tracking-requests/extract-number.ts'
import { getTrackingRequest } from '../../modules/tracking-requests/get-tracking-request.ts'
import type { TrackingRequestReading } from '../../modules/tracking-requests/list-tracking-requests-sql.ts'
import { requestTracking } from '../../modules/tracking-requests/request-tracking.ts'
import { trackNumber } from '../../modules/tracking-requests/track-number.ts'
import { Type } from '../../platform/json-schema.ts'
import { readLine } from '../lists/filter-values.ts'
import { describeRequest } from '../presenters/describe-request.ts'
import { markUnlessCode } from '../presenters/fence.ts'
import { closed } from '../tool/inputs.ts'
import { type Members, schemaOf, writeMembers } from '../tool/members.ts'
import { responseContract, writeContract } from '../tool/response-contract.ts'
import { list, number, object, text, textOrNull } from '../tool/schema.ts'
import { defineTool, makeResult, type ToolContext } from '../tool/tool.ts'

const numbersMax = 50
const outcomes = ['tracked', 'requested', 'refused', 'repeated', 'not_yet'] as const
type TrackingOutcome = (typeof outcomes)[number]

interface TrackedNumberItem {
  readonly outcome: TrackingOutcome
  readonly status?: string | null
  readonly scac?: string | null
  readonly containerId?: string
  readonly shipmentId?: string | null
  readonly requestId?: string
  readonly message?: string
}

const item: Members<TrackedNumberItem & { readonly number: string }> = {
  number: [text, ({ number }) => markUnlessCode(number)],
  outcome: [text, ({ outcome }) => outcome],
  status: [textOrNull, ({ status = null }) => status],
  scac: [textOrNull, ({ scac = null }) => markUnlessCode(scac)],
  containerId: [textOrNull, ({ containerId = null }) => containerId],
  shipmentId: [textOrNull, ({ shipmentId = null }) => shipmentId],
  requestId: [textOrNull, ({ requestId = null }) => requestId],
  message: [textOrNull, ({ message = null }) => message],
}

export const trackNumbers = defineTool({
  name: 'track_numbers',
  title: 'Track many numbers',
  about:
    'Up to 50 containers, bills and bookings at once. If the line is not certain, the likely lines are polled. A wrong number does not stop the others.',
  effect: 'change',
  isIdempotent: true,
  isOpenWorld: true,
  input: Type.Object(
    {
      numbers: Type.Array(Type.String({ maxLength: 40 }), {
        minItems: 1,
        maxItems: numbersMax,
        description: 'The numbers, as the user gave them',
      }),
      scac: Type.Optional(
        Type.String({ description: 'Shipping line of all, by SCAC or name; only if the user named it' }),
      ),
      refNumbers: Type.Optional(
        Type.Array(Type.String(), { maxItems: 100, description: 'References of the user for all numbers' }),
      ),
    },
    closed,
  ),
  output: object({
    items: list(schemaOf(item)),
    counts: object(Object.fromEntries(outcomes.map((name) => [name, number]))),
    _response_contract: responseContract,
  }),
  run: async (toolContext, input) => {
    const scac = input.scac?.trim() ? readLine('scac', input.scac) : null
    const seen = new Set<string>()
    const items: (TrackedNumberItem & { readonly number: string })[] = []
    for (const given of input.numbers) {
      if (toolContext.isCancelled()) break
      const key = numberKey(given)
      const isRepeated = seen.has(key)
      seen.add(key)
      const item: TrackedNumberItem = isRepeated
        ? { outcome: 'repeated', message: 'It is in this list already.' }
        : await trackOne(toolContext, { number: given.trim(), scac, refNumbers: input.refNumbers ?? [] })
      items.push({ number: given.trim(), ...item })
      await toolContext.reportProgress(items.length, input.numbers.length)
    }
    const counts = outcomes.map((name) => [name, items.filter(({ outcome }) => outcome === name).length])
    return makeResult(
      {
        items: items.map((each) => writeMembers(item, each)),
        counts: Object.fromEntries(counts),
        _response_contract: writeContract(),
      },
      {
        presentation:
          'Say how many are tracked, requested and refused, and name the refused ones with the reason. Promise no data for requested ones.',
        tools: ['list_tracking_requests', 'correct_tracking_request'],
      },
    )
  },
})

interface NumberInput {
  readonly number: string
  readonly scac: string | null
  readonly refNumbers: readonly string[]
}

async function trackOne(toolContext: ToolContext, wanted: NumberInput): Promise<TrackedNumberItem> {
  const { service, context } = toolContext
  try {
    const sent = { ...wanted, isAgain: false, requestType: null, chosen: null }
    const [known] = findAnsweringContainers(await findTracked(service, context, wanted.number), sent)
    if (known !== undefined)
      return {
        outcome: 'tracked',
        status: known.container.status,
        scac: known.shipment.scac,
        containerId: known.container.id,
        shipmentId: known.shipment.id,
      }
    const found = await trackNumber(service, context, sent)
    if (found.kind === 'request') return describeItem(found.request, found.isNew)
    await toolContext.acquireQuotaSlot('create')
    const { id } = await requestTracking(service, context, {
      requestType: null,
      requestNumber: wanted.number,
      scac: null,
      refNumbers: wanted.refNumbers,
      shipmentTags: [],
    })
    return describeItem(await getTrackingRequest(service, context, { id }), true)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    // Another call was faster by a moment.
    const made = error.code === 'duplicate' ? error.meta?.['tracking_request_id'] : undefined
    if (typeof made === 'string') return describeItem(await getTrackingRequest(service, context, { id: made }), false)
    if (error.code === 'rate_limited')
      return {
        outcome: 'not_yet',
        message: `${error.detail} Send it again in ${error.retryAfterSeconds ?? 60} seconds.`,
      }
    return { outcome: 'refused', message: error.detail }
  }
}

/** An item that needs no sentence gets none: most numbers are requested and wait. */
function describeItem(request: TrackingRequestReading, isNew: boolean): TrackedNumberItem {
  const { id, status, scac, shipmentId } = request
  return {
    outcome: status === 'created' ? 'tracked' : status === 'failed' ? 'refused' : 'requested',
    status,
    scac,
    shipmentId,
    requestId: id,
    ...(isNew ? {} : { message: describeRequest(request, null).message }),
  }
}
