/**
 * Which accounts receive everything from a channel of the installation, also releases, charges and pick-up numbers, at
 * the command line.
 */

import { bindChannel, boundAccounts, unbindChannel } from '../../modules/channels/bind-channel.ts'
import { accountOption, findAccountContext } from '../access/account-named.ts'
import { defineCommand } from '../framework/command.ts'

const bound = [{ name: 'name', about: 'name of a channel of the whole installation' }]

export const channelsBind = defineCommand({
  about:
    'Without this command the account gets only what such a channel says about the journey of its shipments. With it, earlier messages are read again too.',
  operands: bound,
  options: { account: accountOption },
  examples: ['channels bind notices --account "Example Imports"'],
  run: async ({ operands, options, shell }) => {
    const service = await shell.openService()
    const { account } = await findAccountContext(service, options.account)
    await bindChannel(service, { name: operands[0] ?? '', account })
    const accounts = await boundAccounts(service, operands[0] ?? '')
    shell.print(
      `${account.companyName} now gets everything of ${operands[0]}; accounts bound to it: ${accounts.length}.`,
    )
    return 0
  },
})

export const channelsUnbind = defineCommand({
  about: 'The account no longer sees the pick-up numbers of the channel. Holds and fees that it already got are kept.',
  operands: bound,
  options: { account: accountOption },
  examples: ['channels unbind notices --account "Example Imports"'],
  run: async ({ operands, options, shell }) => {
    const service = await shell.openService()
    const { account } = await findAccountContext(service, options.account)
    await unbindChannel(service, { name: operands[0] ?? '', account })
    shell.print(`${account.companyName} now gets only the journey from ${operands[0]}.`)
    return 0
  },
})
