/** `landfall inference forget`: removes everything that was learnt from an account. */

import { forgetOutcomes } from '../../../service/inference/sharing.ts'
import { accountNamed, accountOption } from '../access/account-named.ts'
import { command, UsageError } from '../frame/command.ts'

export const inferenceForget = command({
  name: 'inference forget',
  summary: 'Forget everything that an account has taught',
  about:
    'Removes its outcomes and predictions for good; every process has unlearnt them within seconds. What is tracked stays.',
  options: { account: accountOption, yes: { type: 'boolean', about: 'do it' } },
  run: async ({ options, shell }) => {
    if (!options.yes) throw new UsageError('This cannot be undone: say --yes.')
    const service = await shell.openService()
    const context = await accountNamed(service, options.account)
    const forgotten = await forgetOutcomes(service, context)
    shell.print(`${forgotten} outcomes of ${context.account.companyName} are forgotten`)
    return 0
  },
})
