/**
 * `landfall history status`: how much of the stored data has been updated to this version's readers and merge rules.
 */

import { readRepairs } from '../../pipeline/ledger/repair-history.ts'
import { defineCommand } from '../framework/command.ts'

export const historyStatus = defineCommand({
  about: 'After an upgrade a running Landfall reads the history again by itself; see docs/operating.md.',
  options: { json: { type: 'boolean', about: 'print JSON' } },
  run: async ({ options, shell }) => {
    const { repairs, shipmentsBehind } = await readRepairs(await shell.openService())
    if (options.json) {
      shell.print(JSON.stringify({ shipments_behind: shipmentsBehind, walks: repairs }, null, 2))
      return 0
    }
    for (const { accountId, companyName, kind, version, lookedAt: processed, changed, failed, endedAt } of repairs)
      shell.print(
        `${accountId}  ${companyName}  ${kind}/${version}  ${processed} looked at, ${changed} changed, ${failed} failed  ` +
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
