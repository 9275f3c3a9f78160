import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { createApiApp } from '../../src/server/app.ts'
import { openTestApi, type TestApi } from '../support/api.ts'

let api: TestApi
before(async () => {
  api = await openTestApi()
})
after(() => api.close())

const absent = '018f0000-0000-7000-8000-000000000000'
const track = (attributes: object) =>
  api.call({
    method: 'POST',
    url: '/v2/tracking_requests',
    body: { data: { type: 'tracking_request', attributes } },
  })

describe('bodies', () => {
  test('control characters in a member name of a body are refused', async () => {
    for (const body of ['{"data":{"a\\u0000b":1}}', '{"data":{"attributes":{"\\u0007":"x"}}}']) {
      const answer = await api.call({ method: 'POST', url: '/v2/webhooks', body })
      assert.equal(answer.status, 400)
      assert.ok(!answer.text.includes('\\u0000'))
    }
  })

  test('a number of more than 40 characters is refused', async () => {
    const slow = `${'A'.repeat(50_000)}!`
    const details = new Set<string>()
    for (const request_number of ['A'.repeat(41), slow]) {
      const answer = await track({ request_type: 'container', request_number, scac: 'ONEY' })
      assert.equal(answer.status, 422)
      assert.equal(answer.error().source?.pointer, '/data/attributes/request_number')
      assert.ok(answer.text.length < 2_000)
      details.add(String(answer.error().detail))
    }
    assert.deepEqual([...details], ['This has more than 40 characters.'])
  })

  test('read-only and unknown attributes are 422, with their names', async () => {
    const body = {
      data: {
        type: 'webhook',
        attributes: { url: 'https://example.com/x', events: ['container.created'], secret: 'x', odd: 1 },
      },
    }
    const answer = await api.call({ method: 'POST', url: '/v2/webhooks', body })
    assert.equal(answer.status, 422)
    const pointers = answer.body.errors?.map(({ source }) => source?.pointer).toSorted()
    assert.deepEqual(pointers, ['/data/attributes/odd', '/data/attributes/secret'])
  })

  test('__proto__ in a body has no effect', async () => {
    await track(JSON.parse('{"constructor":{"prototype":{"polluted":1}},"__proto__":{"polluted":1}}'))
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined)
  })
})

describe('queries', () => {
  test('an unknown parameter is 400 at every operation, with its name', async () => {
    const document = (await api.call({ url: '/v2/openapi.json', key: null })).body as unknown as {
      readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly security?: readonly unknown[] }>>>>
    }
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, { security }] of Object.entries(methods)) {
        if (security?.length === 0) continue
        const url = `${path.replace(/\{\w+\}/g, absent)}?no_such=1`
        const answer = await api.call({ method: method.toUpperCase() as 'GET', url })
        // An answer may first report that the resource does not exist, or that the body is missing.
        if (path.includes('{') && answer.status === 404) continue
        if (method !== 'get' && [409, 415, 422].includes(answer.status)) continue
        assert.equal(answer.status, 400, `${method} ${url}: ${answer.status}`)
        if (method === 'get') assert.deepEqual(answer.error().source, { parameter: 'no_such' }, url)
      }
    }
  })

  test('a repeated parameter, a page size of zero and an inclusion deeper than three levels are refused', async () => {
    for (const [query, parameter] of [
      ['page[size]=5&page[size]=6', 'page[size]'],
      ['page[size]=0', 'page[size]'],
      ['page[number]=0', 'page[number]'],
      ['include=shipment.containers.transport_events.location', 'include'],
      ['filter[scac]=%00', 'filter[scac]'],
    ]) {
      const answer = await api.call({ url: `/v2/containers?${query}` })
      assert.ok([400, 422].includes(answer.status), query)
      assert.equal(answer.error().source?.parameter, parameter)
    }
    assert.equal((await api.call({ url: '/v2/containers?page[size]=100' })).status, 200)
  })
})

