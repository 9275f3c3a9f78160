/**
 * What it costs to read at a replica: a list there, with the check that it has the account's changes, beside the same
 * list at the primary; the check beside the smallest statement; and what counting a change adds to a commit.
 */

import { readChangeCounts } from '../src/store/ground/account-changes.ts'
import { openTestApi, type TestApi } from '../test/support/api.ts'
import { startReplicated } from '../test/support/replicated.ts'
import { testSecret } from '../test/support/service.ts'
import { alternate, type Figure, median, medianRatio, progress, secondsOf, spread } from './measure.ts'

const rounds = 7
const requests = 400
const checks = 4_000
const changes = 400
const hands = 8
const rows = 200

export async function benchReplicas(): Promise<readonly Figure[]> {
  const servers = await startReplicated()
  const open = (env: Readonly<Record<string, string>>): Promise<TestApi> =>
    openTestApi({
      on: { database: { url: servers.primaryUrl, close: async () => {} }, secret: testSecret },
      env,
    })
  // Opened first, so that nobody counts in it.
  const plain = await open({})
  const replicated = await open({ DATABASE_REPLICA_URL: servers.replicaUrl })
  try {
    await fill(plain)
    await servers.caughtUp()
    return [await list(plain, replicated), await check(plain, replicated), await commit(plain, replicated)]
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

async function inHands(count: number, work: (at: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const hand = async (): Promise<void> => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: hands }, hand))
}

const url = '/v2/parties?page[size]=100'

/** How many connections of the primary one request lends: each statement that is sent alone lends one. */
async function lentBy({ service, app }: TestApi, key: string): Promise<number> {
  let lent = 0
  const count = (): void => {
    lent += 1
  }
  service.pool.on('acquire', count)
  for (let request = 0; request < 10; request += 1) await ask(app, key)
  service.pool.off('acquire', count)
  return lent / 10
}

async function ask(app: TestApi['app'], key: string): Promise<void> {
  const { statusCode } = await app.inject({ url, headers: { authorization: `Token ${key}` } })
  if (statusCode !== 200) throw new Error(`the list was answered with ${statusCode}`)
}

async function list(plain: TestApi, replicated: TestApi): Promise<Figure> {
  progress(`replicas: ${requests} requests for a list of 100 a round`)
  const of = (api: TestApi) => async () =>
    requests / (await secondsOf(() => inHands(requests, () => ask(api.app, plain.key))))
  const sides = await alternate(rounds, { ours: of(replicated), limit: of(plain) })
  const [there, here] = [await lentBy(replicated, plain.key), await lentBy(plain, plain.key)]
  return {
    bench: 'replicas',
    what: `Lists read at a replica; ${there} statements at the primary for each, instead of ${here}`,
    unit: 'requests/s',
    figure: median(sides.ours),
    limit: { what: 'the same lists at the primary, on the same processors', value: median(sides.limit) },
    ratio: medianRatio(sides),
    aim: 'at least 0.6 of it, and one statement at the primary besides those of the key and the limits',
    isMet: medianRatio(sides) >= 0.6 && there < here,
    note: `${rounds} rounds of ${requests} requests, ${hands} at a time; ${spread(sides.ours)} against ${spread(sides.limit)}`,
    postgres: null,
  }
}

async function check(plain: TestApi, replicated: TestApi): Promise<Figure> {
  progress(`replicas: ${checks} checks a round`)
  const { pool } = replicated.service
  const accountId = plain.context.account.id
  const sides = await alternate(rounds, {
    ours: async () =>
      checks / (await secondsOf(() => inHands(checks, () => readChangeCounts(pool, accountId)))),
    limit: async () =>
      checks / (await secondsOf(() => inHands(checks, () => pool.query({ name: 'one', text: 'select 1' })))),
  })
  return {
    bench: 'replicas',
    what: 'Checks at the primary: what was changed for an account so far',
    unit: 'checks/s',
    figure: median(sides.ours),
    limit: { what: 'the statement `select 1`, over the same connections', value: median(sides.limit) },
    ratio: medianRatio(sides),
    aim: 'at least 0.5 of it',
    isMet: medianRatio(sides) >= 0.5,
    note: `${rounds} rounds of ${checks}, ${hands} at a time; ${spread(sides.ours)} against ${spread(sides.limit)}`,
    postgres: null,
  }
}

async function commit(plain: TestApi, replicated: TestApi): Promise<Figure> {
  progress(`replicas: ${changes} changes a round`)
  const [first] = (await plain.call({ url })).many()
  const of = (api: TestApi) => async () =>
    changes /
    (await secondsOf(() =>
      inHands(changes, async (at) => {
        const { statusCode } = await api.app.inject({
          method: 'PATCH',
          url: `/v2/parties/${first?.id}`,
          headers: { authorization: `Token ${plain.key}`, 'content-type': 'application/vnd.api+json' },
          payload: JSON.stringify({ data: { attributes: { company_name: `Party ${at}` } } }),
        })
        if (statusCode !== 200) throw new Error(`the change was answered with ${statusCode}`)
      }),
    ))
  const sides = await alternate(rounds, { ours: of(replicated), limit: of(plain) })
  return {
    bench: 'replicas',
    what: 'Changes of one row by requests, counted for replicas',
    unit: 'changes/s',
    figure: median(sides.ours),
    limit: { what: 'the same changes, not counted', value: median(sides.limit) },
    ratio: medianRatio(sides),
    aim: 'at least 0.7 of it',
    isMet: medianRatio(sides) >= 0.7,
    note: `${rounds} rounds of ${changes}, ${hands} at a time; the servers do not sync; ${spread(sides.ours)} against ${spread(sides.limit)}`,
    postgres: null,
  }
}
