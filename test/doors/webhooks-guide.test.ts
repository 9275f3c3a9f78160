import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { IncomingHttpHeaders, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { createWebhook } from '../../src/service/webhooks/create-webhook.ts'
import { deliverDue } from '../../src/service/webhooks/deliver.ts'
import { eventNames } from '../../src/service/webhooks/event-catalogue.ts'
import { announce, arrived, openBench, renderPlain } from '../service/webhooks-harness.ts'

const guide = readFileSync(new URL('../../docs/webhooks.md', import.meta.url), 'utf8')

interface Example {
  readonly isGenuine: (headers: IncomingHttpHeaders, body: Buffer, secret: string) => boolean
  readonly receive: (secret: string, handle: (document: unknown) => void) => Server
}

test('the receiver of the guide, as printed, takes real deliveries once and refuses forged ones', async () => {
  const [, code = ''] = /```js\n([\s\S]*?)```/.exec(guide) ?? []
  const example = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as Example
  const bench = await openBench()
  const context = await bench.newAccount()
  const handled: { readonly data: { readonly id: string } }[] = []
  const made = await createWebhook(bench.service, context, {
    url: 'https://example.com/',
    isActive: true,
    events: [arrived],
    headers: null,
  })
  const receiver = example.receive(made.secret, (document) =>
    handled.push(document as (typeof handled)[number]),
  )
  const statuses: number[] = []
  receiver.on('request', (_, response) => response.once('finish', () => statuses.push(response.statusCode)))
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  await bench.service.pool.query('update webhooks set url = $1', [url])
  try {
    await announce(bench.service, context, [arrived, arrived])
    await deliverDue(bench.service, { render: renderPlain })
    await bench.service.pool.query(
      `update webhook_notifications set delivery_status = 'pending', next_attempt_at = now() - interval '1 hour'`,
    )
    await deliverDue(bench.service, { render: renderPlain })
    assert.deepEqual(statuses, [204, 204, 204, 204])
    assert.equal(handled.length, 2)
    const forged = await fetch(url, {
      method: 'POST',
      body: '{}',
      headers: {
        'webhook-id': 'x',
        'webhook-timestamp': String(Math.floor(Date.now() / 1_000)),
        'webhook-signature': 'v1,AAAA',
      },
    })
    assert.equal(forged.status, 401)
    await forged.arrayBuffer()
  } finally {
    receiver.closeAllConnections()
    receiver.close()
    await bench.close()
  }
})

test('the guide names events that exist', () => {
  const named = [...guide.matchAll(/`((?:container|shipment|tracking_request)\.[a-z_.]+[a-z])`/g)].map(
    ([, name = '']) => name,
  )
  assert.ok(named.length > 10)
  for (const name of named) assert.ok((eventNames as readonly string[]).includes(name), name)
})
