/** `refresh_container`: makes Landfall poll the sources of a container now. */

import { refreshContainer as refresh } from '../../modules/containers/refresh-container.ts'
import { Type } from '../../platform/json-schema.ts'
import { closed, id } from '../tool/inputs.ts'
import { responseContract, writeContract } from '../tool/response-contract.ts'
import { object, text } from '../tool/schema.ts'
import { defineTool, makeResult } from '../tool/tool.ts'

export const refreshContainer = defineTool({
  name: 'refresh_container',
  title: 'Refresh a container',
  about: 'Asks the sources now (10 a minute). News comes within minutes, not in this result.',
  effect: 'change',
  isOpenWorld: true,
  input: Type.Object({ id }, closed),
  ids: { id: 'container' },
  output: object({ message: text, _response_contract: responseContract }),
  run: async ({ service, context, acquireQuotaSlot }, input) => {
    await acquireQuotaSlot('refresh')
    const { message } = await refresh(service, context, input)
    return makeResult(
      { message, _response_contract: writeContract() },
      { presentation: 'Say that news, if any, will come in a few minutes.', tools: ['get_container'] },
    )
  },
})
