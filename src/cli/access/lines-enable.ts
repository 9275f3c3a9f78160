/** `landfall lines enable` and `disable`: which of the lines with restricted access an account may track. */

import { setLineEnabled } from '../../modules/carriers/enabled-lines.ts'
import { type CommandBody, defineCommand } from '../framework/command.ts'
import { accountOption, findAccountContext } from './account-named.ts'

export const linesEnable = defineToggle('enable')
export const linesDisable = defineToggle('disable')

function defineToggle(verb: 'enable' | 'disable'): CommandBody {
  return defineCommand({
    about:
      'Lines whose access is "account" (GET /v2/shipping_lines says which) refuse tracking requests of an account without this permission. Shipments that are already tracked stay tracked.',
    operands: [{ name: 'scac', about: 'SCAC of the line, or one of its alternatives' }],
    options: { account: accountOption },
    examples: [`lines ${verb} SMLU`, `lines ${verb} SMLU --account "Example Imports"`],
    run: async ({ operands, options, shell }) => {
      const service = await shell.openService()
      const context = await findAccountContext(service, options.account)
      const line = await setLineEnabled(service, context, {
        scac: operands[0] ?? '',
        isEnabled: verb === 'enable',
      })
      const done = verb === 'enable' ? 'can be tracked by' : 'can no longer be tracked by'
      shell.print(`${line.name} (${line.scac}) ${done} ${context.account.companyName}.`)
      return 0
    },
  })
}
