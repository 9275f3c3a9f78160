import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import { WebSocketServer } from 'ws'
import { createEgress } from '../../src/platform/egress.ts'

const rules = { allowedNetworks: [], allowLoopback: false }
const local = { allowedNetworks: [], allowLoopback: true }

async function listen(t: TestContext, server: ReturnType<typeof createServer>): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return (server.address() as AddressInfo).port
}

test('refuses private addresses for TCP and WebSocket, also in unusual notation or behind a host name', async () => {
  const egress = createEgress({
    ...rules,
    resolver: async () => [
      { address: '93.184.215.14', family: 4 },
      { address: '10.0.0.7', family: 4 },
    ],
  })
  for (const host of [
    '127.0.0.1',
    '10.0.0.7',
    '169.254.169.254',
    '::1',
    '::ffff:127.0.0.1',
    '0177.0.0.1',
    '2130706433',
    'feed.example',
  ]) {
    const tcp = await egress.connect({ host, port: 5631 })
    assert.equal(tcp.kind, 'refused', `tcp ${host}`)
    const written = host.includes(':') ? `[${host}]` : host
    const socket = await egress.openWebSocket({
      url: `ws://${written}:5631/v0/stream`,
      messageBytesMax: 1_000,
    })
    assert.equal(socket.kind, 'refused', `ws ${host}`)
  }
})

test('refuses a host that is more than a name, and a URL that is no WebSocket URL', async () => {
  const egress = createEgress({ ...local, resolver: () => assert.fail('looked up') })
  for (const host of ['user@example.com', 'example.com/x', 'exa mple.com', '']) {
    assert.equal((await egress.connect({ host, port: 80 })).kind, 'refused', host)
  }
  for (const url of ['http://example.com/', 'ws://user:pass@example.com/', 'ws:/x', 'wss://exa\tmple.com/']) {
    assert.equal((await egress.openWebSocket({ url, messageBytesMax: 10 })).kind, 'refused', url)
  }
})

test('opens TCP to a name whose every address is allowed, and reports a missing server as a failure', async (t) => {
  const server = createServer((socket) => socket.end('hello'))
  const port = await listen(t, server)
  const egress = createEgress({ ...local, resolver: async () => [{ address: '127.0.0.1', family: 4 }] })
  const opened = await egress.connect({ host: 'receiver.example', port })
  assert.ok(opened.kind === 'open')
  const [data] = await once(opened.connection, 'data')
  assert.equal(String(data), 'hello')
  opened.connection.destroy()
  server.close()
  await once(server, 'close')
  assert.deepEqual(await egress.connect({ host: '127.0.0.1', port }), {
    kind: 'failed',
    reason: 'connect',
    message: 'ECONNREFUSED',
  })
})

test('opens a WebSocket, follows no redirect, and closes it at a message over the limit', async (t) => {
  const http = createHttpServer((_, response) => response.writeHead(302, { location: 'ws://127.0.0.1:1/' }).end())
  const server = new WebSocketServer({ noServer: true })
  http.on('upgrade', (request, socket, head) => {
    if (request.url === '/elsewhere') return socket.end('HTTP/1.1 302 Found\r\nLocation: ws://127.0.0.1:1/\r\n\r\n')
    return server.handleUpgrade(request, socket, head, (client) => {
      client.send('short')
      client.send('x'.repeat(2_000))
    })
  })
  const port = await listen(t, http)
  t.after(() => http.closeAllConnections())
  const egress = createEgress(local)
  const elsewhere = await egress.openWebSocket({
    url: `ws://127.0.0.1:${port}/elsewhere`,
    messageBytesMax: 1_000,
  })
  assert.deepEqual(elsewhere, { kind: 'failed', reason: 'protocol', message: 'status 302' })
  const opened = await egress.openWebSocket({ url: `ws://127.0.0.1:${port}/`, messageBytesMax: 1_000 })
  assert.ok(opened.kind === 'open')
  const received: string[] = []
  opened.connection.on('message', (data) => received.push(String(data)))
  opened.connection.resume()
  await new Promise((done) => opened.connection.on('close', done))
  assert.deepEqual(received, ['short'])
})

test('gives up a connection that is not answered in time', async (t) => {
  const silent = createServer(() => {})
  const port = await listen(t, silent)
  const egress = createEgress({ ...local, connectTimeoutMs: 50 })
  const socket = await egress.openWebSocket({ url: `ws://127.0.0.1:${port}/`, messageBytesMax: 10 })
  assert.deepEqual(socket, { kind: 'failed', reason: 'timeout', message: 'no connection in time' })
})
