import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { publishableOperations } from '../../../src/modules/api-keys/authenticate-publishable.ts'
import { createApiKey } from '../../../src/modules/api-keys/create-api-key.ts'
import { openTestApi, type TestApi } from '../../support/api.ts'
import { type Seeded, seededAt, seedShipment } from '../../support/seed.ts'

const origin = 'https://www.example.com'

let api: TestApi
let seeded: Seeded
let key: string
before(async () => {
  api = await openTestApi({ startAt: seededAt })
  seeded = await seedShipment(api)
  key = await newKey()
})
after(async () => {
  await seeded.carrier.close()
  await api.close()
})

async function newKey(expiresAt: string | null = null): Promise<string> {
  const made = await createApiKey(api.service, {
    accountId: api.context.account.id,
    name: 'Page',
    scopes: ['read'],
    kind: 'publishable',
    allowedOrigins: [origin],
    expiresAt,
  })
  return made.key
}

const ask = (url: string, headers: Readonly<Record<string, string>> = { origin }) => api.call({ url, key, headers })

describe('a publishable key', () => {
  test('shows a shipment, a container, its events, route and map to the page that it names', async () => {
    const [containerId = ''] = seeded.containerIds
    for (const url of [
      `/v2/shipments/${seeded.shipmentId}?include=containers,port_of_lading`,
      `/v2/containers/${containerId}`,
      `/v2/containers/${containerId}/transport_events?include=location`,
      `/v2/containers/${containerId}/transport_events?page[number]=2&page[size]=5`,
      `/v2/containers/${containerId}/map_geojson`,
      `/v2/containers/${containerId}/route`,
    ]) {
      const answer = await ask(url)
      assert.equal(answer.status, 200, `${url} ${answer.text}`)
      assert.equal(answer.headers['access-control-allow-origin'], origin, url)
    }
  })

  test('is refused from any other page, and from requests that name no page', async () => {
    const url = `/v2/shipments/${seeded.shipmentId}`
    for (const headers of [
      {},
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: `${origin}.evil.example` },
      { origin: 'http://www.example.com' },
    ])
      assert.equal((await ask(url, headers)).status, 403, JSON.stringify(headers))
  })

  test('allows no operation but those of the table', async () => {
    const document = (await api.call({ url: '/v2/openapi.json', key: null })).body as unknown as {
      readonly paths: Readonly<
        Record<
          string,
          Readonly<Record<string, { readonly operationId?: string; readonly security?: readonly unknown[] }>>
        >
      >
    }
    const ids: Readonly<Record<string, string>> = { '/v2/shipments/{id}': seeded.shipmentId }
    const opened: string[] = []
    let tried = 0
    for (const [path, operations] of Object.entries(document.paths)) {
      for (const [method, { operationId = '', security }] of Object.entries(operations)) {
        if (security === undefined || security.length === 0) continue
        tried += 1
        const id = ids[path] ?? seeded.containerIds[0] ?? ''
        const url = path.replace(/\{\w+\}/g, id)
        const { statusCode } = await api.app.inject({
          method: method.toUpperCase() as 'GET',
          url,
          headers: { authorization: `Token ${key}`, origin, 'content-type': 'application/json' },
          ...(method === 'get' ? {} : { payload: '{}' }),
        })
        if (statusCode !== 403) opened.push(operationId)
      }
    }
    assert.ok(tried > 50)
    assert.deepEqual(opened.toSorted(), Object.keys(publishableOperations).toSorted())
  })

  test('includes only the data that an embedded journey shows', async () => {
    const shipment = `/v2/shipments/${seeded.shipmentId}`
    for (const include of ['customer', 'custom_fields', 'containers.raw_events', 'containers,customer'])
      assert.equal((await ask(`${shipment}?include=${include}`)).status, 403, include)
    assert.equal((await ask(`/v2/containers/${seeded.containerIds[0]}?include=raw_events`)).status, 403)
    assert.equal((await ask(`${shipment}?provenance=true`)).status, 403)
  })

  test('does not show the customer, neither with the shipment nor with a container', async () => {
    const body = { data: { type: 'party', attributes: { company_name: 'Hush Imports' } } }
    const party = (await api.call({ method: 'POST', url: '/v2/parties', body })).one()
    const customer = { data: { type: 'party', id: party.id } }
    const other = await seedShipment(api, {
      bill: 'CNSH87654321',
      carrier: seeded.carrier,
      relationships: { customer },
    })
    const shipment = `/v2/shipments/${other.shipmentId}`
    assert.equal((await api.call({ url: shipment })).one().attributes['customer_name'], 'Hush Imports')
    const shown = await ask(shipment)
    assert.equal(shown.one().attributes['customer_name'], null)
    for (const { text } of [shown, await ask(`/v2/containers/${other.containerIds[0]}?include=shipment`)]) {
      assert.ok(!text.includes('Hush'))
      assert.ok(!text.includes(party.id))
    }
  })

  test('is refused when it is deleted, expired, cut, or sent as another kind', async () => {
    const url = `/v2/shipments/${seeded.shipmentId}`
    const tomorrow = new Date(api.clock.now() + 86_400_000).toISOString()
    const short = await newKey(tomorrow)
    const asked = (each: string) => api.call({ url, key: each, headers: { origin } })
    assert.equal((await asked(short)).status, 200)
    api.clock.advance(86_400_000)
    const expired = await asked(short)
    assert.equal(expired.status, 401)
    const deleted = await newKey()
    assert.equal((await asked(deleted)).status, 200)
    await api.service.pool.query('update api_keys set revoked_at = now() where last_four = $1', [deleted.slice(-4)])
    assert.equal((await asked(deleted)).status, 401, 'at once')
    const missing = await api.call({ url, key: null })
    assert.equal((await asked(key.slice(0, -1))).text, missing.text)
    assert.equal(expired.text, missing.text)
    assert.equal((await asked(key.replace('lf_pub_', 'lf_live_'))).status, 401)
  })

  test('lets a browser send a preflight request, which gives no access', async () => {
    const preflight = (url: string, method = 'GET') =>
      api.app.inject({
        method: 'OPTIONS',
        url,
        headers: {
          origin,
          'access-control-request-method': method,
          'access-control-request-headers': 'authorization',
        },
      })
    const allowed = await preflight(`/v2/shipments/${seeded.shipmentId}`)
    assert.equal(allowed.statusCode, 204)
    assert.equal(allowed.headers['access-control-allow-origin'], origin)
    assert.equal(allowed.headers['access-control-allow-credentials'], undefined)
    for (const [url, method] of [
      ['/v2/shipments', 'GET'],
      [`/v2/shipments/${seeded.shipmentId}`, 'PATCH'],
    ] as const)
      assert.equal((await preflight(url, method)).headers['access-control-allow-origin'], undefined)
    const secret = await api.call({ url: `/v2/shipments/${seeded.shipmentId}`, headers: { origin } })
    assert.equal(secret.status, 200)
    assert.equal(secret.headers['access-control-allow-origin'], undefined, 'a secret key is for no page')
  })
})

test('does not count requests of web pages against the limit of the account’s own programs', async () => {
  const limited = await openTestApi({
    startAt: seededAt,
    env: { LANDFALL_RATE_LIMIT_EMBED: '2', LANDFALL_RATE_LIMIT_DEFAULT: '2' },
  })
  try {
    const made = await createApiKey(limited.service, {
      accountId: limited.context.account.id,
      name: 'Page',
      scopes: ['read'],
      kind: 'publishable',
      allowedOrigins: [origin],
    })
    const url = '/v2/shipments/018f0000-0000-7000-8000-000000000000'
    const page = () => limited.call({ url, key: made.key, headers: { origin } })
    assert.deepEqual([(await page()).status, (await page()).status, (await page()).status], [404, 404, 429])
    assert.equal((await limited.call({ url })).status, 404)
  } finally {
    await limited.close()
  }
})
