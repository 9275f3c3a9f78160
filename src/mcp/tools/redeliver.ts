/** `redeliver`: sends notifications again that a receiver did not accept: some by id, or all of one webhook. */

import { ServiceError } from '../../modules/errors.ts'
import { redeliverFailing } from '../../modules/webhooks/redeliver-failing.ts'
import { Type } from '../../platform/json-schema.ts'
import { closed, uuid } from '../tool/inputs.ts'
import { responseContract, writeContract } from '../tool/response-contract.ts'
import { flag, list, number, object, text } from '../tool/schema.ts'
import { defineTool, makeResult } from '../tool/tool.ts'

const idsMax = 50

export const redeliver = defineTool({
  name: 'redeliver',
  title: 'Send notifications again',
  about:
    'Sends notifications again that a receiver did not accept: by id, or all of a webhook. The receiver must work again first.',
  effect: 'change',
  isOpenWorld: true,
  input: Type.Object(
    {
      ids: Type.Optional(
        Type.Array(Type.String({ format: 'uuid' }), {
          minItems: 1,
          maxItems: idsMax,
          description: 'Notifications, from webhook_health',
        }),
      ),
      webhook_id: Type.Optional({ ...uuid, description: 'All that failed of this webhook' }),
    },
    closed,
  ),
  output: object({
    queued: number,
    is_complete: flag,
    refused: list(object({ id: text, message: text })),
    _response_contract: responseContract,
  }),
  run: async ({ service, context }, input) => {
    const { ids, webhook_id: webhookId } = input
    if ((ids === undefined) === (webhookId === undefined))
      throw new ServiceError('invalid', 'Say either which `ids`, or of which `webhook_id` all.')
    const { queued, isComplete, refused } = await redeliverFailing(
      service,
      context,
      webhookId === undefined ? { ids: ids ?? [] } : { webhookId },
    )
    return makeResult(
      {
        queued,
        is_complete: isComplete,
        refused: refused.map(({ id, detail }) => ({ id, message: detail })),
        _response_contract: writeContract(),
      },
      {
        presentation: isComplete
          ? 'Say how many are sent again; webhook_health shows soon whether they were accepted.'
          : 'Say how many are sent again, and that there are more: call again.',
        tools: ['webhook_health'],
      },
    )
  },
})
