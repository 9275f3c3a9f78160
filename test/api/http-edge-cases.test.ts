import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { openTestApi, type TestApi } from '../support/api.ts'

let api: TestApi
before(async () => {
  api = await openTestApi()
})
after(() => api.close())

const post = (body: string | Buffer, headers: Record<string, string> = {}) =>
  api.call({ method: 'POST', url: '/v2/webhooks', body, headers })

describe('media types', () => {
  for (const [accept, answered] of [
    ['*/*', 'application/vnd.api+json'],
    ['application/json', 'application/json'],
    ['application/json, text/plain, */*', 'application/json'],
    ['application/vnd.api+json', 'application/vnd.api+json'],
    ['application/vnd.api+json, application/json', 'application/vnd.api+json'],
    ['text/html, application/*;q=0.5', 'application/vnd.api+json'],
  ] as const) {
    test(`Accept: ${accept} is answered as ${answered}`, async () => {
      const answer = await api.call({ url: '/v2/shipping_lines?search=msc', headers: { accept } })
      assert.equal(answer.status, 200)
      assert.equal(answer.headers['content-type'], answered)
    })
  }

  test('an Accept that allows neither media type is 406', async () => {
    for (const accept of ['text/html', 'application/json;q=0', 'application/xml, image/*']) {
      const answer = await api.call({ url: '/v2/shipping_lines', headers: { accept } })
      assert.equal(answer.status, 406)
      assert.equal(answer.error().code, 'not_acceptable')
    }
  })

  test('another media type of the body is 415', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'multipart/form-data']) {
      const answer = await post('{}', { 'content-type': type })
      assert.equal(answer.status, 415)
    }
  })

  test('a charset beside the media type does not matter', async () => {
    assert.equal((await post('{}', { 'content-type': 'application/json; charset=utf-8' })).status, 400)
  })
})

describe('bodies', () => {
  const pointerOf = async (body: string | Buffer) => {
    const answer = await post(body)
    return [answer.status, answer.error().source?.pointer]
  }

  test('broken JSON, broken UTF-8 and a body that is not an object are 400', async () => {
    assert.deepEqual(await pointerOf('{"data":'), [400, ''])
    assert.deepEqual(await pointerOf(Buffer.from([0x22, 0xff, 0x22])), [400, ''])
    for (const body of ['[]', '"text"', '5', 'null', '{"data":[]}'])
      assert.deepEqual(await pointerOf(body), [400, '/data'])
  })

  test('a body deeper than 32 levels is refused; brackets in texts do not count', async () => {
    assert.deepEqual(await pointerOf(`{"data":${'['.repeat(40)}${']'.repeat(40)}}`), [400, ''])
    assert.deepEqual(await pointerOf(`${'['.repeat(200_000)}`), [400, ''])
    assert.deepEqual(await pointerOf(`{"x":"${'[{\\"'.repeat(40)}"}`), [400, '/data'])
  })

  test('NUL and other control characters in a value are refused', async () => {
    for (const character of ['\\u0000', '\\u0007', '\\u001b', '\\ud800']) {
      const body = `{"data":{"attributes":{"url":"https://a${character}"}}}`
      assert.deepEqual(await pointerOf(body), [400, '/data/attributes/url'])
    }
  })

  test('a body larger than one megabyte is 413', async () => {
    const answer = await post(`{"data":"${'x'.repeat(1_048_577)}"}`)
    assert.equal(answer.status, 413)
  })

  test('__proto__ in a body is ignored', async () => {
    const body =
      '{"data":{"type":"webhook","attributes":{"__proto__":{"active":false},"url":"https://example.com/a","events":["container.created"]},"__proto__":{"type":"x"}}}'
    const answer = await post(body)
    assert.equal(answer.status, 201)
    assert.equal(answer.one().attributes['active'], true)
    assert.equal(({} as Record<string, unknown>)['active'], undefined)
  })
})

