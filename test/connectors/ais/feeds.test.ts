// Both feeds over real connections on loopback: a broken connection is opened again, invalid data is counted, and no
// error is fatal.
import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { type WebSocket, WebSocketServer } from 'ws'
import { openAisStream } from '../../../src/connectors/ais/aisstream-feed.ts'
import { openDigitrafficFeed } from '../../../src/connectors/ais/digitraffic-feed.ts'
import type { AisFeed } from '../../../src/connectors/ais/feed.ts'
import { openNmeaFeed } from '../../../src/connectors/ais/nmea-feed.ts'
import { patience as usual, waitMs } from '../../../src/connectors/ais/reconnect.ts'
import type { AisIssueKind, AisReport } from '../../../src/connectors/ais/report.ts'
import { createEgress } from '../../../src/platform/egress.ts'

const patience = { firstMs: 1, maxMs: 5 }
const now = () => Date.parse('2026-01-06T14:30:00Z')
const sentence = '!AIVDM,1,1,,B,177KQJ5000G?tO`K>RA1wUbN0TKH,0*5C\r\n'
const message = JSON.stringify({
  MessageType: 'PositionReport',
  MetaData: {},
  Message: { PositionReport: { UserID: 259000420, Latitude: 66, Longitude: 12, Sog: 7, Cog: 30 } },
})

interface Heard {
  readonly reports: AisReport[]
  readonly issues: AisIssueKind[]
  readonly news: string[]
  readonly until: (condition: () => boolean) => Promise<void>
  readonly stop: () => Promise<void>
}

function listen(
  t: TestContext,
  feed: AisFeed,
  options: { readonly allowLoopback?: boolean; readonly networks?: readonly string[] } = {},
): Heard {
  const [reports, issues, news]: [AisReport[], AisIssueKind[], string[]] = [[], [], []]
  const stopping = new AbortController()
  let ring: () => void = () => {}
  const noting =
    <Item>(list: Item[]) =>
    (item: Item): void => {
      list.push(item)
      ring()
    }
  const done = feed.listen({
    egress: createEgress({ allowedNetworks: options.networks ?? [], allowLoopback: options.allowLoopback ?? true }),
    now,
    random: () => 0,
    signal: stopping.signal,
    ears: {
      ingest: noting(reports),
      count: noting(issues),
      note: (told) => noting(news)(told.is === 'open' ? 'open' : told.why),
    },
  })
  const stop = async (): Promise<void> => {
    stopping.abort()
    await done
  }
  t.after(stop)
  return {
    reports,
    issues,
    news,
    stop,
    until: async (condition) => {
      while (!condition()) await new Promise<void>((resolve) => (ring = resolve))
    },
  }
}