describe('input formats', () => {
  test('non-ASCII look-alikes in a number are refused everywhere; pasted blanks and hyphens are accepted', async () => {
    for (const number of ['MSCU４０００００５', 'ＭＳＣＵ4000005', 'MSCU40000０5', 'МSCU4000005']) {
      const inferred = await api.call({
        method: 'POST',
        url: '/v2/tracking_requests/infer_number',
        body: { number },
        headers: { 'content-type': 'application/json' },
      })
      assert.equal(inferred.status, 422, number)
      assert.match(inferred.error().detail, /ASCII/)
      for (const [list, parameter] of [
        ['containers', 'filter[number]'],
        ['shipments', 'number'],
        ['tracking_requests', 'filter[request_number]'],
      ]) {
        const answer = await api.call({ url: `/v2/${list}?${parameter}=${encodeURIComponent(number)}` })
        assert.equal(answer.status, 422, `${list} ${number}`)
        assert.equal(answer.error().source?.parameter, parameter)
        assert.match(answer.error().detail, /ASCII/)
      }
    }
    const pasted = await api.call({
      method: 'POST',
      url: '/v2/tracking_requests/infer_number',
      body: { number: '\u200bMSCU\u00a0400000\u20115\ufeff' },
      headers: { 'content-type': 'application/json' },
    })
    assert.equal(pasted.status, 200, pasted.text)
  })

  test('an include list with an empty path is refused; an empty include returns no included resources', async () => {
    for (const list of [',', 'shipment,', ',shipment', 'shipment,,pod_terminal', 'shipment, ,pod_terminal']) {
      const answer = await api.call({ url: `/v2/containers?include=${encodeURIComponent(list)}` })
      assert.equal(answer.status, 400, list)
      assert.equal(answer.error().source?.parameter, 'include')
    }
    for (const list of ['', ' ', 'shipment, pod_terminal'])
      assert.equal((await api.call({ url: `/v2/containers?include=${encodeURIComponent(list)}` })).status, 200)
  })

  test('a body with `data` beside `errors` is refused, and nothing is written', async () => {
    const data = { type: 'party', attributes: { company_name: 'Redshank' } }
    for (const errors of [[], null, [{ status: '500' }]]) {
      const body = { data, errors }
      const answer = await api.call({ method: 'POST', url: '/v2/parties', body })
      assert.equal(answer.status, 400)
      assert.deepEqual(answer.error().source, { pointer: '/errors' })
    }
    const verb = await api.call({
      method: 'PATCH',
      url: `/v2/shipments/${absent}/stop_tracking`,
      body: { data: {}, errors: [] },
    })
    assert.equal(verb.status, 400)
    const { rows } = await api.service.pool.query('select from parties where company_name = $1', ['Redshank'])
    assert.equal(rows.length, 0)
  })
})

describe('methods', () => {
  test('method override headers and parameters have no effect', async () => {
    for (const header of ['x-http-method-override', 'x-http-method', 'x-method-override']) {
      const answer = await api.call({
        method: 'POST',
        url: '/v2/webhooks',
        body: { data: {} },
        headers: { [header]: 'GET' },
      })
      assert.equal(answer.status, 422, header)
    }
    assert.equal((await api.call({ method: 'POST', url: '/v2/webhooks?_method=GET', body: {} })).status, 400)
  })

  test('OPTIONS lists the allowed methods, TRACE is refused with the same list, and no CORS header is sent', async () => {
    for (const [method, status, allow] of [
      ['OPTIONS', 204, 'GET, HEAD, OPTIONS'],
      ['TRACE', 405, 'GET, HEAD'],
    ] as const) {
      const answer = await api.app.inject({
        method,
        url: '/v2/shipments',
        headers: { origin: 'https://a.example' },
      })
      assert.equal(answer.statusCode, status, method)
      assert.equal(answer.headers['allow'], allow)
      assert.equal(answer.headers['access-control-allow-origin'], undefined)
    }
  })
})

