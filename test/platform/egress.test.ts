import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { createEgress, type EgressOptions } from '../../src/platform/egress.ts'
import { serve, serveRaw } from '../support/loopback-server.ts'

const loopback: EgressOptions = { allowedNetworks: [], allowLoopback: true }
const limits = { timeoutMs: 5_000, maxBytes: 1_000_000 }

test('a request returns status, headers, body and the address it reached', async (t) => {
  const { url } = await serve(t, async (request, response) => {
    const chunks = await request.toArray()
    response.writeHead(201, {
      'X-Seen': `${request.method} ${request.url} ${request.headers['x-sent']}`,
      link: ['a', 'b'],
    })
    response.end(Buffer.concat(chunks))
  })
  const egress = createEgress(loopback)
  const result = await egress.request({
    url: `${url}a/b?c=d#e`,
    method: 'POST',
    headers: { 'X-Sent': 'yes' },
    body: '{"ä":1}',
    ...limits,
  })
  assert(result.kind === 'answer', JSON.stringify(result))
  assert.equal(result.status, 201)
  assert.equal(result.headers['x-seen'], 'POST /a/b?c=d yes')
  assert.equal(result.headers['link'], 'a, b')
  assert.equal(result.body.toString(), '{"ä":1}')
  assert.equal(result.truncated, false)
  assert.equal(result.address, '127.0.0.1')
})

test('returns a redirect as the answer and does not follow it', async (t) => {
  let requests = 0
  const { url } = await serve(t, (_, response) => {
    requests += 1
    response.writeHead(302, { location: '/elsewhere' }).end()
  })
  const result = await createEgress(loopback).request({ url, ...limits })
  assert(result.kind === 'answer')
  assert.equal(result.status, 302)
  assert.equal(requests, 1)
})

test('a DNS lookup that hangs ends at the connect timeout', async () => {
  const egress = createEgress({ ...loopback, connectTimeoutMs: 50, resolver: () => new Promise(() => {}) })
  const result = await egress.request({ url: 'http://slow.example/', ...limits })
  assert(result.kind === 'failed')
  assert.deepEqual(
    { ...result, durationMs: 0 },
    { kind: 'failed', reason: 'timeout', message: 'no connection in time', durationMs: 0 },
  )
})

