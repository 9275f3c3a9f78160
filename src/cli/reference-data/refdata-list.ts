/** `landfall refdata list`: the reference data of this installation, with the edition and licence of each list. */

import { listEditions } from '../../modules/reference-data/list-editions.ts'
import { shippedEditions } from '../../reference/editions.ts'
import { defineCommand } from '../framework/command.ts'

export const refdataList = defineCommand({
  about: 'Shows the data of this version. With --installed: the data in the database, imports included.',
  options: {
    installed: { type: 'boolean', about: 'the data that the installation has loaded, and when' },
    json: { type: 'boolean', about: 'print JSON' },
  },
  run: async ({ options, shell }) => {
    const installed = options.installed ? await listEditions(await shell.openService()) : null
    if (options.json) shell.print(JSON.stringify(installed ?? shippedEditions(), null, 2))
    else if (installed === null)
      for (const { file, edition, rows, publisher, licence } of shippedEditions())
        shell.print(`${file}  ${edition}  ${rows} rows\n  ${publisher}; ${licence}`)
    else
      for (const { origin, file, edition, rows, loadedAt, loadedBy } of installed)
        shell.print(`${file} (${origin})  ${edition}  ${rows} rows\n  ${loadedAt} by ${loadedBy}`)
    return 0
  },
})
