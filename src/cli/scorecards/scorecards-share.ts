/** `landfall scorecards share`: sets whether an account's figures count in the scorecard of the installation. */

import { shareScorecards } from '../../modules/scorecards/list-eta-scores.ts'
import { accountOption, findAccountContext } from '../access/account-named.ts'
import { defineCommand } from '../framework/command.ts'

export const scorecardsShare = defineCommand({
  about:
    'Off by default. Only figures over at least five accounts that share are shown, never a shipment or the name of an account.',
  operands: [{ name: 'choice', about: 'whether it shares', oneOf: ['on', 'off'] }],
  options: { account: accountOption },
  run: async ({ operands, options, shell }) => {
    const service = await shell.openService()
    const context = await findAccountContext(service, options.account)
    const shares = operands[0] === 'on'
    await shareScorecards(service, context, { shares })
    shell.print(`${context.account.companyName} ${shares ? 'shares' : 'does not share'} the figures of its estimates`)
    return 0
  },
})
