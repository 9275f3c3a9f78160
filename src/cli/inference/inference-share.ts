/** `landfall inference share`: sets whether other accounts may learn from an account's requests. */

import { shareOutcomes } from '../../modules/inference/share-outcomes.ts'
import { accountOption, findAccountContext } from '../access/account-named.ts'
import { defineCommand } from '../framework/command.ts'

export const inferenceShare = defineCommand({
  about:
    'On by default. Only counts are shared: of at most three digits of a serial number or five characters of a bill, and only if they come from three accounts or five bills. Off also removes what was shared before.',
  operands: [{ name: 'choice', about: 'whether it shares', oneOf: ['on', 'off'] }],
  options: { account: accountOption },
  run: async ({ operands, options, shell }) => {
    const service = await shell.openService()
    const context = await findAccountContext(service, options.account)
    const shares = operands[0] === 'on'
    await shareOutcomes(service, context, { shares })
    shell.print(`${context.account.companyName} ${shares ? 'shares' : 'does not share'} what it teaches`)
    return 0
  },
})
