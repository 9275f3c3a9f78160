/** How fast a reader catches up with the feed, page by page, and how soon a hundred streams get an event. */

import { once } from 'node:events'
import { type ClientRequest, request } from 'node:http'
import type { Context } from '../src/modules/access/context.ts'
import { createApiKey } from '../src/modules/api-keys/create-api-key.ts'
import { numberEvents } from '../src/pipeline/event-sequence/number-events.ts'
import { createApiApp } from '../src/server/app.ts'
import { readPages } from '../test/modules/events/events-reader.ts'
import { type Installation, openInstallation } from './installation.ts'
import { type Figure, median, percentile, progress, secondsOf, spread } from './measure.ts'

const rounds = 5
const events = 20_000
const page = 1_000
const streams = 100
const heardRounds = 50
const name = 'container.transport.vessel_arrived'

export async function benchFeed(): Promise<readonly Figure[]> {
  const installation = await openInstallation()
  const service = {
    ...installation.service,
    config: {
      ...installation.service.config,
      server: { ...installation.service.config.server, feedStreamsMax: streams },
    },
  }
  const app = await createApiApp(service)
  try {
    const base = await app.listen({ host: '127.0.0.1', port: 0 })
    return [await measurePages(installation, base), await measureStreams({ ...installation, service }, base)]
  } finally {
    await app.close()
    await installation.close()
  }
}

async function newReader({ service, newAccount }: Installation): Promise<{ context: Context; key: string }> {
  const context = await newAccount()
  const account = { accountId: context.account.id, name: 'Benchmark', scopes: ['read'] } as const
  return { context, key: (await createApiKey(service, account)).key }
}

async function write({ service }: Installation, context: Context, count: number): Promise<void> {
  await service.pool.query(
    `insert into events (account_id, id, name, reference_type, reference_id, shipment_id, payload, created_at)
     select $1, gen_random_uuid(), $2, 'transport_event', gen_random_uuid(), gen_random_uuid(), '{}', now()
       from generate_series(1, $3)`,
    [context.account.id, name, count],
  )
  if ((await numberEvents(service)) !== count) throw new Error('they were not all numbered')
}

async function measurePages(installation: Installation, base: string): Promise<Figure> {
  progress(`feed: ${events} events in pages of ${page}`)
  const { context, key } = await newReader(installation)
  await write(installation, context, events)
  const rates: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const seconds = await secondsOf(async () => {
      const read = await readPages(base, { key, query: `?limit=${page}`, last: () => events })
      if (read.length !== events) throw new Error(`${read.length} events were read`)
    })
    rates.push(events / seconds)
  }
  const figure = median(rates)
  return {
    bench: 'feed',
    what: `Events taken by one reader in pages of ${page}`,
    unit: 'events/s',
    figure,
    limit: null,
    ratio: null,
    aim: 'more than 1,000 events/s',
    isMet: figure > 1_000,
    note: `${rounds} rounds of ${events}; ${spread(rates)}; reader and server in one process`,
    postgres: installation.postgres,
  }
}

/** Measures from before the event is written and numbered until its client has it. */
async function measureStreams(installation: Installation, base: string): Promise<Figure> {
  progress(`feed: ${streams} streams of one account, ${heardRounds} events`)
  const { context, key } = await newReader(installation)
  let heardAt: number[] = []
  let allHeard: () => void = () => {}
  const hear = (): void => {
    heardAt.push(performance.now())
    if (heardAt.length === streams) allHeard()
  }
  const opened = await Promise.all(Array.from({ length: streams }, () => openStream(base, key, hear)))
  const delays: number[] = []
  for (let round = 0; round < heardRounds; round += 1) {
    heardAt = []
    const all = new Promise<void>((resolve) => {
      allHeard = resolve
    })
    const startedAt = performance.now()
    await write(installation, context, 1)
    await all
    delays.push(...heardAt.map((at) => at - startedAt))
  }
  for (const each of opened) each.destroy()
  const figure = percentile(delays, 0.99)
  return {
    bench: 'feed',
    what: `p99 from before an event is written and numbered to the client of each of ${streams} streams`,
    unit: 'ms',
    figure,
    limit: null,
    ratio: null,
    aim: 'less than 1,000 ms',
    isMet: figure < 1_000,
    delaysMs: delays,
    note: `${heardRounds} events; median ${median(delays).toFixed(1)} ms; clients and server in one process`,
    postgres: installation.postgres,
  }
}

async function openStream(base: string, key: string, hear: () => void): Promise<ClientRequest> {
  const headers = { authorization: `Token ${key}`, accept: 'text/event-stream' }
  const sent = request(`${base}/v2/events`, { agent: false, headers })
  sent.on('error', () => {})
  sent.end()
  const [response] = await once(sent, 'response')
  await new Promise<void>((resolve) => {
    response.on('error', () => {})
    response.on('data', (chunk: Buffer) => {
      if (chunk.includes('retry: ')) resolve()
      if (chunk.includes('\ndata: ')) hear()
    })
  })
  return sent
}
