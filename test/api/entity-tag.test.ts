import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { stopTracking } from '../../src/modules/shipments/stop-tracking.ts'
import { updateShipment } from '../../src/modules/shipments/update-shipment.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { type Seeded, seededAt, seedShipment } from '../support/seed.ts'

let api: TestApi
let seeded: Seeded
let shipmentUrl: string
let containerUrl: string

before(async () => {
  api = await openTestApi({ startAt: seededAt })
  seeded = await seedShipment(api)
  shipmentUrl = `/v2/shipments/${seeded.shipmentId}`
  containerUrl = `/v2/containers/${seeded.containerIds[0]}`
})
after(async () => {
  await seeded.carrier.close()
  await api.close()
})

const tagOf = async (url: string, headers: Record<string, string> = {}) =>
  String((await api.call({ url, headers })).headers['etag'])
const patch = (url: string, attributes: object, headers: Record<string, string>) =>
  api.call({ method: 'PATCH', url, body: { data: { attributes } }, headers })

describe('entity tags of requests that read', () => {
  test('an unchanged resource, list or page is 304 without a body', async () => {
    for (const url of [
      shipmentUrl,
      `${shipmentUrl}?include=containers`,
      containerUrl,
      '/v2/shipments',
      '/v2/containers?page[size]=1',
      `${containerUrl}/transport_events`,
      '/v2/shipping_lines?search=msc',
      '/v2/webhooks',
      '/v2/events?limit=2',
    ]) {
      const first = await api.call({ url })
      const tag = String(first.headers['etag'])
      assert.match(tag, /^"[\w-]{16}(\.[\w-]{16})?"$/, url)
      const again = await api.call({ url, headers: { 'if-none-match': tag } })
      assert.equal(again.status, 304, url)
      assert.equal(again.text, '')
      assert.equal(again.headers['etag'], tag)
      assert.equal(again.headers['cache-control'], 'private, no-cache')
      assert.match(String(again.headers['vary']), /Authorization/)
      for (const held of [`W/${tag}`, `"x", ${tag}`, '*'])
        assert.equal((await api.call({ url, headers: { 'if-none-match': held } })).status, 304, held)
      for (const old of ['"x"', 'nonsense', tag.slice(1, -1)])
        assert.equal((await api.call({ url, headers: { 'if-none-match': old } })).status, 200, old)
    }
  })

  test('other fields, inclusions and media types have other entity tags', async () => {
    const tags = [
      await tagOf(shipmentUrl),
      await tagOf(shipmentUrl, { accept: 'application/json' }),
      await tagOf(`${shipmentUrl}?fields[shipment]=status`),
      await tagOf(`${shipmentUrl}?include=containers`),
    ]
    assert.equal(new Set(tags).size, 4)
    assert.equal(new Set(tags.map((tag) => tag.slice(0, 17))).size, 1, 'of one state')
  })

  test('HEAD returns the entity tag of GET', async () => {
    const answer = await api.app.inject({
      method: 'HEAD',
      url: shipmentUrl,
      headers: { authorization: `Token ${api.key}` },
    })
    assert.equal(answer.headers['etag'], await tagOf(shipmentUrl))
  })

  test('a resource of another account returns no entity tag and no 304', async () => {
    const stranger = await api.newKey(await api.newAccount(), ['read'])
    const tag = await tagOf(shipmentUrl)
    const answer = await api.call({ url: shipmentUrl, key: stranger, headers: { 'if-none-match': tag } })
    assert.equal(answer.status, 404)
    assert.equal(answer.headers['etag'], undefined)
    const star = await api.call({ url: shipmentUrl, key: stranger, headers: { 'if-none-match': '*' } })
    assert.equal(star.status, 404)
  })

  test('refusals and the health check have no entity tag', async () => {
    for (const url of ['/v2/shipments?page[size]=0', '/healthz', '/readyz'])
      assert.equal((await api.call({ url, key: url.startsWith('/v2') ? api.key : null })).headers['etag'], undefined)
  })
})

