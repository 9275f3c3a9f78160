// The workers that receive positions: one process at a time, from the radio of the sandbox's ships to positions in the
// database.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { startSandbox } from '../../../sandbox/server.ts'
import { type FeedContext, nameFeeds } from '../../../src/connectors/ais/feed.ts'
import { openNmeaFeed } from '../../../src/connectors/ais/nmea-feed.ts'
import { isReady } from '../../../src/modules/installation/is-ready.ts'
import type { Service } from '../../../src/modules/service.ts'
import { listFeedSources, reportSilentFeeds } from '../../../src/modules/sources/position-feeds.ts'
import { foldBy } from '../../../src/pipeline/ledger/fold.ts'
import { readRules } from '../../../src/pipeline/ledger/rules.ts'
import { noAisCounts } from '../../../src/pipeline/positions/ais-counts.ts'
import { type FeedEnvironment, feedEnvironmentsOf } from '../../../src/pipeline/positions/feed-environments.ts'
import { listFeedStates } from '../../../src/pipeline/positions/feed-states-sql.ts'
import { forgetFeeds } from '../../../src/pipeline/positions/forget-feeds.ts'
import { listenToFeeds } from '../../../src/pipeline/positions/listen-to-feeds.ts'
import { readConfig } from '../../../src/platform/config.ts'
import { eventually } from '../../support/eventually.ts'
import { openTestService } from '../../support/service.ts'
import { identity, position } from './positions-harness.ts'

const atSea = { latitude: 34.9, longitude: -125.4 }

/** A feed that sends what a test wants, to every listener. */
function openTestFeed(): { readonly world: FeedEnvironment; readonly listeners: Set<FeedContext> } {
  const listeners = new Set<FeedContext>()
  const listen = async (context: FeedContext): Promise<void> => {
    listeners.add(context)
    await new Promise<void>((done) => context.signal.addEventListener('abort', () => done(), { once: true }))
    listeners.delete(context)
  }
  return { world: { isSandbox: false, feeds: [{ name: 'nmea', listen }] }, listeners }
}

function listen(t: TestContext, service: Service, world: FeedEnvironment) {
  const stopping = new AbortController()
  const counts = noAisCounts()
  const done = listenToFeeds(service, world, {
    fold: foldBy(readRules(service.config)),
    counts,
    signal: stopping.signal,
  })
  const stop = async (): Promise<void> => {
    stopping.abort()
    await done
  }
  t.after(stop)
  return { stop, counts }
}

const stored = async ({ pool }: Service): Promise<number> =>
  Number((await pool.query<{ count: string }>('select count(*) from vessel_positions')).rows[0]?.count)

test('opens only the position feeds that are configured', () => {
  const worlds = (env: Record<string, string>, sandboxUrl: string | null = null) =>
    feedEnvironmentsOf(readConfig(env), sandboxUrl).map(({ isSandbox, feeds }) => [
      isSandbox,
      feeds.map(({ name }) => name),
    ])
  assert.deepEqual(worlds({}), [])
  assert.deepEqual(worlds({ LANDFALL_AISSTREAM_KEY: 'a-long-key' }), [[false, ['aisstream']]])
  assert.deepEqual(worlds({ LANDFALL_AIS_NMEA: 'ais.example:5631,[2001:db8::1]:10110' }), [[false, ['nmea', 'nmea']]])
  assert.deepEqual(worlds({ LANDFALL_SANDBOX_AIS_PORT: '3010' }, 'http://127.0.0.1:3002'), [
    [true, ['aisstream', 'nmea']],
  ])
  const several = {
    LANDFALL_AISSTREAM_KEY: 'a-long-key',
    LANDFALL_AISSTREAM_URL: 'wss://stream.aisstream.io/v0/stream, ws://192.0.2.1/own',
    LANDFALL_AIS_NMEA: 'ais.example:5631',
    LANDFALL_AIS_NMEA_UDP: '192.0.2.2:10110',
    LANDFALL_AIS_DIGITRAFFIC: 'https://meri.digitraffic.fi',
  }
  assert.deepEqual(worlds(several), [[false, ['aisstream', 'aisstream', 'nmea', 'nmea', 'digitraffic']]])
  const [real] = feedEnvironmentsOf(readConfig(several), null)
  assert.deepEqual(nameFeeds(real?.feeds ?? []), ['aisstream', 'aisstream-2', 'nmea', 'nmea-2', 'digitraffic'])
  for (const wrong of [
    { LANDFALL_AIS_NMEA: 'nowhere' },
    { LANDFALL_AIS_BOXES: '1,2,0,3' },
    { LANDFALL_AIS_BOXES: 'x' },
  ]) {
    assert.throws(() => readConfig(wrong), /LANDFALL_AIS_(NMEA|BOXES) accepts/)
  }
})

