import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { triggerWebhook } from '../../../src/modules/webhooks/trigger-webhook.ts'
import { createEgress } from '../../../src/platform/egress.ts'
import { openTestApi, type TestApi } from '../../support/api.ts'

let api: TestApi
before(async () => {
  api = await openTestApi({ startAt: new Date().toISOString() })
})
after(() => api.close())

const arrived = 'container.transport.vessel_arrived'
const trigger = (body: unknown, key?: string) =>
  api.call({
    method: 'POST',
    url: '/v2/webhooks/trigger',
    body,
    headers: { 'content-type': 'application/json' },
    ...(key === undefined ? {} : { key }),
  })

interface Got {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

async function withReceiver(
  answer: (...of: Parameters<RequestListener>) => void,
  work: (url: string, got: readonly Got[]) => Promise<void>,
): Promise<void> {
  const got: Got[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    got.push({ headers: request.headers, body: Buffer.concat(chunks).toString() })
    answer(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}/try`, got)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

test('a test delivery succeeds if the answer has an unknown content encoding, and shows no body', async () => {
  await withReceiver(
    (_, response) => response.writeHead(200, { 'content-encoding': 'zstd' }).end('whatever this is'),
    async (url, got) => {
      const answer = await trigger({ url, event: arrived })
      assert.equal(answer.status, 200, answer.text)
      assert.equal(got.length, 1)
      const shown = answer.body as Readonly<Record<string, unknown>>
      assert.deepEqual([shown['succeeded'], shown['status_code'], shown['response_body']], [true, 200, null])
    },
  )
})

test('a test delivery sends the signed example, and its result shows the request and the answer', async () => {
  const secret = `whsec_${Buffer.alloc(32, 3).toString('base64')}`
  await withReceiver(
    (_, response) => response.writeHead(202, { 'x-shown': 'yes', 'set-cookie': 'session=1' }).end('thanks'),
    async (url, got) => {
      const answer = await trigger({ url, event: arrived, secret })
      assert.equal(answer.status, 200, answer.text)
      const { body } = answer
      assert.equal(body['url'], url)
      assert.equal(body['succeeded'], true)
      assert.equal(body['error'], null)
      assert.equal(body['status_code'], 202)
      assert.equal(body['response_body'], 'thanks')
      const shown = body['response_headers'] as Record<string, string>
      assert.equal(shown['x-shown'], 'yes')
      assert.deepEqual(
        Object.keys(shown).filter((name) => /cookie|connection|keep-alive|transfer/.test(name)),
        [],
      )
      const [sent] = got
      assert.ok(sent)
      assert.equal(body['request_body'], sent.body)
      new Webhook(secret).verify(sent.body, sent.headers as Record<string, string>)
      const hex = createHmac('sha256', secret).update(sent.body).digest('hex')
      assert.equal(sent.headers['x-landfall-signature'], hex)
      for (const [name, value] of Object.entries(body['request_headers'] as Record<string, string>))
        assert.equal(sent.headers[name.toLowerCase()], value, name)
      const example = await api.call({ url: `/v2/webhook_notifications/examples?event=${arrived}` })
      assert.equal(sent.body, example.text)
      assert.equal(sent.headers['webhook-id'], example.one().id)
    },
  )
})

test('a test delivery has no signature without a secret, and only the plain one with a secret of another form', async () => {
  await withReceiver(
    (_, response) => response.end(),
    async (url, got) => {
      await trigger({ url, event: arrived })
      await trigger({ url, event: arrived, secret: 'my own' })
      await trigger({ url, event: arrived, secret: 'my-own' })
      assert.equal(got.length, 2, 'a secret with a blank in it is refused')
      const [bare, plain] = got
      assert.equal(bare?.headers['webhook-signature'], undefined)
      assert.equal(bare?.headers['x-landfall-signature'], undefined)
      assert.equal(plain?.headers['webhook-signature'], undefined)
      assert.equal(
        plain?.headers['x-landfall-signature'],
        createHmac('sha256', 'my-own')
          .update(plain?.body ?? '')
          .digest('hex'),
      )
    },
  )
})

test('a test delivery shows one kilobyte of a long answer, and fails on an error status or a redirect', async () => {
  await withReceiver(
    (_, response) => response.writeHead(500).end('x'.repeat(100_000)),
    async (url) => {
      const { body } = await trigger({ url, event: arrived })
      assert.equal(body['succeeded'], false)
      assert.equal(body['status_code'], 500)
      assert.equal(String(body['response_body']).length, 1_024)
    },
  )
  await withReceiver(
    (_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    async (url, got) => {
      const { body } = await trigger({ url, event: arrived })
      assert.equal(body['succeeded'], false)
      assert.equal(body['status_code'], 302)
      assert.equal(got.length, 1)
    },
  )
})

test('a test delivery to a closed port reports a refused connection and nothing else', async () => {
  const { body } = await trigger({ url: 'http://127.0.0.1:1/', event: arrived })
  assert.equal(body['succeeded'], false)
  assert.equal(body['status_code'], null)
  assert.equal(body['response_headers'], null)
  assert.equal(body['response_body'], null)
  assert.match(String(body['error']), /^connect: ECONNREFUSED$/)
})

test('refuses an invalid url or event by its field; a read-only key may not send', async () => {
  const good = { url: 'https://example.com/', event: arrived }
  const bad: readonly (readonly [unknown, string])[] = [
    [{ ...good, url: 'no url' }, '/url'],
    [{ ...good, url: 'http://example.com/' }, '/url'],
    [{ ...good, url: 'https://10.0.0.1/' }, '/url'],
    [{ ...good, url: 'https://169.254.169.254/latest/meta-data' }, '/url'],
    [{ ...good, url: 7 }, '/url'],
    [{ ...good, event: 'container.sank' }, '/event'],
    [{ url: good.url }, '/event'],
    [{ event: arrived }, '/url'],
    [{ ...good, secret: '' }, '/secret'],
    [{ ...good, headers: [] }, '/headers'],
  ]
  for (const [body, pointer] of bad) {
    const answer = await trigger(body)
    assert.equal(answer.status, 422, JSON.stringify(body))
    assert.equal(answer.error().source?.pointer, pointer)
  }
  assert.equal((await trigger([])).status, 400)
  const reader = await api.newKey(api.context, ['read'])
  assert.equal((await trigger(good, reader)).status, 403)
})

test('refuses loopback in any spelling where the operator does not allow it', async () => {
  const egress = createEgress({ allowedNetworks: [], allowLoopback: false })
  const closed = { ...api.service, egress }
  for (const host of ['127.0.0.1', '2130706433', '0x7f.1', '[::1]', '[::ffff:127.0.0.1]', 'localhost'])
    await assert.rejects(
      triggerWebhook(closed, api.context, { url: `https://${host}/`, event: arrived, secret: null }, async () => ({
        id: 'x',
        body: Buffer.from('{}'),
      })),
      { code: 'invalid', source: { pointer: '/url' } },
    )
  egress.close()
})