describe('addresses', () => {
  test('an unknown address is 404; a known one with another method is 405 with Allow', async () => {
    const none = await api.call({ url: '/v2/nothing' })
    assert.equal(none.status, 404)
    assert.equal(none.headers['content-type'], 'application/vnd.api+json')
    const put = await api.call({ method: 'PUT', url: '/v2/shipments' })
    assert.equal(put.status, 405)
    assert.equal(put.headers['allow'], 'GET, HEAD')
    const gone = await api.call({
      method: 'DELETE',
      url: '/v2/containers/018f0000-0000-7000-8000-000000000000',
    })
    assert.equal(gone.headers['allow'], 'GET, HEAD, PATCH')
  })

  test('a malformed id is 404 with the same answer as an unknown id', async () => {
    const texts = new Set<string>()
    for (const id of [
      '018f0000-0000-7000-8000-000000000000',
      'x',
      '1',
      '%00',
      "'%20or%201=1",
      'null',
      'a'.repeat(150),
    ]) {
      const answer = await api.call({ url: `/v2/shipments/${id}` })
      assert.equal(answer.status, 404, id)
      texts.add(answer.text)
    }
    assert.equal(texts.size, 1)
  })

  test('U+0000 in an address or a body is 4xx at every interface', async () => {
    for (const url of [
      '/v2/shipping_lines/%00',
      '/v2/ports/US%00LAX',
      '/v2/vessels/%00',
      '/v2/column_maps/a%00b',
      '/v2/shared/%00',
      '/v2/document_schemas/%00',
      '/docs/%00',
      '/docs/guide/%00',
    ]) {
      const { status } = await api.call({ url })
      assert.ok(status >= 400 && status < 500, `${url} ${status}`)
    }
    const posted = await api.call({
      method: 'POST',
      url: '/v2/inbound/a%00b',
      headers: { 'content-type': 'application/json' },
      body: [],
    })
    assert.ok(posted.status >= 400 && posted.status < 500, String(posted.status))
  })

  test('/openapi.json and /docs/errors redirect to the API description and the list of errors', async () => {
    for (const [from, to] of [
      ['/openapi.json', '/v2/openapi.json'],
      ['/docs/errors', '/docs/guide/errors'],
    ] as const) {
      const led = await api.app.inject({ url: from })
      assert.deepEqual([led.statusCode, led.headers.location], [308, to])
      assert.equal((await api.app.inject({ url: to })).statusCode, 200)
    }
  })

  test('a broken percent encoding is 400', async () => {
    const answer = await api.app.inject({
      url: '/v2/shipments/%zz',
      headers: { authorization: `Token ${api.key}` },
    })
    assert.equal(answer.statusCode, 400)
    assert.equal(answer.json().errors[0].code, 'malformed')
  })

  test('HEAD returns the headers of GET without a body', async () => {
    const answer = await api.app.inject({
      method: 'HEAD',
      url: '/v2/shipments',
      headers: { authorization: `Token ${api.key}` },
    })
    assert.equal(answer.statusCode, 200)
    assert.equal(answer.body, '')
  })
})

describe('request ids', () => {
  test('a valid X-Request-Id is returned, and an invalid or missing one is replaced', async () => {
    const idOf = async (headers: Record<string, string>) =>
      (await api.call({ url: '/v2/shipments', headers })).headers['x-request-id']
    assert.equal(await idOf({ 'x-request-id': 'order-4711/a:b' }), 'order-4711/a:b')
    assert.match(String(await idOf({ 'x-request-id': 'a"b<script>' })), /^[0-9a-f-]{36}$/)
    assert.match(String(await idOf({ 'x-request-id': 'x'.repeat(129) })), /^[0-9a-f-]{36}$/)
    assert.match(String(await idOf({})), /^[0-9a-f-]{36}$/)
  })

  test('an error answer has the request id too', async () => {
    const answer = await api.call({ url: '/v2/shipments', key: null, headers: { 'x-request-id': 'r1' } })
    assert.equal(answer.headers['x-request-id'], 'r1')
  })
})

describe('internal errors', () => {
  test('an unexpected error is 500 without details, and is logged with the request id', async () => {
    const { query } = api.service.pool
    api.service.pool.query = (() => Promise.reject(new Error('secret table at /srv/x'))) as unknown as typeof query
    try {
      const answer = await api.app.inject({
        url: '/v2/shipments',
        headers: { authorization: `Token ${api.key}`, 'x-request-id': 'crash-1' },
      })
      assert.equal(answer.statusCode, 500)
      assert.ok(!/secret|srv|at .*:\d+/.test(answer.body), answer.body)
    } finally {
      api.service.pool.query = query
    }
    const crash = api.logged().find(({ event, requestId }) => event === 'request.crashed' && requestId === 'crash-1')
    assert.ok(crash)
  })

  test('an unavailable database is 503 with Retry-After', async () => {
    await api.call({ url: '/v2/shipments' })
    const { query } = api.service.pool
    const refused = Object.assign(new Error('connect ECONNREFUSED'), {
      code: 'ECONNREFUSED',
      syscall: 'connect',
    })
    api.service.pool.query = (() => Promise.reject(refused)) as unknown as typeof query
    try {
      const answer = await api.call({ url: '/v2/shipments' })
      assert.equal(answer.status, 503)
      assert.equal(answer.headers['retry-after'], '5')
      assert.equal((await api.call({ url: '/readyz', key: null })).status, 503)
      assert.equal((await api.call({ url: '/healthz', key: null })).status, 200)
    } finally {
      api.service.pool.query = query
    }
  })
})

describe('over a socket', () => {
  test('an invalid request and too large headers are refused with JSON:API errors', async () => {
    await api.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = api.app.server.address() as AddressInfo
    const ask = async (text: string) => {
      const socket = connect(port, '127.0.0.1')
      const chunks: Buffer[] = []
      socket.on('data', (chunk) => chunks.push(chunk)).on('error', () => {})
      socket.write(text)
      await once(socket, 'close')
      return Buffer.concat(chunks).toString()
    }
    const none = await ask('NONSENSE\r\n\r\n')
    assert.match(none, /^HTTP\/1\.1 400 /)
    assert.match(none, /"code":"malformed"/)
    assert.match(await ask(`GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`), /^HTTP\/1\.1 431 /)
  })
})
