/** `landfall inference forget`: removes everything that was learnt from an account. */

import { forgetOutcomes } from '../../modules/inference/share-outcomes.ts'
import { accountOption, findAccountContext } from '../access/account-named.ts'
import { defineCommand, UsageError } from '../framework/command.ts'

export const inferenceForget = defineCommand({
  about:
    'Deletes its outcomes and predictions permanently; all processes stop using them within seconds. Shipments stay tracked.',
  options: { account: accountOption, yes: { type: 'boolean', about: 'do it' } },
  run: async ({ options, shell }) => {
    if (!options.yes) throw new UsageError('This cannot be undone. Add --yes to do it.')
    const service = await shell.openService()
    const context = await findAccountContext(service, options.account)
    const forgotten = await forgetOutcomes(service, context)
    shell.print(`${forgotten} outcomes of ${context.account.companyName} are forgotten`)
    return 0
  },
})
