// For programs that cannot be changed: slashes, charsets, other origins, unknown fields, compressed answers.
import assert from 'node:assert/strict'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { installTestCarrier } from '../../src/modules/installation/install-carriers.ts'
import { openTestApi, type TestApi } from '../support/api.ts'

let api: TestApi
before(async () => {
  api = await openTestApi({ env: { LANDFALL_CORS_ORIGINS: 'https://app.example' } })
  await installTestCarrier(api.service)
})
after(() => api.close())

describe('addresses', () => {
  test('doubled and trailing slashes change nothing', async () => {
    const plain = await api.call({ url: '/v2/shipping_lines?search=HLCU' })
    for (const url of ['/v2//shipping_lines', '//v2/shipping_lines/', '/v2/shipping_lines///']) {
      const answer = await ask(`${url}?search=HLCU`)
      assert.equal(answer.statusCode, 200, url)
      assert.equal(answer.body, plain.text, url)
    }
    assert.equal((await ask('/v2/parties/?page[size]=1//')).statusCode, 422, 'a query is left as it is')
    assert.equal((await api.app.inject({ url: '/v2/parties//x', headers: auth() })).statusCode, 404)
  })
})

describe('cross-origin requests', () => {
  const origin = 'https://app.example'

  test('pages of the configured origins may send requests and read the answers', async () => {
    const preflight = await api.app.inject({
      method: 'OPTIONS',
      url: '/v2/tracking_requests',
      headers: { origin, 'access-control-request-method': 'POST' },
    })
    assert.equal(preflight.statusCode, 204)
    assert.equal(preflight.headers['access-control-allow-origin'], origin)
    assert.equal(preflight.headers['access-control-allow-methods'], 'GET, HEAD, POST')
    assert.match(String(preflight.headers['access-control-allow-headers']), /Authorization.*Idempotency-Key/)
    assert.equal(preflight.headers['access-control-allow-credentials'], undefined)
    const read = await api.call({ url: '/v2/parties', headers: { origin } })
    assert.equal(read.headers['access-control-allow-origin'], origin)
    assert.match(String(read.headers['access-control-expose-headers']), /ETag/)
    assert.match(String(read.headers['vary']), /Origin/)
    const refused = await api.call({ url: '/v2/parties', headers: { origin }, key: null })
    assert.equal(refused.status, 401)
    assert.equal(refused.headers['access-control-allow-origin'], origin, 'a page can read why')
  })

  test('pages of other origins may not read the answers', async () => {
    for (const other of ['https://app.example.evil.example', 'http://app.example', 'null']) {
      const { headers } = await api.call({ url: '/v2/parties', headers: { origin: other } })
      assert.equal(headers['access-control-allow-origin'], undefined, other)
    }
  })

  test('an origin with a path is an invalid setting', async () => {
    await assert.rejects(
      openTestApi({ env: { LANDFALL_CORS_ORIGINS: 'https://app.example/x' } }),
      /LANDFALL_CORS_ORIGINS accepts/,
    )
  })
})

