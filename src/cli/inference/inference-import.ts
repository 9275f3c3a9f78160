/** `landfall inference import`: teaches an account's model from labelled CSV, bay plans and terminal reports. */

import { readFile } from 'node:fs/promises'
import { importLabels } from '../../modules/inference/import-labels.ts'
import { accountOption, findAccountContext } from '../access/account-named.ts'
import { defineCommand } from '../framework/command.ts'

export const inferenceImport = defineCommand({
  about:
    'Takes a CSV with the columns number, number_type, scac and group, or EDIFACT: bay plans (BAPLIE D.95B, D.13B), COARRI and CODECO. A file that was imported before adds nothing. Unknown codes of carriers are counted, never guessed. Exits with 1 if a part of the file could not be read. A wrong count of segments (UNT) is printed and loses nothing.',
  operands: [{ name: 'file', about: 'what to import' }],
  options: { account: accountOption, json: { type: 'boolean', about: 'print JSON' } },
  examples: ['inference import bayplan.edi', 'inference import numbers.csv --account "Example Imports"'],
  run: async ({ operands, options, shell }) => {
    const [path = ''] = operands
    const bytes = await readFile(path)
    const service = await shell.openService()
    const context = await findAccountContext(service, options.account)
    const summary = await importLabels(service, context, {
      bytes,
      progress: (done, of) => shell.progress(`${done} of ${of} numbers`),
    })
    if (options.json) shell.print(JSON.stringify(summary, null, 2))
    else {
      const { rows, taught, known } = summary
      shell.print(`${rows} numbers read, ${taught} learned, ${known} known from an earlier import`)
      if (summary.byBill > 0) shell.print(`  ${summary.byBill} got their carrier from the other boxes of their bill`)
      for (const [reason, count] of Object.entries(summary.skipped)) shell.print(`  skipped ${count}: ${reason}`)
      const unknown = Object.entries(summary.unknownCarriers).map(([code, count]) => `${code} (${count})`)
      if (unknown.length > 0) shell.print(`  unknown carriers: ${unknown.join(', ')}`)
      for (const fault of summary.faults) shell.log(fault)
    }
    return summary.isBroken ? 1 : 0
  },
})
