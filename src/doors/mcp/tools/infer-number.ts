/** `infer_number`: the kind of a number, and the line that it probably belongs to. */

import { Type } from '../../../platform/json-schema.ts'
import { inferNumber as infer } from '../../../service/inference/infer-number.ts'
import { closed } from '../tool/inputs.ts'
import { responseContract, writeContract } from '../tool/response-contract.ts'
import { object } from '../tool/schema.ts'
import { result, tool } from '../tool/tool.ts'
import { inferenceResult, writeInference } from '../words/inference-result.ts'

export const inferNumber = tool({
  name: 'infer_number',
  title: 'Infer kind and carrier of a number',
  about:
    'For a number alone: its kind, whether it is valid, and its likely lines with confidence and reason.',
  effect: 'read',
  input: Type.Object(
    {
      number: Type.String({ minLength: 1, maxLength: 100, description: 'Container, bill or booking number' }),
    },
    closed,
  ),
  output: object({ ...inferenceResult, _response_contract: responseContract }),
  run: async ({ service, context, takeTurn }, input) => {
    await takeTurn('infer')
    const inference = await infer(service, context, input)
    const isSure = inference.shippingLine.decision === 'auto_select'
    return result(
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
