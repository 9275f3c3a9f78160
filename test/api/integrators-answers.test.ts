/**
 * Problems of integrators with answers: secrets that readers must not see, wrong content types, answers that never
 * arrive.
 */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { openTestApi, type TestApi } from '../support/api.ts'
import { type Seeded, seededAt, seedShipment } from '../support/seed.ts'

let api: TestApi
let seeded: Seeded
let shipmentUrl: string
let containerUrl: string
let requestUrl: string
let port: number

before(async () => {
  api = await openTestApi({ startAt: seededAt })
  seeded = await seedShipment(api)
  shipmentUrl = `/v2/shipments/${seeded.shipmentId}`
  containerUrl = `/v2/containers/${seeded.containerIds[0]}`
  requestUrl = `/v2/tracking_requests/${seeded.trackingRequestId}`
  await api.app.listen({ host: '127.0.0.1', port: 0 })
  port = (api.app.server.address() as AddressInfo).port
})
after(async () => {
  await seeded.carrier.close()
  await api.close()
})

const patch = (url: string, body?: unknown) => api.call({ method: 'PATCH', url, body })
const post = (url: string, body: unknown) => api.call({ method: 'POST', url, body })

describe('a key without the scope to write', () => {
  test('does not see the secret of a webhook, which would allow it to forge notifications', async () => {
    const attributes = { url: 'https://example.com/hook', events: ['container.created'] }
    const made = (await post('/v2/webhooks', { data: { type: 'webhook', attributes } })).one()
    assert.match(String(made.attributes['secret']), /^whsec_/)
    const url = `/v2/webhooks/${made.id}`
    const readOnly = await api.newKey(api.context, ['read'])
    const [listed] = (await api.call({ url: '/v2/webhooks', key: readOnly })).many()
    const read = (await api.call({ url, key: readOnly })).one()
    for (const shown of [listed, read]) assert.deepEqual(shown?.attributes, { ...made.attributes, secret: null })
    assert.equal((await api.call({ url })).one().attributes['secret'], made.attributes['secret'])
  })
})

describe('parts of a request that the API cannot carry out are refused, not ignored', () => {
  test('a batch refuses only its invalid items and executes the others', async () => {
    const mine = { type: 'shipment', id: seeded.shipmentId }
    const data = [{ ...mine, type: 'container' }, mine, { type: 'shipment' }, { ...mine, attributes: { a: 1 } }, 7]
    for (const verb of ['stop_tracking', 'resume_tracking']) {
      const { status, body } = await post(`/v2/shipments/batch/${verb}`, { data })
      assert.equal(status, 200)
      const { done, refused, items } = body.meta as { done: number; refused: number; items: BatchItem[] }
      assert.deepEqual([done, refused], [1, 4])
      assert.deepEqual(
        items.map(({ id, errors: [error] }) => [id, error?.status, error?.source?.pointer]),
        [
          [seeded.shipmentId, '409', '/data/0/type'],
          [seeded.shipmentId, undefined, undefined],
          [null, '422', '/data/2/id'],
          [seeded.shipmentId, '422', '/data/3/attributes'],
          [null, '409', '/data/4/type'],
        ],
      )
    }
  })

  test('attributes and relationships in the body of an action are refused', async () => {
    for (const [url, type, id] of [
      [`${shipmentUrl}/stop_tracking`, 'shipment', seeded.shipmentId],
      [`${shipmentUrl}/resume_tracking`, 'shipment', seeded.shipmentId],
      [`${containerUrl}/refresh`, 'container', seeded.containerIds[0]],
    ] as const) {
      const wordy = await patch(url, { data: { type, id, attributes: { reason: 'cancelled' } } })
      assert.deepEqual([wordy.status, wordy.error().source?.pointer], [422, '/data/attributes'], url)
      const related = await patch(url, { data: { relationships: { customer: { data: null } } } })
      assert.equal(related.error().source?.pointer, '/data/relationships/customer')
      assert.equal((await patch(url, { data: { type, id, attributes: {} } })).status, 200, 'none is fine')
    }
  })

  test('delivered_at of a container cannot be before its first known event', async () => {
    const deliver = (delivered_at: string | null) => patch(containerUrl, { data: { attributes: { delivered_at } } })
    // It left the depot in Shanghai on 2 January at 09:00, which is 01:00 UTC.
    for (const early of ['1999-12-31T00:00:00Z', '2026-01-02T00:59:59Z', '2026-01-01T12:00:00', '2025-12-31']) {
      const answer = await deliver(early)
      assert.equal(answer.status, 422, early)
      assert.equal(answer.error().source?.pointer, '/data/attributes/delivered_at')
      assert.match(answer.error().detail, /empty_out.*2026-01-02T01:00:00\.000Z/)
    }
    for (const good of ['2026-01-02T01:00:00Z', '2026-01-02', '2026-02-08T10:00:00'])
      assert.equal((await deliver(good)).status, 200, good)
    assert.equal((await deliver('2026-02-07')).status, 200, 'its own earlier word holds nobody to anything')
    assert.equal((await deliver(null)).status, 200)
  })

  test('ref_number together with ref_numbers is refused', async () => {
    const both = await patch(requestUrl, { data: { attributes: { ref_number: 'A', ref_numbers: ['B'] } } })
    assert.deepEqual([both.status, both.error().source?.pointer], [422, '/data/attributes/ref_number'])
    const old = await patch(requestUrl, { data: { attributes: { ref_number: 'A' } } })
    assert.deepEqual(old.one().attributes['ref_numbers'], ['A'])
  })
})