test('refuses a name that resolves to a private address with this reason, without the address', async () => {
  const egress = createEgress({
    allowedNetworks: [],
    allowLoopback: false,
    resolver: async () => [{ address: '10.1.2.3', family: 4 }],
  })
  const trial = await triggerWebhook(
    { ...api.service, egress },
    api.context,
    { url: 'https://inside.example.com/', event: arrived, secret: null },
    async () => ({ id: 'x', body: Buffer.from('{}') }),
  )
  egress.close()
  assert.equal(trial.succeeded, false)
  assert.equal(trial.error, 'The host of the URL is not at a public address.')
  assert.equal(trial.responseBody, null)
  assert.ok(!JSON.stringify(trial).includes('10.1.2.3'))
})

test('GET /webhooks/ips shows what the operator has set', async () => {
  const { body } = await api.call({ url: '/v2/webhooks/ips' })
  assert.deepEqual(body['webhook_notification_ips'], [])
  assert.match(String(body['last_updated']), /^\d{4}-\d\d-\d\dT00:00:00Z$/, 'the day of the start, where none is set')
  const other = await openTestApi({
    env: {
      LANDFALL_WEBHOOK_IPS: '203.0.113.7, 2001:db8::/64',
      LANDFALL_WEBHOOK_IPS_UPDATED_ON: '2026-01-31',
    },
  })
  try {
    assert.deepEqual((await other.call({ url: '/v2/webhooks/ips' })).body, {
      webhook_notification_ips: ['203.0.113.7', '2001:db8::/64'],
      last_updated: '2026-01-31T00:00:00Z',
    })
  } finally {
    await other.close()
  }
})

test('an example of an event about a document has the kind that sample names', async () => {
  await withReceiver(
    (_, response) => response.end(),
    async (url, got) => {
      const shown = async (event: string, sample?: object) => {
        const answer = await trigger({ url, event, ...(sample === undefined ? {} : { sample }) })
        assert.equal(answer.status, 200, answer.text)
        const { data, included } = JSON.parse(got.at(-1)?.body ?? '')
        assert.equal(data.attributes.event, event)
        const find = (type: string) => included.find((each: { readonly type: string }) => each.type === type)
        const representation = find('document_representation')
        const { document_type: kind, file_name: file } = find('document').attributes
        return { kind, file, of: representation.meta.document_type, ...representation.attributes }
      }
      const usual = await shown('document_representation.created')
      assert.deepEqual([usual.kind, usual.file, usual.of], ['arrival_notice', 'arrival-notice.pdf', 'arrival_notice'])
      const { body } = await api.call({ url: '/v2/documents/types' })
      for (const { code } of body['document_types'] as readonly { readonly code: string }[])
        for (const event of ['document_representation.created', 'document.extracted']) {
          const { kind, of, schema_version: version, payload } = await shown(event, { document_type: code })
          assert.deepEqual([kind, of], [code, code])
          const schema = await api.call({ url: `/v2/document_schemas/${code}@current` })
          const known = schema.status === 404 ? null : schema.one().attributes
          assert.equal(version, known?.['schema_version'] ?? 'none')
          const fields = (known?.['schema_payload'] ?? { properties: {} }) as { readonly properties: object }
          for (const name of Object.keys(payload)) assert.ok(Object.hasOwn(fields.properties, name), `${code} ${name}`)
          assert.equal(Object.keys(payload).length > 0, known !== null)
        }
      assert.equal((await shown('document_representation.failed')).kind, 'unknown')
      const failed = await shown('document_representation.failed', { document_type: 'bill_of_lading' })
      assert.deepEqual([failed.kind, failed.payload], ['bill_of_lading', {}])
    },
  )
})

test('refuses a sample of an unknown kind, without a kind, or for an event about something else, and sends nothing', async () => {
  await withReceiver(
    (_, response) => response.end(),
    async (url, got) => {
      const of = 'document_representation.created'
      for (const [event, sample, pointer] of [
        [of, { document_type: 'passport' }, '/sample/document_type'],
        [of, {}, '/sample/document_type'],
        [of, { document_type: 'arrival_notice', pages: 2 }, '/sample/pages'],
        [of, 'arrival_notice', '/sample'],
        [arrived, { document_type: 'arrival_notice' }, '/sample'],
      ] as const) {
        const refused = await trigger({ url, event, sample })
        assert.equal(refused.status, 422, refused.text)
        assert.equal(refused.error().source?.pointer, pointer)
      }
      assert.equal(got.length, 0)
    },
  )
})
