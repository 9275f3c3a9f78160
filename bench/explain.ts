/**
 * What it costs to find what was known at an earlier time: the ledger of one shipment is folded again. Compared with
 * the time that the live fold took in the same run.
 */

import { explainValue } from '../src/modules/provenance/explain-value.ts'
import { withStateAt } from '../src/modules/provenance/state-at.ts'
import { journeyNow } from '../src/modules/service.ts'
import { getShipment } from '../src/modules/shipments/get-shipment.ts'
import {
  type Installation,
  openInstallation,
  storeSnapshot,
  type Tracked,
  track,
  workOffTasks,
} from './installation.ts'
import { makeShipments } from './journeys.ts'
import { type Figure, median, progress, secondsOf } from './measure.ts'

const sizes = [50, 1_000]
/** The maximum for a ledger of thousands of entries, in seconds. */
const aimS = 30
const rounds = 5

export async function benchExplain(): Promise<readonly Figure[]> {
  const installation = await openInstallation()
  try {
    const context = await installation.newAccount()
    const shipments = makeShipments(sizes.length, 6)
    const figures: Figure[] = []
    for (const [index, tracked] of (await track(installation, context, shipments)).entries())
      figures.push(...(await measure(installation, context, tracked, sizes[index] ?? 0)))
    return figures
  } finally {
    await installation.close()
  }
}

type Context = Awaited<ReturnType<Installation['newAccount']>>

async function measure(
  installation: Installation,
  context: Context,
  tracked: Tracked,
  entries: number,
): Promise<readonly Figure[]> {
  const { service, postgres } = installation
  let liveS = 0
  for (let version = 0; version < entries; version += 1) {
    await storeSnapshot(installation, tracked, version)
    liveS += await secondsOf(() => workOffTasks(installation))
  }
  progress(`  ${entries} entries folded live in ${Math.round(liveS)} s`)
  const { rows } = await service.pool.query<{ id: string }>(
    'select shipment_id as id from tracking_requests where account_id = $1 and subject_id = $2',
    [context.account.id, tracked.subjectId],
  )
  const shipmentId = rows[0]?.id ?? ''
  const again = (): Promise<number> =>
    secondsOf(() => {
      const moment = { shipmentId, asOf: journeyNow(service, false) }
      return withStateAt(service, context, moment, (then) => getShipment(then, context, { id: shipmentId }))
    })
  const took: number[] = []
  for (let round = 0; round < (entries > 500 ? 2 : rounds); round += 1) took.push(await again())
  const reasons: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const of = { type: 'shipment', id: shipmentId } as const
    reasons.push(await secondsOf(() => explainValue(service, context, { of, value: null })))
  }
  const againS = median(took)
  const limit = {
    what: 'each entry when it was folded live, task and plan included',
    value: (liveS / entries) * 1_000,
  }
  return [
    {
      bench: 'explain',
      what: `as_of over a ledger of ${entries} entries, for each entry`,
      unit: 'ms',
      figure: (againS / entries) * 1_000,
      limit,
      ratio: liveS / againS,
      aim: `the whole of it under ${aimS} s`,
      isMet: againS < aimS,
      note: `${Math.round(againS * 1_000)} ms in all, connection and tables included; median of ${took.length}`,
      postgres,
    },
    {
      bench: 'explain',
      what: `provenance of all values of a shipment after ${entries} entries`,
      unit: 'ms',
      figure: median(reasons) * 1_000,
      limit: null,
      ratio: null,
      aim: 'under 50 ms',
      isMet: median(reasons) < 0.05,
      note: `median of ${rounds}`,
      postgres,
    },
  ]
}
