/** How many statements many events and many readers need. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { openTestApi, type TestApi } from '../../support/api.ts'
import { atScale } from '../../support/scale.ts'
import { announce, arrived } from '../../support/webhooks-harness.ts'
import { listen, openStream, readPages } from './events-reader.ts'

let api: TestApi
let base: string
before(async () => {
  api = await openTestApi({ env: { LANDFALL_FEED_STREAMS_MAX: '100', LANDFALL_LOG_LEVEL: 'silent' } })
  base = await listen(api)
})
after(() => api.close())

test('reads pages of a thousand events with a few statements each', async (t) => {
  const context = await api.newAccount()
  const key = await api.newKey(context, ['read'])
  const total = atScale(20_000)
  await api.service.pool.query(
    `insert into events (account_id, id, sequence, name, reference_type, reference_id, shipment_id, payload, created_at)
     select $1, gen_random_uuid(), n, $2, 'transport_event', gen_random_uuid(), gen_random_uuid(), '{}', now()
       from generate_series(1, $3) n`,
    [context.account.id, arrived, total],
  )
  await api.service.pool.query('insert into event_counters values ($1, $2)', [context.account.id, total])
  const { mock } = t.mock.method(pg.Client.prototype, 'query')
  const read = await readPages(base, { key, query: '?limit=1000', last: () => total })
  assert.equal(read.length, total)
  assert.ok(mock.callCount() <= (total / 1_000) * 15, `${mock.callCount()} statements`)
})

test('a hundred streams of an account each get every event from one shared read', async (t) => {
  const context = await api.newAccount()
  const key = await api.newKey(context, ['read'])
  const streams = await Promise.all(Array.from({ length: 100 }, () => openStream(base, { key })))
  t.after(() => {
    for (const stream of streams) stream.leave()
  })
  const hear = async (): Promise<void> => {
    const [id] = await announce(api.service, context, [arrived])
    const received = await Promise.all(streams.map((stream) => stream.next()))
    assert.deepEqual([...new Set(received.map(({ document }) => document.data.id))], [id])
  }
  await hear()
  const { mock } = t.mock.method(pg.Client.prototype, 'query')
  for (let round = 0; round < 10; round += 1) await hear()
  assert.ok(mock.callCount() <= 10 * 60, `${mock.callCount()} statements`)
})