async function openReceiver(t: TestContext, serve: (socket: Socket, count: number) => void): Promise<number> {
  let count = 0
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    count += 1
    serve(socket, count)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

async function openNetwork(
  t: TestContext,
  serve: (socket: WebSocket, subscription: Record<string, unknown>, count: number) => void,
): Promise<string> {
  let count = 0
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  server.on('connection', (socket) => {
    count += 1
    const number = count
    socket.on('error', () => {})
    socket.once('message', (data) => serve(socket, JSON.parse(String(data)), number))
  })
  t.after(() => {
    for (const client of server.clients) client.terminate()
    server.close()
  })
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}/v0/stream`
}

test('an NMEA feed reconnects to a receiver that hangs up, sends invalid data or falls silent', async (t) => {
  const port = await openReceiver(t, (socket, count) => {
    if (count === 1) return socket.end(sentence)
    if (count === 2) return socket.end(`HTTP/1.1 400 Bad Request\r\n\r\n<html>\r\n${'z'.repeat(5_000)}\r\n`)
    if (count === 3) return socket.write(sentence)
    return socket.end(sentence)
  })
  const received = listen(t, openNmeaFeed({ host: '127.0.0.1', port, patience, idleMs: 30 }))
  await received.until(() => received.reports.length >= 3 && received.issues.includes('oversized'))
  await received.stop()
  assert.ok(received.issues.includes('garbage'))
  assert.ok(received.news.includes('no message came before the timeout'))
  assert.ok(received.news.includes('closed by the other side'))
})

test('the AISStream feed subscribes with key and bounding boxes, and again after the connection is closed', async (t) => {
  const subscriptions: Record<string, unknown>[] = []
  const url = await openNetwork(t, (socket, subscription, count) => {
    subscriptions.push(subscription)
    socket.send(message)
    socket.send('no JSON')
    if (count === 1) socket.close(1011)
  })
  const areas = [{ south: 33, west: -119, north: 34, east: -118 }]
  const received = listen(
    t,
    openAisStream({ url, apiKey: 'a key', boundingBoxes: areas, mmsi: ['259000420'], patience }),
  )
  await received.until(() => received.reports.length === 2 && received.issues.length === 2)
  await received.stop()
  assert.deepEqual(subscriptions[1], subscriptions[0])
  assert.equal(subscriptions[0]?.['APIKey'], 'a key')
  assert.deepEqual(subscriptions[0]?.['FiltersShipMMSI'], ['259000420'])
  assert.deepEqual(received.news, ['open', 'closed with 1011', 'open'])
  assert.deepEqual(received.issues, ['garbage', 'garbage'])
})

test('the AISStream feed reports an error message of AISStream, without the key', async (t) => {
  const url = await openNetwork(t, (socket) => socket.send('{"error":"Api Key Is Not Valid"}'))
  const received = listen(t, openAisStream({ url, apiKey: 'a secret key', boundingBoxes: [], mmsi: [], patience }))
  await received.until(() => received.news.length >= 2)
  assert.equal(received.news[1], 'the server says: Api Key Is Not Valid')
  assert.ok(!received.news.join().includes('a secret key'))
})

test('the AISStream feed counts a report from the future and does not use it', async (t) => {
  const ahead = message.replace('"MetaData":{}', '"MetaData":{"time_utc":"2026-01-06 15:30:00 +0000 UTC"}')
  const url = await openNetwork(t, (socket) => socket.send(ahead))
  const received = listen(t, openAisStream({ url, apiKey: 'key', boundingBoxes: [], mmsi: [], patience }))
  await received.until(() => received.issues.length === 1)
  assert.deepEqual([received.issues, received.reports], [['bad_time'], []])
})

test('the NMEA feed takes datagrams of its sender, with and without line ends', async (t) => {
  const probe = createSocket('udp4').bind(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address()
  probe.close()
  await once(probe, 'close')
  const received = listen(t, openNmeaFeed({ host: '127.0.0.1', port, isUdp: true, patience }))
  await received.until(() => received.news.length === 1)
  const sender = createSocket('udp4')
  t.after(() => sender.close())
  for (const text of [sentence, sentence.trim(), 'noise']) sender.send(text, port, '127.0.0.1')
  await received.until(() => received.reports.length === 2 && received.issues.length === 1)
  const stranger = listen(t, openNmeaFeed({ host: '192.0.2.7', port: port + 1, isUdp: true, patience }), {
    networks: ['192.0.2.7/32'],
  })
  await stranger.until(() => stranger.news.length === 1)
  sender.send(sentence, port + 1, '127.0.0.1')
  sender.send(sentence, port, '127.0.0.1')
  await received.until(() => received.reports.length === 3)
  assert.deepEqual(stranger.reports, [], 'another host is not heard')
})

test('the Digitraffic feed asks which ship each radio is aboard, then for positions since the last answer', async (t) => {
  const asked: string[] = []
  const timestamp = now() - 5_000
  const vessels = [{ mmsi: 230145250, name: 'FINNSHIP', imo: 9468891, callSign: 'OJQK', timestamp, draught: 70 }]
  const feature = (mmsi: number, sog: number) => ({
    mmsi,
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [20.345, 59.102] },
    properties: { mmsi, sog, cog: 346.5, heading: 79, timestamp: 59, timestampExternal: timestamp },
  })
  const server = createHttpServer(({ url = '' }, response) => {
    asked.push(url.replace(/from=\d+/, (from) => `from=${(now() - Number(from.slice(5))) / 60_000} min`))
    const features = [feature(230145250, 12.4), feature(230145251, 102.3), 'no feature']
    if (asked.length > 3) response.statusCode = 503
    response.end(JSON.stringify(url.includes('vessels') ? vessels : { type: 'FeatureCollection', features }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const received = listen(t, openDigitrafficFeed({ url: `http://127.0.0.1:${port}`, patience, everyMs: 1 }))
  await received.until(() => received.news.length >= 2)
  await received.stop()
  assert.deepEqual(asked.slice(0, 3), [
    '/api/ais/v1/vessels?from=60 min',
    '/api/ais/v1/locations?from=60 min',
    '/api/ais/v1/locations?from=1 min',
  ])
  const heardAt = new Date(timestamp).toISOString()
  assert.deepEqual(received.reports.slice(0, 2), [
    { kind: 'identity', mmsi: '230145250', heardAt, imo: '9468891', name: 'FINNSHIP', callSign: 'OJQK' },
    {
      kind: 'position',
      mmsi: '230145250',
      heardAt,
      latitude: 59.102,
      longitude: 20.345,
      speedKnots: 12.4,
      courseDegrees: 346.5,
    },
  ])
  assert.deepEqual(received.issues.slice(0, 2), ['no_position', 'bad_time'])
  assert.deepEqual(received.news.slice(0, 2), ['open', 'the server answers 503'])
})

test('refuses a feed on a private network unless the operator allows that network', async (t) => {
  const port = await openReceiver(t, () => assert.fail('connected'))
  const feeds = [
    openNmeaFeed({ host: '127.0.0.1', port, patience }),
    openAisStream({ url: `ws://127.0.0.1:${port}/`, apiKey: 'key', boundingBoxes: [], mmsi: [], patience }),
  ]
  for (const feed of feeds) {
    const received = listen(t, feed, { allowLoopback: false })
    await received.until(() => received.news.length >= 2)
    assert.equal(received.news[0], 'The host of the URL is not at a public address.')
    await received.stop()
  }
})

test('an AIS feed waits before it reconnects: the wait doubles up to five minutes, with a random part', () => {
  const waits = [0, 1, 2, 3, 20, 2_000].map((failures) => [waitMs(failures, 0, usual), waitMs(failures, 1, usual)])
  assert.deepEqual(waits, [
    [500, 1_000],
    [1_000, 2_000],
    [2_000, 4_000],
    [4_000, 8_000],
    [150_000, 300_000],
    [150_000, 300_000],
  ])
})
