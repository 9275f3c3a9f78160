/** One account cannot use all connections, nor one of them for long. Other accounts are answered in the meantime. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { callerOf } from '../../src/api/callers/request-caller.ts'
import { onBehalfOf, openConnectionShares, ShareExhausted } from '../../src/db/account-shares.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { connect, openTestMcp } from '../support/mcp.ts'

/**
 * A route that keeps a connection busy until the test ends it. It has a body, because after reading a body the
 * asynchronous context of the request is lost.
 */
const sleeper = (app: TestApi['app']): void => {
  app.post<{ Params: { seconds: string } }>('/v2/planted_sleep/:seconds', async (request, reply) => {
    const { service } = callerOf(request)
    await service.pool.query({ text: 'select pg_sleep($1)', values: [request.params.seconds] })
    return reply.send('{}')
  })
}
const sleep = async (api: TestApi, seconds: number | string, key = api.key) => {
  const answer = await api.app.inject({
    method: 'POST',
    url: `/v2/planted_sleep/${seconds}`,
    headers: { authorization: `Token ${key}`, 'content-type': 'application/json' },
    payload: '{}',
  })
  return { status: answer.statusCode, retryAfter: answer.headers['retry-after'], text: answer.body }
}
const asleep = async (api: TestApi): Promise<number> => {
  const { rows } = await api.service.pool.query<{ count: number }>(
    `select count(*) as count from pg_stat_activity
      where state = 'active' and query like 'select pg_sleep%' and datname = current_database()`,
  )
  return rows[0]?.count ?? 0
}

describe('when each account may use at most two of eight database connections', () => {
  let api: TestApi
  before(async () => {
    api = await openTestApi({
      env: { LANDFALL_ACCOUNT_CONNECTIONS_MAX: '2', LANDFALL_REQUEST_STATEMENT_MS: '6000' },
      plant: sleeper,
    })
    await api.call({ url: '/v2/shipments' })
  })
  after(() => api.close())

  test('requests of other accounts are served at once while twelve requests of one account wait', async () => {
    const strangers = [await api.newAccount(), await api.newAccount()]
    const keys = await Promise.all(strangers.map((context) => api.newKey(context, ['read', 'write'])))
    const all = Promise.all(Array.from({ length: 12 }, () => sleep(api, 0.3)))
    const other = sleep(api, 1.5, keys[1])
    let [most, isOver] = [0, false]
    void Promise.all([all, other]).then(() => {
      isOver = true
    })
    for (let check = 0; check < 5 || (most < 3 && !isOver); check += 1) {
      await pause(150)
      most = Math.max(most, await asleep(api))
      assert.equal((await api.call({ url: '/v2/shipments', key: keys[0] ?? '' })).status, 200)
    }
    assert.equal(most, 3, 'two of the first, one of the other')
    assert.deepEqual([...new Set((await all).map(({ status }) => status))], [200])
    assert.equal((await other).status, 200)
  })

  test('a request that waits too long is 429 with Retry-After, and the connections are free again afterwards', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => sleep(api, 4)))
    const refused = answers.filter(({ status }) => status === 429)
    assert.equal(refused.length, 2, JSON.stringify(answers))
    assert.equal(answers.filter(({ status }) => status === 200).length, 4)
    assert.equal(refused[0]?.retryAfter, '5')
    assert.match(refused[0]?.text ?? '', /"code":"rate_limited".*database connections/)
    assert.equal((await sleep(api, 0)).status, 200)
  })

  test('a failed or cancelled statement releases its connection', async () => {
    for (const seconds of ['none', 9, 'none', 9]) assert.notEqual((await sleep(api, seconds)).status, 200)
    assert.equal((await sleep(api, 0)).status, 200)
  })
})

describe('a slow statement', () => {
  let api: TestApi
  before(async () => {
    api = await openTestApi({ env: { LANDFALL_REQUEST_STATEMENT_MS: '300' } })
    await api.call({ url: '/v2/shipments' })
  })
  after(() => api.close())

  /** Simulates a slow statement: nobody can read shipments until `work` is done. */
  const whileDear = async <T>(work: () => Promise<T>): Promise<T> => {
    const client = await api.service.pool.connect()
    try {
      await client.query('begin')
      await client.query('lock table shipments in access exclusive mode')
      return await work()
    } finally {
      await client.query('rollback')
      client.release()
    }
  }

  test('of a request is cancelled with 503, and the error names the expensive parameters', async () => {
    const answer = await whileDear(() =>
      api.call({ url: '/v2/shipments?page[size]=1&q=MSKU&sort=created_at&include=containers' }),
    )
    assert.equal(answer.status, 503)
    assert.equal(answer.error().code, 'took_too_long')
    assert.deepEqual(answer.error().source, { parameter: 'q' })
    assert.match(answer.error().detail, /`q`, `sort`, `include`, `page\[size\]`/)
    assert.equal(answer.headers['retry-after'], '30')
    const bare = await whileDear(() => api.call({ url: '/v2/shipments' }))
    assert.match(bare.error().detail, /a filter/)
    assert.equal((await api.call({ url: '/v2/shipments' })).status, 200)
  })

  test('of an MCP tool is cancelled too, and the tool reports it in a sentence', async () => {
    const mcp = await openTestMcp(api)
    const client = await connect(mcp.url, { authorization: `Token ${api.key}` })
    try {
      const result = await whileDear(() => client.callTool({ name: 'list_shipments', arguments: {} }))
      assert.equal(result.isError, true)
      assert.match(JSON.stringify(result.content), /took too long.*Try again in 30 seconds/)
    } finally {
      await client.close()
      await mcp.close()
    }
  })

  test('outside a request may run longer', async () => {
    const { rows } = await api.service.pool.query(`select pg_sleep(0.6), 1 as done`)
    assert.equal(rows[0]?.done, 1)
    await assert.rejects(
      onBehalfOf(api.context.account.id, () => api.service.pool.query('select pg_sleep(0.6)')),
      { code: '57014' },
    )
    for (let round = 0; round < 10; round += 1) await api.service.pool.query(`select pg_sleep(0.4)`)
  })
})

test('connections are given out first come, first served, and accounts do not wait for each other', async () => {
  const shares = openConnectionShares({ connectionsMax: 1, waitMs: 5_000 })
  const order: string[] = []
  const take = async (name: string) => {
    const giveBack = await shares.take('a')
    order.push(name)
    return giveBack
  }
  const first = await take('first')
  const [second, third] = [take('second'), take('third')]
  ;(await shares.take('b'))()
  assert.deepEqual(order, ['first'])
  first()
  first()
  const giveBack = await second
  assert.deepEqual(order, ['first', 'second'], 'a place that is given back twice is one')
  giveBack()
  ;(await third)()
  const hasty = openConnectionShares({ connectionsMax: 1, waitMs: 50 })
  const held = await hasty.take('a')
  await assert.rejects(hasty.take('a'), ShareExhausted)
  held()
  ;(await hasty.take('a'))()
})
