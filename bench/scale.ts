/**
 * What each list, get, include and search takes at 10 thousand, 100 thousand and 1 million containers of one account,
 * beside a large neighbour: through the whole API, with the bare read of one row by its primary key in turn with it.
 * `npm run bench:scale -- 10000 100000` names other sizes.
 */

import type { FastifyInstance } from 'fastify'
import { openApi } from '../src/doors/api/app.ts'
import { createApiKey } from '../src/service/access/create-api-key.ts'
import type { Pool } from '../src/store/database.ts'
import { openInstallation } from './installation.ts'
import { median, percentile, progress } from './measure.ts'
import { fillToScale, pickIds } from './scale-fill.ts'

const samples = 40
const ratioMax = 1.5

/** Addresses; `{c}` and `{s}` stand for ids, `{n}` for a number that changes. */
const asked: readonly string[] = [
  'containers',
  'containers?page[number]=300',
  'containers?page[after]=',
  'containers?include=shipment,pod_terminal',
  'containers?filter[status]=available',
  'containers?filter[status]=empty_returned',
  'containers?filter[scac]=ZIMU',
  'containers?filter[port_of_lading]=KRPUS',
  'containers?filter[port_of_discharge]=NLRTM',
  'containers?filter[port_of_discharge]=NLRTM&filter[status]=available&filter[scac]=MSCU',
  'containers?filter[pod_terminal]={t}',
  'containers?filter[vessel]=9000077',
  'containers?filter[pickup_lfd][end]=2026-07-02&sort=pickup_lfd',
  'containers?filter[pod_eta_at][start]=2026-06-24&filter[pod_eta_at][end]=2026-06-25&sort=pod_eta_at',
  'containers?filter[has_holds]=true',
  'containers?filter[hold]=customs&filter[status]=available',
  'containers?filter[tags]=rare',
  'containers?filter[tags]=blue',
  'containers?filter[ref_number]=LOT{n}',
  'containers?filter[custom_fields][buyer]=buyer {n}',
  'containers?filter[updated_at][start]=2026-05-31T20:00:00Z',
  'containers?filter[number]=MSCU000{n}',
  'containers?sort=created_at',
  'containers?sort=-pod_eta_at',
  'containers?sort=pickup_lfd',
  'containers?sort=number',
  'shipments',
  'shipments?include=containers',
  'shipments?filter[status]=in_transit',
  'shipments?filter[status]=completed',
  'shipments?filter[scac]=ZIMU',
  'shipments?filter[port_of_discharge]=NLRTM',
  'shipments?filter[vessel]=9000077',
  'shipments?filter[tracking_stopped]=true',
  'shipments?filter[tags]=blue',
  'shipments?filter[ref_number]=PO-{n}',
  'shipments?number=SHA00000{n}',
  'shipments?q=SHA00000{n}',
  'shipments?sort=-updated_at',
  'shipments?sort=-pod_eta_at',
  'tracking_requests',
  'tracking_requests?filter[status]=failed',
  'tracking_requests?filter[scac]=ZIMU',
  'tracking_requests?filter[request_number]=SHA00000{n}',
  'tracking_requests?sort=-updated_at',
  'containers/{c}',
  'containers/{c}?include=shipment,pod_terminal',
  'shipments/{s}?include=containers',
  'search?query=MSCU000{n}',
]

interface Took {
  readonly p50: number
  readonly p99: number
}
interface Measured {
  readonly containers: number
  readonly bare: number
  readonly took: ReadonlyMap<string, Took>
}

const given = process.argv.slice(2).map(Number)
const sizes = given.length > 0 ? given : [10_000, 100_000, 1_000_000]
const measured: Measured[] = []
for (const size of sizes) measured.push(await measureAt(size))
report(measured)

