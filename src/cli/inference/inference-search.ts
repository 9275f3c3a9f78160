/** `landfall inference search`: sets how many lines are polled for a number of an account when no line is named. */

import { searchLinesMax, setSearch } from '../../modules/inference/share-outcomes.ts'
import { accountOption, findAccountContext } from '../access/account-named.ts'
import { defineCommand, UsageError } from '../framework/command.ts'

export const inferenceSearch = defineCommand({
  about:
    'By default Landfall polls every carrier that it can, one after the other, the likeliest first, except carriers that charge for each request. The new number is used for later tracking requests.',
  operands: [{ name: 'lines', about: 'maximum number of carriers to poll, or "all"' }],
  options: {
    billed: { type: 'boolean', about: 'also poll carriers that charge for each request' },
    account: accountOption,
  },
  examples: ['inference search 8', 'inference search all --billed'],
  run: async ({ operands, options, shell }) => {
    const [lines = ''] = operands
    const linesMax = lines === 'all' ? null : Number(lines)
    if (lines !== 'all' && !/^[1-9]\d{0,2}$/.test(lines))
      throw new UsageError(
        `${lines} is not a number of carriers. Give a whole number from 1 to ${searchLinesMax}, or all.`,
      )
    const service = await shell.openService()
    const context = await findAccountContext(service, options.account)
    await setSearch(service, context, { linesMax, isBilledAllowed: options.billed })
    const most = linesMax === null ? 'every carrier that can be polled' : `at most ${linesMax} carriers`
    const billed = options.billed
      ? 'also carriers that charge for each request'
      : 'no carrier that charges for each request'
    shell.print(`${context.account.companyName}: ${most}, ${billed}`)
    return 0
  },
})
