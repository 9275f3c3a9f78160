/** `landfall inference search`: sets how many lines are asked for a number of an account when no line is named. */

import { searchLinesMax, setSearch } from '../../../service/inference/sharing.ts'
import { accountNamed, accountOption } from '../access/account-named.ts'
import { command, UsageError } from '../frame/command.ts'

export const inferenceSearch = command({
  name: 'inference search',
  summary: 'Set how many lines are asked when a number comes without its line',
  about:
    'Every line with a way in by default, the likeliest first and one at a time, save those whose calls cost. Counts for requests that are made from then on.',
  operands: [{ name: 'lines', about: 'how many lines at most, or "all"' }],
  options: {
    billed: { type: 'boolean', about: 'ask lines whose calls cost as well' },
    account: accountOption,
  },
  examples: ['inference search 8', 'inference search all --billed'],
  run: async ({ operands, options, shell }) => {
    const [lines = ''] = operands
    const linesMax = lines === 'all' ? null : Number(lines)
    if (lines !== 'all' && !/^[1-9]\d{0,2}$/.test(lines))
      throw new UsageError(
        `${lines} is no number of lines: a whole number from 1 to ${searchLinesMax}, or all.`,
      )
    const service = await shell.openService()
    const context = await accountNamed(service, options.account)
    await setSearch(service, context, { linesMax, isBilledAllowed: options.billed })
    const most = linesMax === null ? 'every line with a way in' : `${linesMax} lines at most`
    const billed = options.billed ? 'those whose calls cost included' : 'none whose calls cost'
    shell.print(`${context.account.companyName}: ${most}, ${billed}`)
    return 0
  },
})
