/**
 * `correct_tracking_request`: the same wish with another number, line or kind. A new request is made with the references
 * of the wrong one; what the wrong one tracks is no longer tracked.
 */

import { requestTypes } from '../../domain/tracking-requests/tracking-request-state.ts'
import { ServiceError } from '../../modules/errors.ts'
import { correctTrackingRequest as correct } from '../../modules/tracking-requests/correct-tracking-request.ts'
import { Type } from '../../platform/json-schema.ts'
import { readLine } from '../lists/filter-values.ts'
import { trackingRequestItem, writeTrackingRequest } from '../presenters/tracking-request-item.ts'
import { closed, oneOf, uuid } from '../tool/inputs.ts'
import { responseContract, writeContract } from '../tool/response-contract.ts'
import { flag, object, text } from '../tool/schema.ts'
import { defineTool, makeResult } from '../tool/tool.ts'

export const correctTrackingRequest = defineTool({
  name: 'correct_tracking_request',
  title: 'Correct a tracking request',
  about:
    'Makes a new request with the right line, number or kind. References are kept; the wrong number is no longer tracked.',
  effect: 'change',
  isOpenWorld: true,
  isDestructive: true,
  input: Type.Object(
    {
      id: { ...uuid, description: 'Id of the wrong request' },
      scac: Type.Optional(Type.String({ description: 'The right line, by SCAC or name' })),
      number: Type.Optional(Type.String({ maxLength: 40, description: 'The right number' })),
      numberType: Type.Optional(oneOf(requestTypes, 'The right kind')),
    },
    closed,
  ),
  output: object({
    tracking_request: trackingRequestItem,
    corrected: trackingRequestItem,
    stopped: flag,
    message: text,
    _response_contract: responseContract,
  }),
  run: async ({ service, context, acquireQuotaSlot }, input) => {
    if (input.scac === undefined && input.number === undefined && input.numberType === undefined)
      throw new ServiceError('invalid', 'Give what is right: `scac`, `number` or `numberType`.')
    await acquireQuotaSlot('create')
    const { made, wrong, isStopped } = await correct(service, context, {
      id: input.id,
      scac: input.scac?.trim() ? readLine('scac', input.scac) : null,
      number: input.number?.trim() || null,
      requestType: input.numberType ?? null,
    })
    return makeResult(
      {
        tracking_request: writeTrackingRequest(made),
        corrected: writeTrackingRequest(wrong),
        stopped: isStopped,
        message: isStopped
          ? 'The right one is requested; the shipment of the wrong one is no longer tracked.'
          : 'The right one is requested. Nothing was stopped: the wrong one tracks nothing and ends by itself, or another request is for the same shipment.',
        _response_contract: writeContract(),
      },
      { presentation: 'Say what is requested now. State no status yet.', tools: ['track_container'] },
    )
  },
})
