/**
 * How long a search takes, by the kind of text, with many containers of one account beside a larger account; and how
 * long a read of a row by primary key takes in the same run. BENCH_CONTAINERS sets the number of containers.
 */

import { search } from '../src/modules/search/search.ts'
import { type Installation, openInstallation } from './installation.ts'
import { type Figure, median, percentile, progress, seededChance } from './measure.ts'
import { fillForSearch } from './search-fill.ts'

const samples = 300
const aimMs = 50

interface Case {
  readonly what: string
  readonly queries: readonly string[]
}

export async function benchSearch(): Promise<readonly Figure[]> {
  const containers = Number(process.env['BENCH_CONTAINERS'] ?? 100_000)
  const installation = await openInstallation()
  try {
    const [context, neighbour] = [await installation.newAccount(), await installation.newAccount()]
    const { pool } = installation.service
    const startedAt = performance.now()
    const more = Math.min(containers * 3, 500_000)
    await fillForSearch(pool, [
      { accountId: context.account.id, containers },
      { accountId: neighbour.account.id, containers: more },
    ])
    const filledIn = Math.round((performance.now() - startedAt) / 1_000)
    progress(`  filled in ${filledIn} s`)
    const cases = await makeCases(installation, context.account.id)
    const figures: Figure[] = []
    for (const each of cases) figures.push(await measure(installation, context, { ...each, containers, more }))
    return figures
  } finally {
    await installation.close()
  }
}

type Context = Awaited<ReturnType<Installation['newAccount']>>

async function measure(
  { service, postgres }: Installation,
  context: Context,
  asked: Case & { readonly containers: number; readonly more: number },
): Promise<Figure> {
  const accountId = context.account.id
  const { rows: some } = await service.pool.query<{ id: string }>(
    'select id from containers where account_id = $1 limit 1000',
    [accountId],
  )
  const [searches, reads]: [number[], number[]] = [[], []]
  let found = 0
  for (let round = -20; round < samples; round += 1) {
    const query = asked.queries[(round + 20) % asked.queries.length] ?? ''
    const searchMs = await timed(async () => {
      found += (await search(service, context, { query })).length
    })
    const id = some[(round + 20) % some.length]?.id
    const readMs = await timed(() =>
      service.pool.query({
        name: 'bench_point',
        text: 'select number, status from containers where account_id = $1 and id = $2',
        values: [accountId, id],
      }),
    )
    if (round < 0) continue
    searches.push(searchMs)
    reads.push(readMs)
  }
  const [p99, limit] = [percentile(searches, 0.99), median(reads)]
  progress(`  ${asked.what}: p50 ${median(searches).toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`)
  return {
    bench: 'search',
    what: `${asked.what}, p99`,
    unit: 'ms',
    figure: p99,
    limit: { what: 'a row by its primary key, p50', value: limit },
    ratio: p99 / limit,
    aim: `under ${aimMs} ms`,
    isMet: p99 < aimMs,
    note: `p50 ${median(searches).toFixed(2)} ms of ${samples}; ${(found / (samples + 20)).toFixed(1)} results each; ${asked.containers.toLocaleString('en-US')} containers, ${asked.more.toLocaleString('en-US')} of another account beside`,
    postgres,
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

async function makeCases({ service }: Installation, accountId: string): Promise<readonly Case[]> {
  const chance = seededChance(20_261_121)
  const { rows } = await service.pool.query<{ number: string; ref: string }>(
    `select number, ref_numbers[1] as ref from containers tablesample system (5) repeatable (7)
      where account_id = $1 limit 500`,
    [accountId],
  )
  const miss = (): string => `ZQ${Math.floor(chance() * 1e6)}`
  return [
    { what: 'a whole container number', queries: rows.map(({ number }) => number) },
    { what: 'the first eight characters of a number', queries: rows.map(({ number }) => number.slice(0, 8)) },
    { what: 'five digits from the middle', queries: rows.map(({ number }) => number.slice(5, 10)) },
    { what: 'three digits', queries: rows.map(({ number }) => number.slice(5, 8)) },
    { what: 'a reference', queries: rows.map(({ ref }) => ref) },
    { what: 'a number that nobody has', queries: Array.from({ length: 100 }, miss) },
    { what: 'the code of an owner (a third of all have it)', queries: ['MSCU'] },
    { what: 'a code and one digit', queries: rows.map(({ number }) => number.slice(0, 5)) },
    { what: 'a part that every shipment has', queries: ['ONEYSHA', 'SHA0', 'PO-'] },
  ]
}
