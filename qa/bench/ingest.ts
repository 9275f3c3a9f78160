/** How fast snapshots become projections and events, compared with plain inserts of the resulting rows. */

import { type Installation, openInstallation, storeSnapshot, track, workOffTasks } from './installation.ts'
import { makeShipments } from './journeys.ts'
import { alternate, type Figure, median, medianRatio, progress, spread } from './measure.ts'
import { openProcessorTime, processorTimeOfEach, type Spent } from './processor-time.ts'
import { openRowCopy } from './row-copy.ts'

const shipmentsPerRound = 150
const rounds = 9
/** The limit is so much faster that its rounds would otherwise be too short to measure. */
const limitTimes = 3

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
  // Autovacuum does this within a minute in practice. Plans that were made for empty tables are not to be measured.
  await installation.service.pool.query('vacuum analyze')
  const copy = await openRowCopy(installation, context.account.id)
  const spend = await openProcessorTime(installation.service.pool)
  const spent: Spent[] = []
  const spentByLimit: Spent[] = []
  let rows = 0
  const sides = await alternate(rounds, {
    ours: async (place) => {
      await storeAll(place + 2)
      await copy.mark()
      const round = await spend(() => workOffTasks(installation))
      spent.push(round)
      const read = await copy.read()
      if (read.transactions !== tracked.length) throw new Error(`${read.transactions} shipments changed`)
      rows = read.rows
      return tracked.length / round.seconds
    },
    // Inserts the rows that our last round wrote. They have the same shape in every round.
    limit: async () => {
      let seconds = 0
      for (let time = 0; time < limitTimes; time += 1) {
        await copy.empty()
        const round = await spend(() => copy.write(installation.service.config.server.workers))
        spentByLimit.push(round)
        seconds += round.seconds
      }
      return (limitTimes * tracked.length) / seconds
    },
  })
  await copy.close()
  const ratio = medianRatio(sides)
  return {
    bench: 'ingest',
    what: 'Snapshots absorbed and projected: task to ledger, claims, projection and events',
    unit: 'snapshots/s',
    figure: median(sides.ours),
    limit: {
      what: 'plain multi-row inserts of the new and changed rows, as many transactions, hands and connections',
      value: median(sides.limit),
    },
    ratio,
    aim: 'measured',
    isMet: true,
    note:
      `${rounds} rounds of ${tracked.length} snapshots of 2–4 boxes, ${(rows / tracked.length).toFixed(1)} rows each; ` +
      `${spread(sides.ours)} against ${spread(sides.limit)}; processor time of each ` +
      `${processorTimeOfEach(spent, tracked.length)}, of the limit ` +
      `${processorTimeOfEach(spentByLimit, tracked.length)}; fsync on`,
    postgres: installation.postgres,
  }
}
