/**
 * Unused connections are closed, one address cannot have more than its share, and connections with a running request
 * stay open.
 */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { limitConnections } from '../../src/api/http/connections.ts'
import { openMcp } from '../../src/mcp/transport/open-mcp.ts'
import { readConfig } from '../../src/platform/config.ts'
import { openTestApi } from '../support/api.ts'
import { eventually } from '../support/eventually.ts'

const gaps = { silentMs: 300, sweepMs: 50 }

async function serve(
  t: TestContext,
  answer: RequestListener,
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly open: () => Promise<Socket>; readonly refused: () => number }> {
  let refused = 0
  const metrics = {
    connectionsRefused: () => {
      refused += 1
    },
  }
  const server = createServer(answer)
  limitConnections(server, { config: readConfig(env), metrics, gaps })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const sockets: Socket[] = []
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    refused: () => refused,
    open: async () => {
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
      sockets.push(socket)
      socket.on('error', () => {})
      await once(socket, 'connect')
      return socket
    },
  }
}

/** Reads what it is sent until the connection is closed. */
async function closed(socket: Socket): Promise<void> {
  socket.resume()
  if (!socket.closed) await once(socket, 'close')
}

const get = 'GET / HTTP/1.1\r\nHost: here\r\n\r\n'

test('the server closes an idle connection, before its first request and after an answer', async (t) => {
  const { open } = await serve(t, (_, response) => response.end('ok'))
  const silent = await open()
  const idle = await open()
  idle.write(get)
  await closed(silent)
  await closed(idle)
})

test('the server keeps a connection open while its request waits for an answer or its stream still sends', async (t) => {
  const { open } = await serve(t, (request, response) => {
    if (request.url === '/stream') response.write(': hello\n\n')
    // The long poll has no answer yet.
  })
  const waiting = await open()
  waiting.write(get)
  const stream = await open()
  stream.write(get.replace('/ ', '/stream '))
  for (const left of [waiting, stream]) left.resume()
  // The connections that came later are closed, one after the other.
  await closed(await open())
  await closed(await open())
  assert.deepEqual([waiting.closed, stream.closed], [false, false])
})

test('the server closes a connection whose client does not read a large answer', async (t) => {
  let ended = false
  const { open } = await serve(t, (_, response) => {
    response.on('close', () => {
      ended = true
    })
    response.end(Buffer.alloc(32 * 2 ** 20))
  })
  const socket = await open()
  socket.pause()
  socket.write(get)
  await eventually(() => ended)
})

test('the server answers 429 to connections of one address above the limit', async (t) => {
  const { open, refused } = await serve(t, (_, response) => response.end('ok'), {
    LANDFALL_CONNECTIONS_PER_ADDRESS: '3',
  })
  const first = await open()
  await Promise.all([open(), open()])
  const fourth = await open()
  const [firstChunk] = (await once(fourth, 'data')) as [Buffer]
  assert.match(firstChunk.toString(), /^HTTP\/1\.1 429 Too Many Requests\r\nRetry-After: 5\r\n/)
  assert.equal(refused(), 1)
  first.destroy()
  await eventually(
    async () => {
      const fifth = await open()
      fifth.write(get)
      const [answer] = await once(fifth, 'data').catch(() => [''])
      return String(answer).startsWith('HTTP/1.1 200')
    },
    { late: () => 'the closed one makes no room' },
  )
})

test('a trusted proxy has no connection limit and may keep idle connections', async (t) => {
  const { open, refused } = await serve(t, (_, response) => response.end('ok'), {
    LANDFALL_CONNECTIONS_PER_ADDRESS: '1',
    LANDFALL_TRUSTED_PROXIES: '127.0.0.1/32',
  })
  const sockets = await Promise.all([open(), open(), open()])
  assert.equal(refused(), 0)
  await pause(2 * gaps.silentMs)
  assert.deepEqual(
    sockets.map((socket) => socket.closed),
    [false, false, false],
  )
})

test('the API and the MCP server both apply the connection limit and the header timeout', async (t) => {
  const api = await openTestApi({
    env: { LANDFALL_CONNECTIONS_PER_ADDRESS: '2' },
    timeouts: { headersMs: 300, checkMs: 50 },
  })
  const mcp = await openMcp(api.service)
  const sockets: Socket[] = []
  t.after(async () => {
    for (const socket of sockets) socket.destroy()
    await mcp.close()
    await api.app.close()
    await api.close()
  })
  for (const app of [api.app, mcp]) {
    await app.listen({ port: 0, host: '127.0.0.1' })
    for (let n = 0; n < 3; n += 1) {
      const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
      sockets.push(socket)
      socket.on('error', () => {})
      await once(socket, 'connect')
    }
    const [firstChunk] = (await once(sockets.at(-1) as Socket, 'data')) as [Buffer]
    assert.match(firstChunk.toString(), /^HTTP\/1\.1 429/)
  }
  await closed(sockets[0] as Socket)
})
