import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, test } from 'node:test'
import { announce, arrived } from '../service/webhooks-harness.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { listen, readPages } from './events-reader.ts'

let api: TestApi
let base: string
before(async () => {
  api = await openTestApi({ env: { LANDFALL_FEED_STREAMS_MAX: '100', LANDFALL_LOG_LEVEL: 'silent' } })
  base = await listen(api)
})
after(() => api.close())

test('one reader takes more than a thousand events a second in pages of 1000', async () => {
  const context = await api.newAccount()
  const key = await api.newKey(context, ['read'])
  const total = 20_000
  await api.service.pool.query(
    `insert into events (account_id, id, sequence, name, reference_type, reference_id, shipment_id, payload, created_at)
     select $1, gen_random_uuid(), n, $2, 'transport_event', gen_random_uuid(), gen_random_uuid(), '{}', now()
       from generate_series(1, $3) n`,
    [context.account.id, arrived, total],
  )
  await api.service.pool.query('insert into event_counters values ($1, $2)', [context.account.id, total])
  const startedAt = performance.now()
  const read = await readPages(base, { key, query: '?limit=1000', last: () => total })
  const perSecond = Math.round((total * 1_000) / (performance.now() - startedAt))
  assert.equal(read.length, total)
  console.log(`# ${perSecond} events a second through the feed in pages of 1000`)
  assert.ok(perSecond > 1_000, `${perSecond} a second`)
})

test('a hundred streams hear of an event within a second of its numbering', async () => {
  const context = await api.newAccount()
  const key = await api.newKey(context, ['read'])
  const clients = 100
  const rounds = 50
  let heardAt: number[] = []
  let allHeard: () => void = () => {}
  const opened = await Promise.all(
    Array.from({ length: clients }, async () => {
      const sent = request(`${base}/v2/events`, {
        agent: false,
        headers: { authorization: `Token ${key}`, accept: 'text/event-stream' },
      })
      sent.on('error', () => {})
      await new Promise<void>((resolve) => {
        sent.once('response', (response) => {
          response.on('data', (chunk: Buffer) => {
            if (chunk.includes('retry: ')) resolve()
            if (!chunk.includes('\ndata: ')) return
            heardAt.push(performance.now())
            if (heardAt.length === clients) allHeard()
          })
          response.on('error', () => {})
        })
        sent.end()
      })
      return sent
    }),
  )
  const delays: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    heardAt = []
    const all = new Promise<void>((resolve) => {
      allHeard = resolve
    })
    const startedAt = performance.now()
    await announce(api.service, context, [arrived])
    await all
    delays.push(...heardAt.map((at) => at - startedAt))
  }
  for (const sent of opened) sent.destroy()
  delays.sort((a, b) => a - b)
  const at = (share: number) => Math.round((delays[Math.floor(delays.length * share)] ?? 0) * 10) / 10
  console.log(
    `# ${clients} streams in the server's own process: from before an event is written and numbered to its client, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`,
  )
  assert.equal(delays.length, clients * rounds)
  assert.ok(at(0.99) < 1_000)
})
