import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { IncomingHttpHeaders, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { eventNames } from '../../../src/domain/changes/event-table.ts'
import { createWebhook } from '../../../src/modules/webhooks/create-webhook.ts'
import { deliverDue } from '../../../src/pipeline/delivery/start-deliveries.ts'
import { announce, arrived, openBench, openReceiver, renderPlain, subscribe } from '../../support/webhooks-harness.ts'

const guide = readFileSync(new URL('../../../docs/webhooks.md', import.meta.url), 'utf8')

interface Example {
  readonly isGenuine: (headers: IncomingHttpHeaders, body: Buffer, secret: string) => boolean
  readonly receive: (secret: string, handle: (document: unknown) => void) => Server
}

test("the guide's receiver, as printed, accepts real deliveries once and refuses forged ones", async () => {
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
  const receiver = example.receive(made.secret, (document) => handled.push(document as (typeof handled)[number]))
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

const hasPython = spawnSync('python3', ['--version']).status === 0

test("the guide's Python code, as printed, accepts a real delivery and refuses a forged one", {
  skip: hasPython ? false : 'there is no python3 here',
}, async () => {
  const [, code = ''] = /```python\n([\s\S]*?)```/.exec(guide) ?? []
  const bench = await openBench()
  const receiver = await openReceiver()
  try {
    const context = await bench.newAccount()
    const { secret } = await subscribe(bench.service, context, { url: receiver.url })
    await announce(bench.service, context, [arrived])
    await deliverDue(bench.service, { render: renderPlain })
    const [got] = receiver.received
    assert.ok(got)
    const body = got.body.toString('base64')
    const other = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
    const old = { ...got.headers, 'webhook-timestamp': '1767225600' }
    const cases = [
      { headers: got.headers, body, secret },
      { headers: got.headers, body, secret: other },
      { headers: got.headers, body: Buffer.from('{}').toString('base64'), secret },
      { headers: old, body, secret },
      { headers: {}, body, secret },
    ]
    const checks = `
import json, sys
for case in json.load(sys.stdin):
    given = (case["headers"], base64.b64decode(case["body"]), case["secret"])
    print(is_genuine(*given), is_genuine_plain(*given))
`
    const ran = spawnSync('python3', ['-I', '-c', code + checks], { input: JSON.stringify(cases) })
    assert.equal(ran.stderr.toString(), '')
    assert.deepEqual(ran.stdout.toString().trim().split('\n'), [
      'True True',
      'False False',
      'False False',
      'False True',
      'False False',
    ])
  } finally {
    await receiver.close()
    await bench.close()
  }
})

test('the guide names only events that exist', () => {
  const named = [...guide.matchAll(/`((?:container|shipment|tracking_request|document)\.[a-z_.]+[a-z])`/g)].map(
    ([, name = '']) => name,
  )
  assert.ok(named.length > 10)
  for (const name of named) assert.ok((eventNames as readonly string[]).includes(name), name)
})
