/** `landfall documents model on|off`: whether a language model may read an account's documents. */

import { setModel } from '../../modules/documents/set-model.ts'
import { accountOption, findAccountContext } from '../access/account-named.ts'
import { defineCommand, UsageError } from '../framework/command.ts'

export const documentsModel = defineCommand({
  about:
    'It is off until it is switched on here. The model is that of LANDFALL_MODEL_URL. Without this setting no document is sent to a model.',
  operands: [{ name: 'on|off', about: 'on or off' }],
  options: { account: accountOption },
  examples: ['documents model on --account "Example Imports"'],
  run: async ({ operands, options, shell }) => {
    const [wish] = operands
    if (wish !== 'on' && wish !== 'off') throw new UsageError('Give on or off.')
    const service = await shell.openService()
    const context = await findAccountContext(service, options.account)
    await setModel(service, context, { usesModel: wish === 'on' })
    shell.print(
      wish === 'on'
        ? 'The language model that LANDFALL_MODEL_URL names may read the documents of this account.'
        : 'No language model reads the documents of this account.',
    )
    return 0
  },
})