describe('keys', () => {
  test('a read-only key is 403 at every writing operation', async () => {
    const key = await api.newKey(api.context, ['read'])
    const webhook = { url: 'https://example.com/h', events: ['container.created'] }
    const { id } = (
      await api.call({
        method: 'POST',
        url: '/v2/webhooks',
        body: { data: { type: 'webhook', attributes: webhook } },
      })
    ).one()
    const body = { data: { type: 'webhook', attributes: webhook } }
    for (const [method, url, sent] of [
      ['POST', '/v2/webhooks', body],
      ['PATCH', `/v2/webhooks/${id}`, body],
      ['DELETE', `/v2/webhooks/${id}`, undefined],
      ['POST', `/v2/webhooks/${id}/rotate_secret`, undefined],
      ['POST', `/v2/webhook_notifications/${absent}/redeliver`, undefined],
      ['PATCH', `/v2/containers/${absent}/refresh`, undefined],
      ['PATCH', `/v2/shipments/${absent}/stop_tracking`, undefined],
      ['PATCH', `/v2/shipments/${absent}/resume_tracking`, undefined],
      ['PATCH', `/v2/shipments/${absent}`, { data: { attributes: { ref_numbers: [] } } }],
    ] as const) {
      const answer = await api.call({ method, url, key, ...(sent === undefined ? {} : { body: sent }) })
      assert.equal(answer.status, 403, `${method} ${url}: ${answer.text}`)
    }
  })

  test('a key that another process revokes is refused within five seconds', async () => {
    const key = await api.newKey(api.context, ['read'])
    const secondApi = await createApiApp({ ...api.service })
    try {
      const ask = async () =>
        (await secondApi.inject({ url: '/v2/shipments', headers: { authorization: `Token ${key}` } })).statusCode
      assert.equal(await ask(), 200)
      await api.service.pool.query('update api_keys set revoked_at = now() where last_four = $1', [key.slice(-4)])
      api.clock.advance(5_000)
      assert.equal(await ask(), 401)
    } finally {
      await secondApi.close()
    }
  })
})

test('a statement that runs for more than 30 seconds is cancelled with 503', async () => {
  const { rows } = await api.service.pool.query('show statement_timeout')
  assert.deepEqual(rows, [{ statement_timeout: '30s' }])
  const { query } = api.service.pool
  const cutOff = async () => {
    const client = await api.service.pool.connect()
    try {
      await client.query('set statement_timeout = 10')
      await client.query('select pg_sleep(5)')
    } finally {
      client.release(true)
    }
  }
  await api.call({ url: '/v2/shipments' })
  api.service.pool.query = cutOff as unknown as typeof query
  try {
    const answer = await api.call({ url: '/v2/shipments' })
    assert.equal(answer.status, 503)
    assert.equal(answer.error().code, 'took_too_long')
    assert.equal(answer.headers['retry-after'], '30')
    assert.ok(!/statement|timeout|pg_sleep/.test(answer.text), answer.text)
  } finally {
    api.service.pool.query = query
  }
})

describe('over a socket', () => {
  let port = 0
  let close = async (): Promise<void> => {}
  before(async () => {
    const app = await createApiApp({ ...api.service }, { headersMs: 150, requestMs: 300, checkMs: 20 })
    await app.listen({ port: 0, host: '127.0.0.1' })
    port = (app.server.address() as AddressInfo).port
    close = () => app.close()
  })
  after(() => close())

  /** Sends, and reads until the server closes the connection. */
  const ask = async (text: string): Promise<string> => {
    const socket = connect(port, '127.0.0.1')
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk)).on('error', () => {})
    socket.write(text)
    await once(socket, 'close')
    return Buffer.concat(chunks).toString()
  }
  const head = (...lines: string[]) =>
    [
      'POST /v2/webhooks HTTP/1.1',
      'Host: a',
      `Authorization: Token ${api.key}`,
      'Content-Type: application/json',
      ...lines,
      '',
      '',
    ].join('\r\n')

  test('unfinished headers and a missing body are 408, and the connection is closed', async () => {
    assert.match(await ask('GET /v2/shipments HTTP/1.1\r\nHost: a\r\n'), /^HTTP\/1\.1 408 .*"code":"too_slow"/s)
    assert.match(await ask(`${head('Content-Length: 100')}{"data":`), /^HTTP\/1\.1 408 /)
  })

  test('a body with a Content-Length above one megabyte is 413 before it arrives', async () => {
    const answer = await ask(head('Content-Length: 99999999999', 'Connection: close'))
    assert.match(answer, /^HTTP\/1\.1 413 .*"code":"too_large"/s)
  })

  test('an invalid length, two lengths, and a length together with chunked encoding are 400', async () => {
    for (const lines of [
      ['Content-Length: -1'],
      ['Content-Length: 1e3'],
      ['Content-Length: 99999999999999999999999999'],
      ['Content-Length: 2', 'Content-Length: 3'],
      ['Content-Length: 2', 'Transfer-Encoding: chunked'],
    ]) {
      assert.match(await ask(`${head(...lines)}{}`), /^HTTP\/1\.1 400 /, lines.join())
    }
  })

  test('headers above 16 KB are 431', async () => {
    assert.match(await ask(head(`X-Long: ${'x'.repeat(17_000)}`)), /^HTTP\/1\.1 431 /)
  })
})
