/**
 * `landfall history status`: how much of the stored data has been brought up to this version's readers and merge rules.
 */

import { readMendings } from '../../../service/ledger/mend-history.ts'
import { command } from '../frame/command.ts'

export const historyStatus = command({
  about: 'After an upgrade a running Landfall reads the history again by itself; see docs/operating.md.',
  options: { json: { type: 'boolean', about: 'print JSON' } },
  run: async ({ options, shell }) => {
    const { mendings, shipmentsBehind } = await readMendings(await shell.openService())
    if (options.json) {
      shell.print(JSON.stringify({ shipments_behind: shipmentsBehind, walks: mendings }, null, 2))
      return 0
    }
    for (const { accountId, companyName, kind, version, lookedAt, changed, failed, endedAt } of mendings)
      shell.print(
        `${accountId}  ${companyName}  ${kind}/${version}  ${lookedAt} looked at, ${changed} changed, ${failed} failed  ` +
          (endedAt === null ? 'under way' : `done ${endedAt}`),
      )
    shell.print(
      shipmentsBehind === 0
        ? 'Every shipment was computed by the merge rules of this version.'
        : `${shipmentsBehind} shipments were last computed by older merge rules.`,
    )
    return 0
  },
})