test('one of two processes listens and the other takes over when it ends; a position is stored once', async (t) => {
  const opened = await openTestService({ env: { LANDFALL_AIS_VESSELS: 'all' } })
  t.after(opened.close)
  const { service } = opened
  const { world, listeners } = openTestFeed()
  const first = listen(t, service, world)
  await eventually(() => listeners.size === 1)
  const second = listen(t, service, world)
  // The second has requested the lease and was refused.
  await eventually(async () => (await service.pool.query('select 1 from feed_leases')).rowCount === 1)
  assert.equal(listeners.size, 1)
  const say = (at: string): void => {
    for (const { ears } of listeners) {
      ears.ingest(identity(), 'nmea')
      ears.ingest(position(at, atSea, { speedKnots: 18 }), 'nmea')
    }
  }
  say('2026-01-01T00:00:00Z')
  await eventually(async () => (await stored(service)) === 1)
  await first.stop()
  await eventually(() => listeners.size === 1)
  say('2026-01-01T00:05:00Z')
  say('2026-01-01T00:15:00Z')
  await eventually(async () => second.counts.reports === 4)
  await second.stop()
  assert.equal(await stored(service), 2, 'the second one is too close to the first')
})

test('stores positions of sandbox ships as sandbox data, whichever feed sends them', async (t) => {
  const opened = await openTestService({ env: { LANDFALL_AIS_VESSELS: 'all' } })
  t.after(opened.close)
  const epoch = Date.parse('2025-12-01T00:00:00Z')
  let now = opened.clock.now()
  const sandbox = await startSandbox({
    port: 0,
    host: '127.0.0.1',
    seed: 7,
    epoch,
    now: () => now,
    nmeaPort: 0,
  })
  t.after(() => sandbox.close())
  const numbers = (await (
    await fetch(`${sandbox.url}/sandbox/numbers?stage=sailing&kind=bill_of_lading&limit=3`)
  ).json()) as { scac: string; number: string }[]
  for (const { scac, number } of numbers) {
    await fetch(`${sandbox.url}/${scac.toLowerCase()}/v2/events?transportDocumentReference=${number}`)
  }
  const config = readConfig({
    LANDFALL_AIS_VESSELS: 'all',
    LANDFALL_SANDBOX_AIS_PORT: String(sandbox.nmeaPort),
  })
  const [world] = feedEnvironmentsOf(config, sandbox.url)
  assert.ok(world !== undefined)
  const sources = async (): Promise<readonly string[]> =>
    (
      await opened.service.pool.query<{ source: string }>('select distinct source from vessel_positions order by 1')
    ).rows.map(({ source }) => source)
  for (const feed of world.feeds) {
    const listening = listen(t, opened.service, { ...world, feeds: [feed] })
    await eventually(async () => {
      now += 600_000
      opened.clock.set(now)
      sandbox.tick()
      return (await sources()).includes(feed.name)
    })
    await listening.stop()
  }
  const { rows } = await opened.service.pool.query<{ is_fiction: boolean }>(
    'select distinct is_fiction from vessel_positions',
  )
  assert.deepEqual(rows, [{ is_fiction: true }])
})

test('an open socket that is mute is a fault for the operator until positions come, and is shown to accounts', async (t) => {
  const opened = await openTestService()
  t.after(opened.close)
  const { service, clock } = opened
  const sockets: Socket[] = []
  const receiver = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    receiver.close()
  })
  const { port } = receiver.address() as AddressInfo
  const feeds = [openNmeaFeed({ host: '127.0.0.1', port, idleMs: 3_600_000 })]
  const { stop } = listen(t, service, { isSandbox: false, feeds })
  const state = async () => (await listFeedStates(service.pool, false))[0]
  await eventually(async () => (await state())?.connectedAt != null)
  await reportSilentFeeds(service)
  assert.deepEqual(service.operatorIssues.active(), [])
  clock.advance(16 * 60_000)
  await eventually(async () => (await state())?.silentSince != null)
  await reportSilentFeeds(service)
  assert.deepEqual(service.operatorIssues.active(), ['feed_silent'])
  assert.deepEqual((await isReady(service)).troubles, ['feed_silent'])
  const [source] = await listFeedSources(service, false)
  assert.equal(source?.name, 'Positions of ships (nmea)')
  assert.match(source?.trouble ?? '', /^nmea: connected, but nothing or almost nothing has come since /)
  await eventually(async () => {
    // Again and again, to the connection of now, and with time to read it: the clock runs on while a busy machine reads.
    sockets.at(-1)?.write('!AIVDM,1,1,,B,177KQJ5000G?tO`K>RA1wUbN0TKH,0*5C\r\n')
    await setTimeout(50)
    clock.advance(15_000)
    return (await state())?.silentSince === null
  })
  await reportSilentFeeds(service)
  assert.deepEqual(service.operatorIssues.active(), [])
  await stop()
  clock.advance(6 * 60_000)
  await reportSilentFeeds(service)
  assert.deepEqual(service.operatorIssues.active(), ['feed_silent'], 'no process listens any more')
  await forgetFeeds(service, [])
  await reportSilentFeeds(service)
  assert.deepEqual(service.operatorIssues.active(), [], 'the feed is no longer in the settings')
})
