/** `infer_number`: the kind of a number, and the line that it probably belongs to. */

import { inferNumber as infer } from '../../modules/inference/infer-number.ts'
import { Type } from '../../platform/json-schema.ts'
import { inferenceResult, writeInference } from '../presenters/inference-result.ts'
import { closed } from '../tool/inputs.ts'
import { responseContract, writeContract } from '../tool/response-contract.ts'
import { object } from '../tool/schema.ts'
import { defineTool, makeResult } from '../tool/tool.ts'

export const inferNumber = defineTool({
  name: 'infer_number',
  title: 'Infer kind and carrier of a number',
  about: 'For a number alone: its kind, whether it is valid, and its likely lines with confidence and reason.',
  effect: 'read',
  input: Type.Object(
    {
      number: Type.String({ minLength: 1, maxLength: 100, description: 'Container, bill or booking number' }),
    },
    closed,
  ),
  output: object({ ...inferenceResult, _response_contract: responseContract }),
  run: async ({ service, context, acquireQuotaSlot }, input) => {
    await acquireQuotaSlot('infer')
    const inference = await infer(service, context, input)
    const isSure = inference.shippingLine.decision === 'auto_select'
    return makeResult(
      { ...writeInference(inference), _response_contract: writeContract() },
      {
        presentation: isSure
          ? 'Name the line and the confidence.'
          : 'Name the candidates with their confidence and ask the user which line it is.',
        tools: ['track_container'],
      },
    )
  },
})