test('distinguishes a refused connection, a broken one and an invalid answer', async (t) => {
  const { url, server } = await serve(t, () => {})
  server.close()
  await once(server, 'close')
  const egress = createEgress(loopback)
  const reasonOf = async (to: string) => {
    const result = await egress.request({ url: to, ...limits })
    return result.kind === 'failed' ? result.reason : result.kind
  }
  assert.equal(await reasonOf(url), 'connect')
  assert.equal(await reasonOf(await serveRaw(t, (socket) => socket.resetAndDestroy())), 'reset')
  assert.equal(
    await reasonOf(await serveRaw(t, (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc'))),
    'reset',
  )
  assert.equal(await reasonOf(await serveRaw(t, (socket) => socket.end('220 mail.example ESMTP\r\n'))), 'protocol')
  assert.equal(
    await reasonOf((await serveRaw(t, (socket) => socket.end('plain text\r\n'))).replace('http:', 'https:')),
    'tls',
  )
})

test('a receiver that hangs or sends byte by byte is cut off at the total timeout', async (t) => {
  const hanging = await serveRaw(t, () => {})
  const dripping = await serveRaw(t, (socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n')
    const timer = setInterval(() => socket.write('x'), 5)
    socket.on('close', () => clearInterval(timer))
  })
  const egress = createEgress(loopback)
  for (const url of [hanging, dripping]) {
    const result = await egress.request({ url, timeoutMs: 120, maxBytes: 1_000_000 })
    assert(result.kind === 'failed')
    assert.equal(result.reason, 'timeout')
  }
})

test('truncates a body at the limit, and keeps one that just fits', async (t) => {
  const { url } = await serve(t, (_, response) => response.end('x'.repeat(1_000)))
  const egress = createEgress(loopback)
  const cut = await egress.request({ url, timeoutMs: 5_000, maxBytes: 999 })
  const whole = await egress.request({ url, timeoutMs: 5_000, maxBytes: 1_000 })
  assert(cut.kind === 'answer' && whole.kind === 'answer')
  assert.deepEqual([cut.truncated, cut.body.length, whole.truncated, whole.body.length], [true, 999, false, 1_000])
})

test('truncates an endless body at the limit', async (t) => {
  const url = await serveRaw(t, (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    const more = () => {
      while (!socket.destroyed && socket.write('y'.repeat(65_536))) {}
    }
    socket.on('drain', more)
    more()
  })
  const result = await createEgress(loopback).request({ url, timeoutMs: 5_000, maxBytes: 100_000 })
  assert(result.kind === 'answer')
  assert.deepEqual([result.truncated, result.body.length], [true, 100_000])
})

test('unpacks a compressed body, and truncates one that unpacks to gigabytes at the limit', async (t) => {
  const pack = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync } as const
  const bomb = gzipSync(Buffer.alloc(50_000_000))
  const { url } = await serve(t, (request, response) => {
    const encoding = (request.url ?? '').slice(1) as keyof typeof pack | 'bomb'
    response.setHeader('content-encoding', encoding === 'bomb' ? 'gzip' : encoding)
    response.end(encoding === 'bomb' ? bomb : pack[encoding]('{"events":[]}'))
  })
  const egress = createEgress(loopback)
  for (const encoding of Object.keys(pack)) {
    const result = await egress.request({ url: url + encoding, ...limits })
    assert(result.kind === 'answer')
    assert.equal(result.body.toString(), '{"events":[]}')
  }
  const result = await egress.request({ url: `${url}bomb`, timeoutMs: 5_000, maxBytes: 10_000 })
  assert(result.kind === 'answer')
  assert.deepEqual([result.truncated, result.body.length], [true, 10_000])
})

test('an answer whose body does not have the compression of its header is an encoding failure', async (t) => {
  const { url } = await serve(t, (request, response) => {
    response.setHeader('content-encoding', (request.url ?? '').slice(1))
    response.end('not packed at all')
  })
  for (const encoding of ['gzip', 'br', 'compress', 'gzip,gzip']) {
    const result = await createEgress(loopback).request({ url: url + encoding, ...limits })
    assert(result.kind === 'failed', encoding)
    assert.equal(result.reason, 'encoding')
    assert.match(result.message, encoding.startsWith('c') ? /is "compress"; gzip, deflate, br were/ : /./)
  }
})

test('an optional body that cannot be unpacked does not change the answer', async (t) => {
  const { url } = await serve(t, (request, response) => {
    response.writeHead(202, { 'content-encoding': (request.url ?? '').slice(1), 'x-seen': 'yes' })
    response.end('not packed at all')
  })
  for (const encoding of ['gzip', 'br', 'zstd', 'x-no-such-thing', 'gzip,gzip']) {
    const result = await createEgress(loopback).request({ url: url + encoding, isBodyExtra: true, ...limits })
    assert(result.kind === 'answer', encoding)
    assert.deepEqual(
      [result.status, result.headers['x-seen'], result.body.length, result.truncated],
      [202, 'yes', 0, false],
    )
    assert.match(String(result.bodyFault), /content-encoding|cannot be unpacked/)
  }
  const plain = await createEgress(loopback).request({ url: `${url}identity`, isBodyExtra: true, ...limits })
  assert(plain.kind === 'answer')
  assert.deepEqual([plain.body.toString(), plain.bodyFault], ['not packed at all', undefined])
})

test('reuses connections for one tenant and shares them with no other', async (t) => {
  let connections = 0
  const { url, server } = await serve(t, (_, response) => response.end('ok'))
  server.on('connection', () => {
    connections += 1
  })
  const egress = createEgress(loopback)
  t.after(egress.close)
  const ask = async (tenant?: string) =>
    assert.equal((await egress.request({ url, ...limits, ...(tenant === undefined ? {} : { tenant }) })).kind, 'answer')
  await ask('a')
  await ask('a')
  assert.equal(connections, 1)
  await ask('b')
  assert.equal(connections, 2)
  await ask()
  await ask()
  assert.equal(connections, 4)
})

test('a reused connection that the other side has closed loses no answer', async (t) => {
  let requests = 0
  const { url } = await serve(t, (request, response) => {
    requests += 1
    // Answers once on each connection and breaks it at the next request.
    if (requests === 2) request.socket.resetAndDestroy()
    else response.end('ok')
  })
  const egress = createEgress(loopback)
  t.after(egress.close)
  for (const _ of [1, 2]) assert.equal((await egress.request({ url, tenant: 'a', ...limits })).kind, 'answer')
  assert.equal(requests, 3)
})
