/**
 * `landfall history …`: how much of the stored history was read with this version's readers and rules, and whether the
 * served state is what the ledger gives.
 */

import { asSchemaOwner } from '../../modules/installation/as-schema-owner.ts'
import type { Service } from '../../modules/service.ts'
import { type Fold, foldBy } from '../../pipeline/ledger/fold.ts'
import { type RebuildReport, rebuildProjections } from '../../pipeline/ledger/rebuild-projections.ts'
import { readRepairs } from '../../pipeline/ledger/repair-history.ts'
import { type RereadReport, rereadAll } from '../../pipeline/ledger/reread-history.ts'
import { readRules } from '../../pipeline/ledger/rules.ts'
import { defineCommand, type ExitCode, type Shell } from '../framework/command.ts'

const json = { type: 'boolean', about: 'print JSON' } as const
const differencesMax = 50

export const historyStatus = defineCommand({
  about: 'After an upgrade a running Landfall reads the history again by itself; see docs/operating.md.',
  options: { json },
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

export const historyCheck = defineCommand({
  about:
    'Computes every shipment again from the ledger, in a schema of its own, and compares the result with what is served, row by row. Changes nothing. Exits with 1 when something differs.',
  options: { json },
  run: async ({ options, shell }) => foldAgain(shell, { isJson: options.json, repair: false }),
})

export const historyRebuild = defineCommand({
  about:
    'Compares as `history check` does, and then writes what differs as the ledger gives it. Nobody can write meanwhile. Events that were announced stay.',
  options: { json },
  run: async ({ options, shell }) => foldAgain(shell, { isJson: options.json, repair: true }),
})

export const historyReread = defineCommand({
  about:
    'Reads the stored answers and messages of all requests again with the readers of this version, and announces what they read differently as corrections. Then compares as `history check` does. After an upgrade a running Landfall does this by itself: use it after you have changed a profile.',
  options: { json },
  run: async ({ options, shell }) =>
    foldAgain(shell, {
      isJson: options.json,
      repair: false,
      before: (service, fold) => rereadAll(service, fold, service.journeyClock),
    }),
})

async function foldAgain(
  shell: Shell,
  of: {
    readonly isJson: boolean
    readonly repair: boolean
    readonly before?: (service: Service, fold: Fold) => Promise<RereadReport>
  },
): Promise<ExitCode> {
  // It works in a schema of its own, which a role that may only serve cannot create.
  const { service, close } = await asSchemaOwner(await shell.openService())
  shell.onClose(close)
  const fold = foldBy(readRules(service.config))
  const startedMs = performance.now()
  const reread = (await of.before?.(service, fold)) ?? null
  const report = await rebuildProjections(service, fold, {
    repair: of.repair,
    differencesMax,
    progress: ({ entries, account }) => shell.progress(`${entries} entries folded (${account}) …`),
  })
  const seconds = (performance.now() - startedMs) / 1_000
  if (of.isJson) shell.print(JSON.stringify({ ...report, reread, seconds }))
  else for (const line of [...describeReread(reread), ...describeReport(report, of.repair, seconds)]) shell.print(line)
  return report.differences.length === 0 || report.isRepaired ? 0 : 1
}

function describeReread(reread: RereadReport | null): readonly string[] {
  if (reread === null) return []
  const { requests, snapshots, changed, added, retired, failed } = reread
  return [
    `${snapshots} answers of ${requests} requests were read again. ${changed} are read differently now`,
    `(${added} claims added, ${retired} retired). The differences are announced as corrections.`,
    ...failed.map(({ requestId, why }) => `  request ${requestId} could not be read: ${why}`),
  ]
}

function describeReport(report: RebuildReport, repair: boolean, seconds: number): readonly string[] {
  const { entries, snapshotsRead, asRecorded, rows, differences, reprojectedShipments, waiting } = report
  return [
    `${entries} entries folded (${snapshotsRead} answers read, ${asRecorded} as another reader read them), ${rows} rows compared in ${seconds.toFixed(1)} s.`,
    ...(reprojectedShipments === 0
      ? []
      : [
          `Newer merge rules computed shipments again ${reprojectedShipments} times; ${report.eventsOfOlderRules} events announced under older rules stay.`,
        ]),
    ...(waiting === 0
      ? []
      : [
          `${waiting} shipments were last computed by older merge rules and may differ. A running Landfall computes them again.`,
        ]),
    ...differences.map(
      ({ table, id, kind, columns }) =>
        `  ${table} ${id} is ${kind.replaceAll('_', ' ')}${columns.length > 0 ? `: ${columns.join(', ')}` : ''}`,
    ),
    concludeReport(report, repair),
  ]
}

function concludeReport({ differences, isRepaired }: RebuildReport, repair: boolean): string {
  if (differences.length === 0) return 'Identical.'
  if (!repair) return 'NOT identical.'
  if (!isRepaired) return 'NOT repaired: stored answers are broken.'
  return differences.some(({ table }) => table === 'events') ? 'Repaired, except events: they stay.' : 'Repaired.'
}