async function measureAt(containers: number): Promise<Measured> {
  const installation = await openInstallation()
  const app = await openApi(installation.service)
  try {
    const [context, neighbour] = [await installation.newAccount(), await installation.newAccount()]
    const { service } = installation
    const startedAt = performance.now()
    await fillToScale(installation, [
      { accountId: context.account.id, containers },
      { accountId: neighbour.account.id, containers: Math.min(containers, 200_000) },
    ])
    progress(`  filled in ${Math.round((performance.now() - startedAt) / 1_000)} s`)
    const { key } = await createApiKey(service, {
      accountId: context.account.id,
      name: 'Benchmark',
      scopes: ['read'],
    })
    const ids = await pickIds(service.pool, context.account.id)
    const terminal = await service.pool.query<{ id: string }>(
      'select terminal_id as id from containers limit 1',
    )
    const took = new Map<string, Took>()
    const bares: number[] = []
    for (const path of asked) {
      const times: number[] = []
      for (let round = -5; round < samples; round += 1) {
        const at = (round + 5) % 200
        const url = path
          .replace('{c}', ids.containers[at] ?? '')
          .replace('{s}', ids.shipments[at] ?? '')
          .replace('{t}', terminal.rows[0]?.id ?? '')
          .replace('{n}', String(1_000 + ((at * 37) % 1_000)))
        const ms = await timed(() => ask(app, key, `/v2/${url}`))
        const bareMs = await timed(() => readBare(service.pool, context.account.id, ids.containers[at] ?? ''))
        if (round < 0) continue
        times.push(ms)
        bares.push(bareMs)
      }
      took.set(path, { p50: median(times), p99: percentile(times, 0.99) })
      progress(`  ${path}: p50 ${median(times).toFixed(1)} ms, p99 ${percentile(times, 0.99).toFixed(1)} ms`)
    }
    return { containers, bare: median(bares), took }
  } finally {
    await app.close()
    await installation.close()
  }
}

async function ask(app: FastifyInstance, key: string, url: string): Promise<void> {
  const answer = await app.inject({ url, headers: { authorization: `Token ${key}` } })
  if (answer.statusCode !== 200)
    throw new Error(`${url} answered ${answer.statusCode}: ${answer.body.slice(0, 300)}`)
}

async function readBare(pool: Pool, accountId: string, id: string): Promise<void> {
  const text = 'select number, status from containers where account_id = $1 and id = $2'
  await pool.query({ name: 'bench_point', text, values: [accountId, id] })
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

/** One line for each question: p50 and p99 at each size, then the last against the first and against a bare read. */
function report(all: readonly Measured[]): void {
  const [first, last] = [all[0], all.at(-1)]
  if (first === undefined || last === undefined) return
  const of = (each: Measured, path: string): Took =>
    each.took.get(path) ?? { p50: Number.NaN, p99: Number.NaN }
  const head = all.map(({ containers }) => `${containers.toLocaleString('en-US')} p50 / p99`)
  process.stdout.write(`| GET /v2/… | ${head.join(' | ')} | p50 ratio | p99 ratio | bare reads |\n`)
  process.stdout.write(`|---|${head.map(() => '---:|').join('')}---:|---:|---:|\n`)
  let flat = 0
  for (const path of asked) {
    const [small, large] = [of(first, path), of(last, path)]
    const [p50, p99] = [large.p50 / small.p50, large.p99 / small.p99]
    if (p50 <= ratioMax) flat += 1
    const cells = all.map((each) => `${of(each, path).p50.toFixed(1)} / ${of(each, path).p99.toFixed(1)}`)
    const bare = (large.p50 / last.bare).toFixed(0)
    process.stdout.write(
      `| ${path} | ${cells.join(' | ')} | ${p50.toFixed(2)} | ${p99.toFixed(2)} | ${bare} |\n`,
    )
  }
  const bare = all.map(({ bare }) => bare.toFixed(2)).join(', ')
  process.stdout.write(
    `\np50 within ${ratioMax} times: ${flat} of ${asked.length}. A bare read: ${bare} ms.\n`,
  )
}
