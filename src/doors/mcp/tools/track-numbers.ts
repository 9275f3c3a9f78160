/**
 * `track_numbers`: up to fifty numbers at once. What is tracked already is shown; for the others requests are made, and
 * where the line is not certain it is found by asking the likely ones.
 */

import { Type } from '../../../platform/json-schema.ts'
import { ServiceError } from '../../../service/errors.ts'
import { getTrackingRequest } from '../../../service/tracking/requests/get-tracking-request.ts'
import { requestTracking } from '../../../service/tracking/requests/request-tracking.ts'
import { trackNumber } from '../../../service/tracking/requests/track-number.ts'
import { answeringContainers, findTracked } from '../../../service/tracking/search/find-tracked.ts'
import type { TrackingRequestReading } from '../../../store/read/tracking-requests.ts'
import { readLine } from '../lists/filter-values.ts'
import { closed } from '../tool/inputs.ts'
import { responseContract, writeContract } from '../tool/response-contract.ts'
import { list, number, object, text, textOrNull } from '../tool/schema.ts'
import { type Asking, result, tool } from '../tool/tool.ts'
import { fenceUnlessCode } from '../words/fence.ts'
import { describeRequest } from '../words/request-words.ts'

const numbersMax = 50
const outcomes = ['tracked', 'requested', 'refused', 'repeated', 'not_yet'] as const
type Outcome = (typeof outcomes)[number]

const item = object({
  number: text,
  outcome: text,
  status: textOrNull,
  scac: textOrNull,
  containerId: textOrNull,
  shipmentId: textOrNull,
  requestId: textOrNull,
  message: textOrNull,
})

interface Item {
  readonly outcome: Outcome
  readonly status?: string | null
  readonly scac?: string | null
  readonly containerId?: string
  readonly shipmentId?: string | null
  readonly requestId?: string
  readonly message?: string
}

export const trackNumbers = tool({
  name: 'track_numbers',
  title: 'Track many numbers',
  about:
    'Up to 50 containers, bills and bookings at once. If the line is not certain, the likely lines are asked. A wrong number does not stop the others.',
  effect: 'change',
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
    items: list(item),
    counts: object(Object.fromEntries(outcomes.map((name) => [name, number]))),
    _response_contract: responseContract,
  }),
  run: async (asking, input) => {
    const scac = input.scac?.trim() ? readLine('scac', input.scac) : null
    const seen = new Set<string>()
    const items: (Item & { readonly number: string })[] = []
    for (const given of input.numbers) {
      const plain = given.toUpperCase().replace(/[^A-Z0-9]/g, '')
      const isRepeated = seen.has(plain)
      seen.add(plain)
      const item: Item = isRepeated
        ? { outcome: 'repeated', message: 'It is in this list already.' }
        : await track(asking, { number: given.trim(), scac, refNumbers: input.refNumbers ?? [] })
      items.push({ number: given.trim(), ...item })
    }
    const counts = outcomes.map((name) => [name, items.filter(({ outcome }) => outcome === name).length])
    return result(
      {
        items: items.map(writeItem),
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

function writeItem({ number: given, outcome, ...item }: Item & { readonly number: string }) {
  return {
    number: fenceUnlessCode(given),
    outcome,
    status: item.status ?? null,
    scac: fenceUnlessCode(item.scac ?? null),
    containerId: item.containerId ?? null,
    shipmentId: item.shipmentId ?? null,
    requestId: item.requestId ?? null,
    message: item.message ?? null,
  }
}

interface Wanted {
  readonly number: string
  readonly scac: string | null
  readonly refNumbers: readonly string[]
}

async function track(asking: Asking, wanted: Wanted): Promise<Item> {
  const { service, context } = asking
  try {
    const sent = { ...wanted, isAgain: false, requestType: null, chosen: null }
    const [known] = answeringContainers(await findTracked(service, context, wanted.number), sent)
    if (known !== undefined)
      return {
        outcome: 'tracked',
        status: known.container.status,
        scac: known.shipment.scac,
        containerId: known.container.id,
        shipmentId: known.shipment.id,
      }
    const found = await trackNumber(service, context, sent)
    if (found.kind === 'request') return tell(found.request, found.isNew)
    await asking.takeTurn('create')
    const { id } = await requestTracking(service, context, {
      requestType: null,
      requestNumber: wanted.number,
      scac: null,
      refNumbers: wanted.refNumbers,
      shipmentTags: [],
    })
    return tell(await getTrackingRequest(service, context, { id }), true)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    // Another call was faster by a moment.
    const made = error.code === 'duplicate' ? error.meta?.['tracking_request_id'] : undefined
    if (typeof made === 'string') return tell(await getTrackingRequest(service, context, { id: made }), false)
    if (error.code === 'rate_limited')
      return {
        outcome: 'not_yet',
        message: `${error.detail} Send it again in ${error.retryAfterSeconds ?? 60} seconds.`,
      }
    return { outcome: 'refused', message: error.detail }
  }
}

/** What needs no sentence gets none: most numbers are asked for and wait. */
function tell(request: TrackingRequestReading, isNew: boolean): Item {
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
