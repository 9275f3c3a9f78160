/** `refresh_container`: makes Landfall ask the sources of a container now. */

import { Type } from '../../../platform/json-schema.ts'
import { refreshContainer as refresh } from '../../../service/tracking/containers/refresh-container.ts'
import { closed, id } from '../tool/inputs.ts'
import { responseContract, writeContract } from '../tool/response-contract.ts'
import { object, text } from '../tool/schema.ts'
import { result, tool } from '../tool/tool.ts'

export const refreshContainer = tool({
  name: 'refresh_container',
  title: 'Refresh a container',
  about: 'Asks the sources now (10 a minute). News comes within minutes, not in this result.',
  effect: 'change',
  input: Type.Object({ id }, closed),
  ids: { id: 'container' },
  output: object({ message: text, _response_contract: responseContract }),
  run: async ({ service, context, takeTurn }, input) => {
    await takeTurn('refresh')
    const { message } = await refresh(service, context, input)
    return result(
      { message, _response_contract: writeContract() },
      { presentation: 'Say that news, if any, will come in a few minutes.', tools: ['get_container'] },
    )
  },
})
