import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEgress, type EgressOptions } from '../../src/platform/egress.ts'
import { serve } from '../support/loopback-server.ts'

const loopback: EgressOptions = { allowedNetworks: [], allowLoopback: true }
const limits = { timeoutMs: 5_000, maxBytes: 1_000_000 }

const oddUrls: readonly unknown[] = [
  null,
  undefined,
  7,
  ['http://example.com/'],
  { toString: () => 'http://example.com/' },
  '',
  'example.com',
  '//example.com/',
  'ftp://example.com/',
  'file:///etc/passwd',
  'data:text/plain,x',
  'javascript:1',
  'http:/example.com',
  'http:example.com',
  'http:///example.com',
  'http://user@example.com/',
  'http://user:pass@example.com/',
  'http://example.com@127.0.0.1/',
  'http://@example.com/',
  'http://exa\tmple.com/',
  'http://example.com/\r\nx',
  ' http://example.com/',
  'http://example.com/ ',
  'http://example.com\\@127.0.0.1/',
  'http:\\\\127.0.0.1/',
  'http://example.com/\u0000',
  'http://example.com/\u00a0',
  'http://127.0.0\u200b.1/',
  'http://exa\u00admple.com/',
  '\ufeffhttp://example.com/',
  'http://%31%32%37.0.0.1/',
  'http://example%2ecom/',
  'http://[::1',
  'http://exa mple.com/',
  'http://example.com:99999/',
  'http://./',
  `http://example.com/${'a'.repeat(5_000)}`,
]
test('refuses a request with a malformed URL before it resolves any host name', async () => {
  const egress = createEgress({ ...loopback, resolver: () => assert.fail('looked up') })
  for (const url of oddUrls) {
    const result = await egress.request({ url: url as string, ...limits })
    assert.equal(result.kind, 'refused', String(url))
  }
})

test('refuses loopback addresses in unusual notation, even if loopback is allowed', async () => {
  const egress = createEgress({ ...loopback, resolver: () => assert.fail('looked up') })
  for (const host of [
    '2130706433',
    '0177.0.0.1',
    '0x7f.0.0.1',
    '0x7f000001',
    '127.1',
    '127.0.1',
    '１２７.0.0.1',
    '127.0.0.1.',
    '127。0。0。1',
    '①②⑦.0.0.1',
  ]) {
    const result = await egress.request({ url: `http://${host}:9/`, ...limits })
    assert.equal(result.kind, 'refused', host)
  }
})

test('refuses an address literal that is not public without a connection', async (t) => {
  let connections = 0
  const { port, server } = await serve(t, (_, response) => response.end())
  server.on('connection', () => {
    connections += 1
  })
  const egress = createEgress({ allowedNetworks: [], allowLoopback: false })
  const hosts = [
    '127.0.0.1',
    '[::1]',
    '[::127.0.0.1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:0:127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '10.0.0.1',
    '169.254.169.254',
    '0.0.0.0',
  ]
  for (const host of hosts) {
    const result = await egress.request({ url: `http://${host}:${port}/`, ...limits })
    assert.deepEqual(result, { kind: 'refused', reason: 'The host of the URL is not at a public address.' }, host)
  }
  assert.equal(connections, 0)
})

test('refuses a name when any of its addresses is not public, at the time of the connection', async (t) => {
  let connections = 0
  const { port, server } = await serve(t, (_, response) => response.end())
  server.on('connection', () => {
    connections += 1
  })
  // 127.0.0.1 is allowed and 10.0.0.1 is not; the answer changes from one look-up to the next, as in DNS rebinding.
  let lookups = 0
  const egress = createEgress({
    ...loopback,
    resolver: async () => {
      lookups += 1
      const first = { address: '127.0.0.1', family: 4 as const }
      return lookups === 1 ? [first] : [first, { address: '10.0.0.1', family: 4 as const }]
    },
  })
  const url = `http://hook.example:${port}/`
  assert.equal((await egress.request({ url, ...limits })).kind, 'answer')
  assert.equal((await egress.request({ url, ...limits })).kind, 'refused')
  assert.equal(connections, 1)
})

test('an operator can allow a network by name', async (t) => {
  const { url } = await serve(t, (_, response) => response.end('ok'))
  const allowed = createEgress({ allowedNetworks: ['127.0.0.1/32'], allowLoopback: false })
  assert.equal((await allowed.request({ url, ...limits })).kind, 'answer')
  assert.equal((await allowed.request({ url: url.replace('127.0.0.1', '127.0.0.2'), ...limits })).kind, 'refused')
})

test('a name that cannot be resolved, or has no address, is a failure of DNS', async () => {
  const unknown = createEgress({
    ...loopback,
    resolver: async () => {
      throw Object.assign(new Error(), { code: 'ENOTFOUND' })
    },
  })
  const empty = createEgress({ ...loopback, resolver: async () => [] })
  for (const egress of [unknown, empty]) {
    const result = await egress.request({ url: 'http://nowhere.example/', ...limits })
    assert(result.kind === 'failed')
    assert.equal(result.reason, 'dns')
  }
})

test('refuses a request header that controls the connection, or that contains a line end', async () => {
  const egress = createEgress(loopback)
  for (const headers of [
    { Host: 'x' },
    { 'Transfer-Encoding': 'chunked' },
    { 'content-length': '1' },
    { 'Proxy-Authorization': 'x' },
    { 'x-a': 'b\r\nx: y' },
    { 'x a': 'b' },
  ]) {
    const result = await egress.request({
      url: 'http://127.0.0.1:9/',
      headers: headers as Record<string, string>,
      ...limits,
    })
    assert.equal(result.kind, 'refused', JSON.stringify(headers))
  }
})
