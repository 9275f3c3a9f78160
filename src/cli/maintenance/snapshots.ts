/** `landfall snapshots …`: old answers and messages, compressed together in packs. */

import { checkAllPacks, packAll, readPackSums } from '../../pipeline/response-archive/operate-packs.ts'
import { defineCommand } from '../framework/command.ts'
import { createProgressReporter, formatBytes } from '../framework/progress-reporter.ts'

const json = { type: 'boolean', about: 'print JSON' } as const

export const snapshotsStatus = defineCommand({
  about: 'See docs/operating.md.',
  options: { json },
  run: async ({ options, shell }) => {
    const { packs, snapshots, bodyBytes, databaseBytes, movedBytes } = await readPackSums(await shell.openService())
    if (options.json) {
      shell.print(
        JSON.stringify(
          {
            packs,
            snapshots,
            body_bytes: bodyBytes,
            database_bytes: databaseBytes,
            file_store_bytes: movedBytes,
          },
          null,
          2,
        ),
      )
      return 0
    }
    shell.print(`${snapshots} answers and messages of ${formatBytes(bodyBytes)} are in ${packs} packs.`)
    shell.print(
      `The packs take ${formatBytes(databaseBytes)} in the database and ${formatBytes(movedBytes)} in the file store.`,
    )
    return 0
  },
})

export const snapshotsPack = defineCommand({
  about:
    'Workers do the same every ten minutes. LANDFALL_SNAPSHOTS_PACKED_AFTER_DAYS and LANDFALL_SNAPSHOTS_MOVED_AFTER_DAYS say what is old enough. It may run beside a working installation.',
  options: {
    again: { type: 'boolean', about: 'check all from the first one, also those that earlier runs skipped' },
  },
  run: async ({ options, shell }) => {
    const service = await shell.openService()
    const before = await readPackSums(service)
    await packAll(service, {
      again: options.again,
      made: ({ packs, moved }) => shell.progress(`${packs} packs made, ${moved} moved to the file store`),
    })
    const now = await readPackSums(service)
    const [bodies, stored] = [now.bodyBytes - before.bodyBytes, sizeOf(now) - sizeOf(before)]
    shell.print(
      `${now.packs - before.packs} packs made: ${now.snapshots - before.snapshots} answers and messages, ` +
        `${formatBytes(bodies)} in ${formatBytes(stored)}. ${formatBytes(now.movedBytes - before.movedBytes)} moved to the file store.`,
    )
    return 0
  },
})

function sizeOf({ databaseBytes, movedBytes }: { databaseBytes: number; movedBytes: number }): number {
  return databaseBytes + movedBytes
}

export const snapshotsCheck = defineCommand({
  about: 'Exits with 1 when something is missing or is not what was stored.',
  options: { json },
  run: async ({ options, shell }) => {
    const service = await shell.openService()
    const { packs, snapshots } = await readPackSums(service)
    const report = createProgressReporter(shell, 'Check', {
      format: (amount) => `${Math.round(amount)} packs`,
    })
    const broken = await checkAllPacks(service, (read) =>
      report({ name: '', amount: read, share: Math.min(1, read / Math.max(1, packs)) }),
    )
    if (options.json) {
      const rows = broken.map(({ packId, snapshotId, why }) => ({ pack: packId, snapshot: snapshotId, why }))
      shell.print(JSON.stringify({ packs, snapshots, broken: rows }, null, 2))
    } else {
      for (const { packId, snapshotId, why } of broken)
        shell.print(`pack ${packId}${snapshotId === null ? '' : `, snapshot ${snapshotId}`}: ${why}`)
      const found = broken.length === 0 ? 'All are whole.' : `${broken.length} faults.`
      shell.print(`${packs} packs with ${snapshots} answers and messages were read. ${found}`)
    }
    return broken.length === 0 ? 0 : 1
  },
})