describe('entity tags of requests that change', () => {
  test('a change with the current entity tag succeeds, and its answer has the next one', async () => {
    for (const [url, attributes] of [
      [shipmentUrl, { ref_numbers: ['PO 1'] }],
      [containerUrl, { ref_numbers: ['PO 1'] }],
      [`/v2/tracking_requests/${await requestId()}`, { ref_numbers: ['PO 1'] }],
      [`/v2/webhooks/${await webhookId()}`, { url: 'https://example.com/next' }],
    ] as const) {
      const tag = await tagOf(url)
      const done = await patch(url, attributes, { 'if-match': tag })
      assert.equal(done.status, 200, `${url} ${done.text}`)
      const next = String(done.headers['etag'])
      assert.notEqual(next, tag)
      assert.equal(next.slice(0, 17), (await tagOf(url)).slice(0, 17))
      const stale = await patch(url, attributes, { 'if-match': tag })
      assert.equal(stale.status, 412, url)
      assert.equal(stale.error().code, 'precondition_failed')
      assert.equal((await patch(url, attributes, { 'if-match': `"x", ${next}` })).status, 200)
    }
  })

  test('two changes within one second have different tags although their displayed times are equal', async () => {
    const url = `/v2/tracking_requests/${await requestId()}`
    api.clock.advance(1_000 - (api.clock.now() % 1_000))
    await patch(url, { ref_numbers: ['PO 1'] }, {})
    const first = await api.call({ url })
    for (const ref of ['PO 2', 'PO 1']) {
      api.clock.advance(100)
      await patch(url, { ref_numbers: [ref] }, {})
    }
    assert.equal((await api.call({ url })).text, first.text)
    const tag = String(first.headers['etag'])
    assert.equal((await patch(url, { ref_numbers: [] }, { 'if-match': tag })).status, 412)
  })

  test('the entity tag of any representation of the same state is accepted', async () => {
    const tag = await tagOf(`${shipmentUrl}?fields[shipment]=status`, { accept: 'application/json' })
    assert.equal((await patch(shipmentUrl, { ref_numbers: ['PO 2'] }, { 'if-match': tag })).status, 200)
  })

  test('weak, unknown and empty tags match nothing; a star matches any existing resource', async () => {
    const tag = await tagOf(shipmentUrl)
    for (const held of [`W/${tag}`, '"x"', 'nonsense', ''])
      assert.equal((await patch(shipmentUrl, { ref_numbers: [] }, { 'if-match': held })).status, 412, held)
    assert.equal((await patch(shipmentUrl, { ref_numbers: ['PO 3'] }, { 'if-match': '*' })).status, 200)
  })

  test('If-None-Match: * refuses to change an existing resource', async () => {
    assert.equal((await patch(shipmentUrl, { ref_numbers: [] }, { 'if-none-match': '*' })).status, 412)
    const absent = '/v2/shipments/018f0000-0000-7000-8000-000000000000'
    assert.equal((await patch(absent, { ref_numbers: [] }, { 'if-match': '*' })).status, 404)
  })

  test('a PATCH without any attribute is also refused if its entity tag is not the current one', async () => {
    assert.equal((await patch(shipmentUrl, {}, { 'if-match': '"x"' })).status, 412)
  })

  test('stopping and resuming tracking check If-Match too', async () => {
    const verb = (name: string, tag: string) =>
      api.call({ method: 'PATCH', url: `${shipmentUrl}/${name}`, headers: { 'if-match': tag } })
    const tag = await tagOf(shipmentUrl)
    assert.equal((await verb('stop_tracking', '"x"')).status, 412)
    assert.equal((await verb('stop_tracking', tag)).status, 200)
    assert.equal((await verb('resume_tracking', tag)).status, 412)
    assert.equal((await verb('resume_tracking', await tagOf(shipmentUrl))).status, 200)
  })

  test('exactly one of several concurrent changes with the same tag succeeds', async () => {
    const tag = await tagOf(shipmentUrl)
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => patch(shipmentUrl, { ref_numbers: [`race ${at}`] }, { 'if-match': tag })),
    )
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 412, 412, 412, 412, 412, 412, 412])
  })

  test('a change checks its precondition exactly once', async () => {
    const checks: boolean[] = []
    await assert.rejects(
      updateShipment(api.service, api.context, {
        id: seeded.shipmentId,
        refNumbers: ['never'],
        ifCurrent: (shipment) => {
          checks.push(shipment.id === seeded.shipmentId)
          return false
        },
      }),
      /changed since it was read/,
    )
    assert.deepEqual(checks, [true])
    await stopTracking(api.service, api.context, { id: seeded.shipmentId, ifCurrent: () => true })
  })

  test('an operation without support for If-Match refuses the header', async () => {
    for (const [method, url] of [
      ['POST', '/v2/webhooks'],
      ['PATCH', `${containerUrl}/refresh`],
      ['DELETE', '/v2/webhooks/018f0000-0000-7000-8000-000000000000'],
    ] as const) {
      const answer = await api.call({ method, url, headers: { 'if-match': '"x"' } })
      assert.equal(answer.status, 400, `${method} ${url}`)
      assert.deepEqual(answer.error().source, { header: 'If-Match' })
    }
  })
})

async function requestId(): Promise<string> {
  const [first] = (await api.call({ url: '/v2/tracking_requests' })).many()
  return first?.id ?? ''
}

async function webhookId(): Promise<string> {
  const attributes = { url: 'https://example.com/hook', events: ['container.created'] }
  return (
    await api.call({ method: 'POST', url: '/v2/webhooks', body: { data: { type: 'webhook', attributes } } })
  ).one().id
}
