/** The filters of `GET /dcsa/v2/events`, all that the standard names. */

import { equipmentEventCodes, shipmentEventCodes, transportEventCodes } from '../../core/values/codes.ts'
import type { MovesAsked } from '../../service/telling/moves/list-moves.ts'
import { placeAsked, readCallId } from '../../service/telling/moves/said-move.ts'
import { type Comparison, comparisons } from '../../store/telling/moves.ts'
import { parameterFault } from '../http/problem.ts'
import { eventsChosen, eventTypes } from './chosen-events.ts'
import { readCursor } from './cursor.ts'
import { type Parameters, readParameters } from './parameters.ts'

const created = 'eventCreatedDateTime'
const operators = Object.keys(comparisons) as readonly Comparison[]
export const documentTypes = [
  'CBR',
  'BKG',
  'SHI',
  'SRM',
  'TRD',
  'ARN',
  'VGM',
  'CAS',
  'CUS',
  'DGD',
  'OOG',
] as const
const names = [
  'eventType',
  'shipmentEventTypeCode',
  'documentTypeCode',
  'carrierBookingReference',
  'bookingReference',
  'transportDocumentReference',
  'transportEventTypeCode',
  'transportCallID',
  'vesselIMONumber',
  'exportVoyageNumber',
  'carrierVoyageNumber',
  'carrierServiceCode',
  'UNLocationCode',
  'equipmentEventTypeCode',
  'equipmentReference',
  created,
  ...operators.map((operator) => `${created}:${operator}`),
  'limit',
  'cursor',
  'sort',
]
const limits = { max: 1_000, fallback: 100 }

/** `query`: the parameters of the first request, for the next cursor. */
export function readEvents2(
  given: unknown,
): MovesAsked & { readonly query: Record<string, string | string[]> } {
  const { query, cursor } = readCursor(given as Record<string, string | string[]>)
  const asked = readParameters(query, names)
  return {
    query: query as Record<string, string | string[]>,
    filter: {
      events: readEvents(asked),
      bookingNumber: asked.text('carrierBookingReference', 35) ?? asked.text('bookingReference', 35),
      billOfLadingNumber: asked.text('transportDocumentReference', 50),
      number: asked.text('equipmentReference', 15)?.toUpperCase() ?? null,
      call: readCall(asked),
      vesselImo: asked.text('vesselIMONumber', 10),
      voyage: asked.text('exportVoyageNumber', 50) ?? asked.text('carrierVoyageNumber', 50),
      unlocode: placeAsked(asked.text('UNLocationCode', 5)),
      createdAt: readCreated(asked),
    },
    isDescending: readSort(asked),
    limit: asked.whole('limit', limits),
    cursor,
    withRetracted: false,
  }
}

function readEvents(asked: Parameters): readonly string[] {
  const shipment = asked.list('shipmentEventTypeCode', shipmentEventCodes)
  const documents = asked.list('documentTypeCode', documentTypes)
  const call = readCall(asked)
  const chosen = eventsChosen({
    types: asked.list('eventType', eventTypes),
    transport: asked.list('transportEventTypeCode', transportEventCodes),
    equipment: asked.list('equipmentEventTypeCode', equipmentEventCodes),
    shipment: shipment ?? documents,
    callMode: call?.mode ?? null,
  })
  // No source tells us the service of a ship. So no event is of the service that is asked for, and none of a call that
  // we have not named.
  const isOfNone =
    asked.text('carrierServiceCode') !== null || (call === null && asked.text('transportCallID') !== null)
  return isOfNone ? [] : chosen
}

function readCall(asked: Parameters): ReturnType<typeof readCallId> {
  const text = asked.text('transportCallID')
  return text === null ? null : readCallId(text)
}

function readCreated(asked: Parameters): NonNullable<MovesAsked['filter']['createdAt']> {
  // Some clients write the operator before the value.
  const [, early = 'eq', plain = ''] = /^(?:(gte|gt|lte|lt|eq):)?(.*)$/.exec(asked.text(created) ?? '') ?? []
  return [
    { operator: early as Comparison, at: plain === '' ? null : asked.moment(created, plain) },
    ...operators.map((operator) => ({ operator, at: asked.moment(`${created}:${operator}`) })),
  ].flatMap(({ operator, at }) => (at === null ? [] : [{ operator, at }]))
}

/** True for the newest first. */
function readSort(asked: Parameters): boolean {
  const text = asked.text('sort')
  const order = /^eventCreatedDateTime(?::(ASC|DESC))?$/i.exec(text ?? created)
  if (order === null)
    throw parameterFault(
      'invalid',
      'sort',
      'It is `eventCreatedDateTime:ASC` or `eventCreatedDateTime:DESC`.',
    )
  return order[1]?.toUpperCase() === 'DESC'
}
