/** `landfall lines enable` and `disable`: which of the lines with restricted access an account may track. */

import { setLineEnabled } from '../../../service/knowing/shipping-lines/enabled-lines.ts'
import { type Command, command } from '../frame/command.ts'
import { accountNamed, accountOption } from './account-named.ts'

export const linesEnable = toggle({
  name: 'lines enable',
  summary: 'Allow an account to track a carrier that needs permission',
  isEnabled: true,
})
export const linesDisable = toggle({
  name: 'lines disable',
  summary: 'Withdraw from an account the permission to track a carrier',
  isEnabled: false,
})

function toggle(of: {
  readonly name: string
  readonly summary: string
  readonly isEnabled: boolean
}): Command {
  return command({
    name: of.name,
    summary: of.summary,
    about:
      'Lines whose access is "account" (GET /v2/shipping_lines says which) refuse tracking requests of an account without this permission. Shipments that are already tracked stay tracked.',
    operands: [{ name: 'scac', about: 'SCAC of the line, or one of its alternatives' }],
    options: { account: accountOption },
    examples: [`${of.name} SMLU`, `${of.name} SMLU --account "Example Imports"`],
    run: async ({ operands, options, shell }) => {
      const service = await shell.openService()
      const context = await accountNamed(service, options.account)
      const line = await setLineEnabled(service, context, {
        scac: operands[0] ?? '',
        isEnabled: of.isEnabled,
      })
      const done = of.isEnabled ? 'can be tracked by' : 'can no longer be tracked by'
      shell.print(`${line.name} (${line.scac}) ${done} ${context.account.companyName}.`)
      return 0
    },
  })
}
