/**
 * `landfall history status`: how much of the stored data has been brought up to this version's readers and merge rules.
 */

import { readMendings } from '../../../service/ledger/mend-history.ts'
import { command } from '../frame/command.ts'

export const historyStatus = command({
  name: 'history status',
  summary: "Show how far history has been brought up to this version's readers and merge rules",
  about: 'After an upgrade a running Landfall does that by itself; docs/operating.md says how.',
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
        ? 'Every shipment is up to the merge rules of this version.'
        : `${shipmentsBehind} shipments were last folded by older merge rules.`,
    )
    return 0
  },
})