interface BatchItem {
  readonly id: string | null
  readonly errors: readonly {
    readonly status: string
    readonly source?: { readonly pointer: string }
    readonly meta?: unknown
  }[]
}

describe('a number that is tracked already', () => {
  const attributes = () => ({ request_type: 'bill_of_lading', request_number: seeded.bill, scac: 'ONEY' })
  const meta = () => ({ tracking_request_id: seeded.trackingRequestId })

  test('is refused with the id of the existing request, also in a batch and in a dry run', async () => {
    const again = await post('/v2/tracking_requests', {
      data: { type: 'tracking_request', attributes: attributes() },
    })
    assert.deepEqual([again.error().code, metaOf(again.error())], ['duplicate', meta()])
    const items = { data: [{ type: 'tracking_request', attributes: attributes() }] }
    const batch = (await post('/v2/tracking_requests/batch', items)).one().attributes['items'] as BatchItem[]
    assert.deepEqual(batch[0]?.errors[0]?.meta, meta())
    const tried = await post('/v2/tracking_requests/batch', { ...items, meta: { dry_run: true } })
    const [item] = (tried.body.meta?.['items'] ?? []) as BatchItem[]
    assert.deepEqual(item?.errors[0]?.meta, meta())
  })

  test('is refused in the same way when several requests arrive at the same moment', async () => {
    const body = {
      data: { type: 'tracking_request', attributes: { ...attributes(), request_number: 'CNSH77777777' } },
    }
    const answers = await Promise.all([1, 2, 3].map(() => post('/v2/tracking_requests', body)))
    const [made, ...others] = answers.toSorted((a, b) => a.status - b.status)
    assert.equal(others.length, 2)
    for (const { error } of others) assert.deepEqual(metaOf(error()), { tracking_request_id: made?.one().id })
  })

  test('is accepted if only another account tracks it', async () => {
    const key = await api.newKey(await api.newAccount(), ['read', 'write'])
    const body = { data: { type: 'tracking_request', attributes: attributes() } }
    assert.equal((await api.call({ method: 'POST', url: '/v2/tracking_requests', body, key })).status, 201)
  })

  const metaOf = (error: object) => (error as { readonly meta?: unknown }).meta
})

