/** The filters of `GET /dcsa/v2/events`, all that the standard names. */

import { parameterFault } from '../api/errors/problem.ts'
import { equipmentEventCodes, shipmentEventCodes, transportEventCodes } from '../domain/values/codes.ts'
import type { MoveQuery } from '../modules/transport-events/list-moves.ts'
import { readCallId, toKnownUnlocode } from '../modules/transport-events/move-statement.ts'
import { type Comparison, comparisons } from '../modules/transport-events/moves-sql.ts'
import { eventTypes, selectEventNames } from './chosen-events.ts'
import { readCursor } from './cursor.ts'
import { type Parameters, readParameters } from './parameters.ts'

const created = 'eventCreatedDateTime'
const operators = [...(Object.keys(comparisons) as readonly Comparison[]), 'eq'] as const
export const documentTypes = ['CBR', 'BKG', 'SHI', 'SRM', 'TRD', 'ARN', 'VGM', 'CAS', 'CUS', 'DGD', 'OOG'] as const
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
export function readEvents2Query(given: unknown): MoveQuery & { readonly query: Record<string, string | string[]> } {
  const { query, cursor } = readCursor(given as Record<string, string | string[]>)
  const parameters = readParameters(query, names)
  return {
    query: query as Record<string, string | string[]>,
    filter: {
      events: readEvents(parameters),
      bookingNumber: parameters.text('carrierBookingReference', 35) ?? parameters.text('bookingReference', 35),
      billOfLadingNumber: parameters.text('transportDocumentReference', 50),
      number: parameters.text('equipmentReference', 15)?.toUpperCase() ?? null,
      call: readCall(parameters),
      vesselImo: parameters.text('vesselIMONumber', 10),
      voyage: parameters.text('exportVoyageNumber', 50) ?? parameters.text('carrierVoyageNumber', 50),
      unlocode: toKnownUnlocode(parameters.text('UNLocationCode', 5)),
      createdAt: readCreated(parameters),
    },
    isDescending: readSort(parameters),
    limit: parameters.whole('limit', limits),
    cursor,
    withRetracted: false,
  }
}

function readEvents(parameters: Parameters): readonly string[] {
  const shipment = parameters.list('shipmentEventTypeCode', shipmentEventCodes)
  const documents = parameters.list('documentTypeCode', documentTypes)
  const call = readCall(parameters)
  const chosen = selectEventNames({
    types: parameters.list('eventType', eventTypes),
    transport: parameters.list('transportEventTypeCode', transportEventCodes),
    equipment: parameters.list('equipmentEventTypeCode', equipmentEventCodes),
    shipment: shipment ?? documents,
    callMode: call?.mode ?? null,
  })
  // No source states the service of a ship. So no event is of the requested service, and none of a call that we have
  // not named.
  const isOfNone =
    parameters.text('carrierServiceCode') !== null || (call === null && parameters.text('transportCallID') !== null)
  return isOfNone ? [] : chosen
}

function readCall(parameters: Parameters): ReturnType<typeof readCallId> {
  const text = parameters.text('transportCallID')
  return text === null ? null : readCallId(text)
}

function readCreated(parameters: Parameters): NonNullable<MoveQuery['filter']['createdAt']> {
  // Some clients write the operator before the value.
  const [, early = 'eq', plain = ''] = /^(?:(gte|gt|lte|lt|eq):)?(.*)$/.exec(parameters.text(created) ?? '') ?? []
  return [
    {
      operator: early as (typeof operators)[number],
      time: plain === '' ? null : parameters.moment(created, plain),
    },
    ...operators.map((operator) => ({ operator, time: parameters.moment(`${created}:${operator}`) })),
  ].flatMap(({ operator, time }) => {
    if (time === null) return []
    const [from, to] = [{ operator: 'gte', at: time.first } as const, { operator: 'lte', at: time.last } as const]
    if (operator === 'eq') return [from, to]
    return [{ operator, at: operator === 'gt' || operator === 'lte' ? time.last : time.first }]
  })
}

/** True for the newest first. */
function readSort(parameters: Parameters): boolean {
  const text = parameters.text('sort')
  const order = /^eventCreatedDateTime(?::(ASC|DESC))?$/i.exec(text ?? created)
  if (order === null)
    throw parameterFault('invalid', 'sort', 'It is `eventCreatedDateTime:ASC` or `eventCreatedDateTime:DESC`.')
  return order[1]?.toUpperCase() === 'DESC'
}