describe('an unknown attribute or parameter', () => {
  const body = { data: { type: 'party', attributes: { company_name: 'Siskin', colour: 'green' } } }
  const lenient = { prefer: 'respond-async, handling=lenient' }

  test('is refused by default, and ignored and listed if the request prefers lenient handling', async () => {
    const post = { method: 'POST', url: '/v2/parties', body } as const
    assert.equal((await api.call(post)).error().source?.pointer, '/data/attributes/colour')
    const made = await api.call({ ...post, headers: lenient })
    assert.equal(made.one().attributes['company_name'], 'Siskin')
    assert.deepEqual(made.body.meta?.['ignored'], [{ pointer: '/data/attributes/colour' }])
    assert.equal(made.headers['preference-applied'], 'handling=lenient')
    const url = '/v2/parties?page[size]=1&colour=green'
    assert.equal((await api.call({ url })).error().source?.parameter, 'colour')
    const listed = await api.call({ url, headers: lenient })
    assert.deepEqual(listed.body.meta?.['ignored'], [{ parameter: 'colour' }])
    assert.equal(listed.body.meta?.['size'], 1)
  })

  test('is ignored with lenient handling, while an invalid value of a known attribute is refused', async () => {
    const wrong = { data: { type: 'party', attributes: { company_name: 7, colour: 'green' } } }
    const answer = await api.call({ method: 'POST', url: '/v2/parties', body: wrong, headers: lenient })
    assert.equal(answer.error().source?.pointer, '/data/attributes/company_name')
    assert.equal((await api.call({ url: '/v2/parties?page[size]=x', headers: lenient })).status, 422)
  })

  test('is ignored if the installation is lenient, unless the request asks for strict handling', async () => {
    const easy = await openTestApi({ env: { LANDFALL_UNKNOWN_FIELDS: 'ignore' } })
    try {
      const made = await easy.call({ method: 'POST', url: '/v2/parties', body })
      assert.deepEqual(made.body.meta?.['ignored'], [{ pointer: '/data/attributes/colour' }])
      const strict = { prefer: 'handling=strict' }
      assert.equal((await easy.call({ method: 'POST', url: '/v2/parties', body, headers: strict })).status, 422)
    } finally {
      await easy.close()
    }
  })

  test('is ignored with ignore_but_filters, but an unknown filter is refused', async () => {
    const easy = await openTestApi({ env: { LANDFALL_UNKNOWN_FIELDS: 'ignore_but_filters' } })
    try {
      const made = await easy.call({ method: 'POST', url: '/v2/parties', body })
      assert.deepEqual(made.body.meta?.['ignored'], [{ pointer: '/data/attributes/colour' }])
      const listed = await easy.call({ url: '/v2/containers?colour=green' })
      assert.deepEqual(listed.body.meta?.['ignored'], [{ parameter: 'colour' }])
      const refused = await easy.call({ url: '/v2/containers?filter[colour]=green' })
      assert.equal(refused.status, 400)
      assert.equal(refused.error().source?.parameter, 'filter[colour]')
      const asked = await easy.call({ url: '/v2/containers?filter[colour]=green', headers: lenient })
      assert.deepEqual(asked.body.meta?.['ignored'], [{ parameter: 'filter[colour]' }], 'the request itself wants it')
    } finally {
      await easy.close()
    }
  })

  test('is counted each time, and logged once for each key and name', async () => {
    const easy = await openTestApi({ env: { LANDFALL_UNKNOWN_FIELDS: 'ignore' } })
    try {
      for (let n = 0; n < 3; n += 1) await easy.call({ url: '/v2/containers?filter[colour]=green' })
      await easy.call({ url: '/v2/containers?filter[taste]=sour' })
      const names = easy.logged().flatMap(({ event, name }) => (event === 'members.ignored' ? [name] : []))
      assert.deepEqual(names, ['filter[colour]', 'filter[taste]'])
      const { text } = await easy.call({ url: '/metrics', key: null })
      assert.match(text, /^landfall_member_ignored_total\{kind="parameter"\} 4$/m)
    } finally {
      await easy.close()
    }
  })

  test('`shipping_line_scac` is an alias of `scac`, unless the two name different lines', async () => {
    const send = (more: object) =>
      api.call({
        method: 'POST',
        url: '/v2/tracking_requests',
        body: {
          data: {
            type: 'tracking_request',
            attributes: { request_type: 'bill_of_lading', request_number: 'TEST-TR-FAILED', ...more },
          },
        },
      })
    const made = await send({ shipping_line_scac: 'TEST' })
    assert.equal(made.status, 201, made.text)
    assert.equal((await send({ scac: 'TEST', shipping_line_scac: ' test ' })).status, 201)
    assert.equal(
      (await send({ scac: 'TEST', shipping_line_scac: 'HLCU' })).error().source?.pointer,
      '/data/attributes/shipping_line_scac',
    )
  })

  test('an error about an invalid value has the title Unprocessable Entity', async () => {
    const { title } = (await api.call({ url: '/v2/parties?page[size]=x' })).error()
    assert.equal(title, 'Unprocessable Entity')
  })
})

