/**
 * How long the forecast of a million boxes takes on two cores, each with every day that is told and its reason, beside
 * reading the same boxes from JSON, which is the least that must be done with what is stored. Measured in processor time
 * of the slower of two threads, because other work on the machine changes the time by the clock.
 */

import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { benchChargeSums } from './charge-sums.ts'
import type { ChargesTook } from './charges-thread.ts'
import { alternate, type Figure, medianRatio, progress, rate, secondsOf, spread } from './measure.ts'

const boxes = 1_000_000
const rounds = 4
const threads = 2

export async function benchCharges(): Promise<readonly Figure[]> {
  return [...(await benchForecast()), await benchChargeSums()]
}

async function benchForecast(): Promise<readonly Figure[]> {
  const workers = Array.from(
    { length: threads },
    (_, seed) => new Worker(new URL('./charges-thread.ts', import.meta.url), { workerData: { seed } }),
  )
  const share = boxes / rounds / threads
  const days = { told: 0 }
  const clock = { seconds: 0 }
  const run = async (kind: 'forecast' | 'parse', count: number): Promise<number> => {
    let done: readonly ChargesTook[] = []
    clock.seconds += await secondsOf(async () => {
      done = await Promise.all(workers.map((worker) => ask(worker, { kind, count })))
    })
    for (const { chargedDays, minor } of done) {
      if (chargedDays === 0 || (kind === 'forecast' && minor === 0)) throw new Error('nothing was charged')
      if (kind === 'forecast') days.told += chargedDays
    }
    return (count * threads) / Math.max(...done.map(({ seconds }) => seconds))
  }
  await run('forecast', 2_500)
  await run('parse', 2_500)
  days.told = 0
  clock.seconds = 0
  progress(`charges: ${boxes} boxes in ${rounds} rounds on ${threads} threads`)
  const sides = await alternate(rounds, {
    ours: () => run('forecast', share),
    limit: () => run('parse', share),
  })
  for (const worker of workers) worker.postMessage(null)
  const seconds = sides.ours.reduce((sum, perSecond) => sum + boxes / rounds / perSecond, 0)
  const limitSeconds = sides.limit.reduce((sum, perSecond) => sum + boxes / rounds / perSecond, 0)
  return [
    {
      bench: 'charges',
      what: 'Forecast of the charges of a million containers, thirty days ahead, day by day',
      unit: 's of processor time on each of two cores',
      figure: seconds,
      limit: { what: 'JSON.parse of the same containers', value: limitSeconds },
      ratio: medianRatio(sides),
      aim: 'within a minute',
      isMet: seconds < 60,
      note: `${rounds} rounds; ${spread(sides.ours)} boxes/s against ${spread(sides.limit)}; 40 terms, 1 calendar; ${rate(days.told)} charged days; both together ${rate(clock.seconds)} s by the clock`,
      postgres: null,
    },
  ]
}

async function ask(worker: Worker, work: object): Promise<ChargesTook> {
  const answered = once(worker, 'message')
  worker.postMessage(work)
  const [done] = (await answered) as [ChargesTook]
  return done
}