describe('answers have correct headers and links', () => {
  test('plain JSON has its own content type unless the client accepts only JSON:API', async () => {
    const typeOf = async (url: string, headers: Readonly<Record<string, string>> = {}) =>
      (await api.call({ method: url.endsWith('refresh') ? 'PATCH' : 'GET', url, headers })).headers['content-type']
    for (const url of ['/v2/webhooks/ips', `${containerUrl}/map_geojson`, `${containerUrl}/refresh`]) {
      for (const headers of [{}, { accept: '*/*' }, { accept: 'application/json' }])
        assert.equal(await typeOf(url, headers), 'application/json', `${url} ${headers.accept}`)
      const jsonApi = { accept: 'application/vnd.api+json' }
      assert.equal(await typeOf(url, jsonApi), 'application/vnd.api+json')
    }
    assert.equal(await typeOf(shipmentUrl), 'application/vnd.api+json')
    const event = { url: 'http://127.0.0.1:9/', event: 'container.created' }
    const trial = await post('/v2/webhooks/trigger', event)
    assert.equal(trial.headers['content-type'], trial.status === 200 ? 'application/json' : 'application/vnd.api+json')
  })

  test('links are valid URIs even if the request address was not', async () => {
    for (const query of ['q=50%', 'q=%', 'q=%zz&page[size]=2', 'q=%25', 'q=a|b%2', 'q=%E4%']) {
      const { status, body } = await api.call({ url: `/v2/shipments?${query}` })
      assert.equal(status, 200, query)
      for (const link of Object.values(body.links ?? {})) {
        assert.match(link, /^http:\/\/[\w.:]+\/(?:[\w.~!$&'()*+,;=:@/?-]|%[\dA-Fa-f]{2})*$/, query)
        if (query === 'q=50%') assert.equal(new URL(link).searchParams.get('q'), '50%')
        if (query === 'q=%25') assert.equal(new URL(link).searchParams.get('q'), '%')
      }
    }
  })

  test('the answer to a change is identical to the next read, including its entity tag', async () => {
    const party = (
      await post('/v2/parties', { data: { type: 'party', attributes: { company_name: 'Kestrel' } } })
    ).one()
    const field = { entity_type: 'Shipment', display_name: 'Owner', data_type: 'short_text' }
    const definition = (
      await post('/v2/custom_field_definitions', {
        data: { type: 'custom_field_definition', attributes: field },
      })
    ).one()
    for (const [url, attributes] of [
      [`/v2/parties/${party.id}`, { company_name: 'Avocet' }],
      [`/v2/custom_field_definitions/${definition.id}`, { display_name: 'Owners' }],
    ] as const) {
      const changed = await patch(url, { data: { attributes } })
      const read = await api.call({ url })
      assert.equal(changed.status, 200)
      assert.equal(changed.text, read.text)
      assert.equal(changed.headers['etag'], read.headers['etag'])
    }
  })

  test('a body that is far too large is answered with 413 before the connection ends', async () => {
    const [url, key] = [`http://127.0.0.1:${port}/v2/parties`, api.key]
    const client = new Worker(sendMuch, { eval: true, workerData: { url, key } })
    const [statuses] = (await once(client, 'message')) as [readonly string[]]
    assert.deepEqual(statuses, Array(statuses.length).fill('413 too_large'))
    assert.equal(statuses.length, 12)
  })

  test('a client that never stops sending gets an answer and is disconnected', async () => {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    const answer = once(socket, 'data')
    const lines = [`Host: a`, `Authorization: Token ${api.key}`, 'Content-Type: application/json']
    socket.write(`POST /v2/parties HTTP/1.1\r\n${lines.join('\r\n')}\r\nContent-Length: 99999999999\r\n\r\n`)
    assert.match(String(await answer), /^HTTP\/1\.1 413 .*"code":"too_large"/s)
    const chunk = Buffer.alloc(262_144, 'x')
    const go = (): void => {
      while (socket.writable && socket.write(chunk));
    }
    socket.on('drain', go)
    go()
    await new Promise((resolve) => socket.on('close', resolve))
    assert.ok(socket.bytesWritten > 32_000_000 && socket.bytesWritten < 200_000_000)
  })

  test('the Host header of a client affects only the links of its own answer', async () => {
    const headers = { host: 'evil.example' }
    const read = await api.call({ url: shipmentUrl, headers })
    assert.equal(read.body.links?.['self'], `http://evil.example${shipmentUrl}`)
    for (const url of [
      '/v2/webhook_notifications/examples?event=container.created',
      '/.well-known/oauth-authorization-server',
      '/.well-known/oauth-protected-resource',
    ]) {
      const answer = await api.app.inject({ url, headers: { ...headers, authorization: `Token ${api.key}` } })
      assert.equal(answer.statusCode, 200, url)
      assert.match(answer.body, /http:\/\/127\.0\.0\.1/)
      assert.doesNotMatch(answer.body, /evil/, url)
    }
  })

  test('an HTTP/1.1 request without a Host header is 400, and the error names the header', async () => {
    const ask = async (head: string): Promise<string> => {
      const socket = connect(port, '127.0.0.1')
      socket.write(`${head}\r\nConnection: close\r\n\r\n`)
      return (await socket.toArray()).join('')
    }
    const answer = await ask('GET /v2/shipments HTTP/1.1')
    assert.match(answer, /^HTTP\/1\.1 400 /)
    const { errors } = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))
    assert.deepEqual([errors[0].code, errors[0].source], ['malformed', { header: 'Host' }])
    assert.match(await ask(`GET /v2/shipments HTTP/1.0\r\nAuthorization: Token ${api.key}`), /^HTTP\/1\.1 200 /)
  })
})

/** In a separate thread: a client in our own thread cannot write while we close. */
const sendMuch = `
  const { parentPort, workerData: { url, key } } = require('node:worker_threads')
  const headers = { authorization: 'Token ' + key, 'content-type': 'application/json' }
  const streamed = () => new Blob([Buffer.alloc(8_000_000, 'x')]).stream()
  const send = async (body) => {
    try {
      const answer = await fetch(url, { method: 'POST', headers, body, duplex: 'half' })
      return answer.status + ' ' + (await answer.json()).errors[0].code
    } catch (error) {
      return String(error.cause ?? error)
    }
  }
  const all = async () => {
    const told = []
    for (let round = 0; round < 6; round += 1)
      for (const body of ['x'.repeat(8_000_000), streamed()]) told.push(await send(body))
    parentPort.postMessage(told)
  }
  all()`