describe('compressed answers', () => {
  test('use the coding that the client prefers, and have an entity tag of their own', async () => {
    const plain = await ask('/v2/shipping_lines')
    for (const [accepted, coding, read] of [
      ['gzip, deflate, br', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
      ['br;q=0.1, gzip;q=1', 'gzip', gunzipSync],
    ] as const) {
      const answer = await ask('/v2/shipping_lines', { 'accept-encoding': accepted })
      assert.equal(answer.headers['content-encoding'], coding)
      assert.equal(read(answer.rawPayload).toString(), plain.body)
      assert.ok(answer.rawPayload.length < plain.rawPayload.length / 2)
      assert.match(String(answer.headers['vary']), /accept-encoding/i)
      assert.match(String(answer.headers['vary']), /Authorization/)
      const etag = String(answer.headers['etag'])
      assert.notEqual(etag, plain.headers['etag'])
      const again = await ask('/v2/shipping_lines', { 'accept-encoding': accepted, 'if-none-match': etag })
      assert.equal(again.statusCode, 304)
      assert.equal(again.headers['etag'], etag)
    }
  })

  test('are not used below one kilobyte or without Accept-Encoding', async () => {
    const small = await ask('/v2/shipping_lines/HLCU', { 'accept-encoding': 'br' })
    assert.equal(small.headers['content-encoding'], undefined)
    assert.equal((await ask('/v2/shipping_lines')).headers['content-encoding'], undefined)
    const made = await api.call({
      method: 'POST',
      url: '/v2/webhooks',
      body: {
        data: {
          type: 'webhook',
          attributes: {
            url: `https://example.com/${'h'.repeat(1_500)}`,
            active: true,
            events: ['container.created'],
          },
        },
      },
    })
    const url = `/v2/webhooks/${made.one().id}`
    const read = await ask(url, { 'accept-encoding': 'gzip' })
    assert.equal(read.headers['content-encoding'], 'gzip')
    const change = (tag: string) =>
      api.call({
        method: 'PATCH',
        url,
        headers: { 'if-match': tag },
        body: { data: { type: 'webhook', attributes: { active: false } } },
      })
    assert.equal((await change(String(read.headers['etag']))).status, 200)
    assert.equal((await change(String(read.headers['etag']))).status, 412)
  })

  test('an export is compressed too and decompresses completely', async () => {
    for (let n = 0; n < 3; n += 1)
      await api.call({
        method: 'POST',
        url: '/v2/tracking_requests',
        body: {
          data: {
            type: 'tracking_request',
            attributes: { request_type: 'bill_of_lading', request_number: 'TEST-TR-FAILED', scac: 'TEST' },
          },
        },
      })
    await api.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = api.app.server.address() as AddressInfo
    const { headers, bytes } = await new Promise<{ headers: NodeJS.Dict<string | string[]>; bytes: Buffer }>(
      (resolve, reject) => {
        const headersSent = { ...auth(), 'accept-encoding': 'gzip', accept: 'application/x-ndjson' }
        request({ port, path: '/v2/tracking_requests', headers: headersSent }, (response) => {
          const parts: Buffer[] = []
          response.on('data', (part: Buffer) => parts.push(part))
          response.on('end', () => resolve({ headers: response.headers, bytes: Buffer.concat(parts) }))
        })
          .on('error', reject)
          .end()
      },
    )
    assert.equal(headers['content-encoding'], 'gzip')
    assert.ok(gunzipSync(bytes).toString().trim().split('\n').length >= 3)
  })
})

function auth(): Record<string, string> {
  return { authorization: `Token ${api.key}` }
}

function ask(url: string, headers: Readonly<Record<string, string>> = {}) {
  return api.app.inject({ url, headers: { ...auth(), ...headers } })
}
