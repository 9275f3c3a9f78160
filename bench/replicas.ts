/** What it costs to read at a replica: a list there, with the question for the position of the log, beside the same list at the primary. */

import { openTestApi, type TestApi } from '../test/support/api.ts'
import { startReplicated } from '../test/support/replicated.ts'
import { testSecret } from '../test/support/service.ts'
import { alternate, type Figure, median, medianRatio, progress, spread } from './measure.ts'

const rounds = 7
const requests = 200
const rows = 200

export async function benchReplicas(): Promise<readonly Figure[]> {
  const servers = await startReplicated()
  const open = (env: Readonly<Record<string, string>>): Promise<TestApi> =>
    openTestApi({
      on: { database: { url: servers.primaryUrl, close: async () => {} }, secret: testSecret },
      env,
    })
  const plain = await open({})
  const replicated = await open({ DATABASE_REPLICA_URL: servers.replicaUrl })
  try {
    await fill(plain)
    await servers.caughtUp()
    return [await list(plain, replicated)]
  } finally {
    await replicated.close()
    await plain.close()
    await servers.close()
  }
}

async function fill({ call }: TestApi): Promise<void> {
  progress(`replicas: ${rows} parties`)
  for (let row = 0; row < rows; row += 1)
    await call({
      method: 'POST',
      url: '/v2/parties',
      body: { data: { type: 'party', attributes: { company_name: `Party ${row}` } } },
    })
}

/** One request after the other, so that it is the delay and not how much the processors do. */
async function p50(app: TestApi['app'], key: string): Promise<number> {
  const delaysMs: number[] = []
  for (let request = 0; request < requests; request += 1) {
    const startedAt = performance.now()
    const { statusCode } = await app.inject({
      url: '/v2/parties?page[size]=100',
      headers: { authorization: `Token ${key}` },
    })
    if (statusCode !== 200) throw new Error(`the list was answered with ${statusCode}`)
    delaysMs.push(performance.now() - startedAt)
  }
  return median(delaysMs)
}

async function list(plain: TestApi, replicated: TestApi): Promise<Figure> {
  progress(`replicas: ${requests} requests for a list of 100 a round`)
  const of = (api: TestApi) => () => p50(api.app, plain.key)
  const sides = await alternate(rounds, { ours: of(replicated), limit: of(plain) })
  const placed = /landfall_read_placed_total\{target="replica",reason="fresh"\} (\d+)/.exec(
    await replicated.service.metrics.write(),
  )
  return {
    bench: 'replicas',
    what: 'A list of 100 read at a replica, p50',
    unit: 'ms',
    figure: median(sides.ours),
    limit: { what: 'the same list at the primary, on the same processors', value: median(sides.limit) },
    ratio: medianRatio(sides),
    aim: 'at most 1.5 times as long',
    isMet: medianRatio(sides) <= 1.5,
    note: `${rounds} rounds of ${requests}, one at a time, ${placed?.[1] ?? 0} of them at the replica; ${spread(sides.ours)} against ${spread(sides.limit)}`,
    postgres: null,
  }
}
