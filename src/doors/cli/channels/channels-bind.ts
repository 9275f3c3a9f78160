/**
 * Which accounts hear everything from a channel of the installation, also releases, charges and pick-up numbers, at the
 * command line.
 */

import { bindChannel, boundAccounts, unbindChannel } from '../../../service/hearing/intake/bind-channel.ts'
import { accountNamed, accountOption } from '../access/account-named.ts'
import { command } from '../frame/command.ts'

const bound = [{ name: 'name', about: 'of a channel of the whole installation' }]

export const channelsBind = command({
  name: 'channels bind',
  summary: 'Let a channel of the installation tell an account of releases, charges and pick-up numbers',
  about:
    'Without it the account hears of its shipments what such a channel says of the journey, and nothing of these. What it heard before is heard once more.',
  operands: bound,
  options: { account: accountOption },
  examples: ['channels bind notices --account "Example Imports"'],
  run: async ({ operands, options, shell }) => {
    const service = await shell.openService()
    const { account } = await accountNamed(service, options.account)
    await bindChannel(service, { name: operands[0] ?? '', account })
    const accounts = await boundAccounts(service, operands[0] ?? '')
    shell.print(
      `${operands[0]} tells ${account.companyName} everything; accounts bound to it: ${accounts.length}.`,
    )
    return 0
  },
})

export const channelsUnbind = command({
  name: 'channels unbind',
  summary: 'Let a channel of the installation tell an account of these no more',
  about: 'Its pick-up numbers are not shown to the account any more; holds and fees that it heard stay.',
  operands: bound,
  options: { account: accountOption },
  examples: ['channels unbind notices --account "Example Imports"'],
  run: async ({ operands, options, shell }) => {
    const service = await shell.openService()
    const { account } = await accountNamed(service, options.account)
    await unbindChannel(service, { name: operands[0] ?? '', account })
    shell.print(`${operands[0]} tells ${account.companyName} of the journey alone.`)
    return 0
  },
})
