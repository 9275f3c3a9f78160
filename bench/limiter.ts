/**
 * What the rate limiter costs per request: in memory compared with the simplest possible count, in the database
 * compared with one plain update.
 */

import { databaseWindows, memoryWindows, type QuotaWindows } from '../src/modules/usage/quota-windows.ts'
import { realClock } from '../src/platform/clock.ts'
import { uuidV7 } from '../src/platform/ids.ts'
import { openInstallation } from './installation.ts'
import { alternate, type Figure, median, medianRatio, progress, secondsOf, spread } from './measure.ts'

const rounds = 7
const accounts = Array.from({ length: 100 }, () => uuidV7(realClock.now()))
const limit = 100
const turnsInMemory = 300_000
const turnsInDatabase = 4_000
const connections = 8

export async function benchLimiter(): Promise<readonly Figure[]> {
  const installation = await openInstallation()
  const { service, postgres } = installation
  try {
    return [await inMemory(), await inDatabase(service.pool, postgres)]
  } finally {
    await installation.close()
  }
}

/** After the first requests of each account its window is full, like that of a client at its limit. */
async function takeAll(windows: QuotaWindows, { from, to }: { from: number; to: number }): Promise<void> {
  for (let turn = from; turn < to; turn += 1)
    await windows.take({ accountId: accountOf(turn), bucket: 'default', limit, count: 1 })
}

function accountOf(turn: number): string {
  return accounts[turn % accounts.length] ?? ''
}

async function inMemory(): Promise<Figure> {
  progress(`limiter: ${turnsInMemory} turns of ${accounts.length} accounts a round, in memory`)
  const windows = memoryWindows(realClock)
  await takeAll(windows, { from: 0, to: turnsInMemory })
  const sides = await alternate(rounds, {
    ours: async () => turnsInMemory / (await secondsOf(() => takeAll(windows, { from: 0, to: turnsInMemory }))),
    limit: async () => {
      const counts = new Map<string, { nowMs: number; count: number }>()
      const take = async (accountId: string): Promise<number> => {
        const key = `${accountId} default`
        const found = counts.get(key) ?? { nowMs: 0, count: 0 }
        counts.set(key, found)
        found.nowMs = realClock.now()
        found.count += 1
        return found.count
      }
      return (
        turnsInMemory /
        (await secondsOf(async () => {
          for (let turn = 0; turn < turnsInMemory; turn += 1) await take(accountOf(turn))
        }))
      )
    },
  })
  const figure = median(sides.ours)
  return {
    bench: 'limiter',
    what: `Turns taken or refused in memory, ${Math.round(1e9 / figure)} ns each`,
    unit: 'turns/s',
    figure,
    limit: {
      what: 'a map of counters, found by the same key and given the time',
      value: median(sides.limit),
    },
    ratio: medianRatio(sides),
    aim: 'less than 2,000 ns a turn',
    isMet: figure > 500_000,
    note: `${rounds} rounds of ${turnsInMemory} turns, ${accounts.length} accounts at a limit of ${limit}; ${spread(sides.ours)} against ${spread(sides.limit)}`,
    postgres: null,
  }
}

async function inDatabase(pool: Parameters<typeof databaseWindows>[0], postgres: string): Promise<Figure> {
  progress(`limiter: ${turnsInDatabase} turns over ${connections} connections a round, in the database`)
  const windows = databaseWindows(pool, null)
  await pool.query('create unlogged table bench_counts (account_id uuid primary key, count int) with (fillfactor = 50)')
  await pool.query('insert into bench_counts select unnest($1::uuid[]), 0', [accounts])
  const byHands = async (work: (turn: number) => Promise<unknown>): Promise<number> => {
    const seconds = await secondsOf(() =>
      Promise.all(
        Array.from({ length: connections }, async (_, hand) => {
          for (let turn = hand; turn < turnsInDatabase; turn += connections) await work(turn)
        }),
      ),
    )
    return turnsInDatabase / seconds
  }
  const ours = (turn: number): Promise<unknown> =>
    windows.take({ accountId: accountOf(turn), bucket: 'default', limit, count: 1 })
  await byHands(ours)
  const sides = await alternate(rounds, {
    ours: () => byHands(ours),
    limit: () =>
      byHands((turn) =>
        pool.query({
          name: 'bench_count',
          text: 'update bench_counts set count = count + 1 where account_id = $1 returning count',
          values: [accountOf(turn)],
        }),
      ),
  })
  const figure = median(sides.ours)
  const ratio = medianRatio(sides)
  return {
    bench: 'limiter',
    what: `Turns taken or refused in the database, ${Math.round((1e6 * connections) / figure)} µs each at ${connections} at a time`,
    unit: 'turns/s',
    figure,
    limit: { what: 'a plain update of one counter in an unlogged table', value: median(sides.limit) },
    ratio,
    aim: 'ratio at least 0.4',
    isMet: ratio >= 0.4,
    note: `${rounds} rounds of ${turnsInDatabase} turns, ${accounts.length} accounts at a limit of ${limit}; ${spread(sides.ours)} against ${spread(sides.limit)}`,
    postgres,
  }
}
