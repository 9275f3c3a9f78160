/** How fast snapshots become projections and events, against plain inserts of the rows that come of them. */

import { type Installation, openInstallation, storeSnapshot, track, workOffTasks } from './installation.ts'
import { openRowCopy } from './row-copy.ts'
import { makeShipments } from './journeys.ts'
import { alternate, type Figure, median, medianRatio, progress, secondsOf, spread } from './measure.ts'

const shipmentsPerRound = 300
const rounds = 5

export async function benchIngest(): Promise<readonly Figure[]> {
  const installation = await openInstallation()
  try {
    return [await measure(installation)]
  } finally {
    await installation.close()
  }
}

async function measure(installation: Installation): Promise<Figure> {
  const context = await installation.newAccount()
  const tracked = await track(installation, context, makeShipments(shipmentsPerRound, 2))
  const storeAll = async (version: number) => {
    for (const each of tracked) await storeSnapshot(installation, each, version)
  }
  progress(`ingest: ${tracked.length} shipments are tracked first, then their answers change round by round`)
  for (const version of [0, 1]) {
    await storeAll(version)
    await workOffTasks(installation)
  }
  const copy = await openRowCopy(installation, context.account.id)
  let rows = 0
  const ours: number[] = []
  const sides = await alternate(rounds, {
    ours: async (round) => {
      await storeAll(round + 2)
      await copy.mark()
      let worked = 0
      const seconds = await secondsOf(async () => {
        worked = await workOffTasks(installation)
      })
      if (worked !== tracked.length) throw new Error(`${worked} tasks were done, not ${tracked.length}`)
      const read = await copy.read()
      if (read.transactions !== tracked.length) throw new Error(`${read.transactions} shipments changed`)
      rows = read.rows
      ours.push(worked / seconds)
      return worked / seconds
    },
    // Inserts what the last round of ours wrote, which has the same shape in every round.
    limit: async () => tracked.length / (await secondsOf(() => copy.write(installation.service.config.server.workers))),
  })
  await copy.close()
  const ratio = medianRatio(sides)
  return {
    bench: 'ingest',
    what: 'Snapshots absorbed and projected: task to ledger, claims, projection and events, one transaction each',
    unit: 'snapshots/s',
    figure: median(sides.ours),
    limit: {
      what: 'plain multi-row inserts of the new and changed rows, as many transactions, hands and connections',
      value: median(sides.limit),
    },
    ratio,
    aim: 'ratio at least 0.3',
    isMet: ratio >= 0.3,
    note:
      `${rounds} rounds of ${tracked.length} snapshots of 2–4 boxes, ${(rows / tracked.length).toFixed(1)} rows each; ` +
      `${spread(sides.ours)} against ${spread(sides.limit)}; fsync on`,
  }
}
