/** The sandbox behind a proxy: others can reach the server, so their requests must not lead to this machine. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { openDataFolder } from './prepared-folder.ts'
import { freePorts, type Program, startProgram, withoutThreads } from './program.ts'

const inside = createServer((_, response) => {
  asked += 1
  response.end('what only this machine may see')
})
let asked = 0
let insideUrl: string
let data: Awaited<ReturnType<typeof openDataFolder>>
let metricsPort: number
let program: Program
let key: string

before(async () => {
  inside.listen(0, '127.0.0.1')
  await once(inside, 'listening')
  insideUrl = `http://127.0.0.1:${(inside.address() as AddressInfo).port}/`
  data = await openDataFolder()
  metricsPort = (await freePorts()).api
  program = startProgram({
    dataFolder: data.path,
    ports: await freePorts(),
    env: {
      ...withoutThreads,
      LANDFALL_PUBLIC_URL: 'https://track.example',
      LANDFALL_TRUSTED_PROXIES: '127.0.0.1/32',
      LANDFALL_METRICS_PORT: String(metricsPort),
    },
  })
  key = await program.up
})

after(async () => {
  await program?.kill('SIGTERM')
  await data?.remove()
  inside.close()
})

test('standard error reports at the start that webhooks to this machine are refused, and names the setting', () => {
  const output = program.stderr().replace(/\s+/g, ' ')
  assert.match(output, /Webhooks may not go to this machine, .* because of LANDFALL_PUBLIC_URL others/)
  assert.doesNotMatch(output, /Webhooks may go to this machine/)
})

test('webhooks and test deliveries to this machine are refused', async () => {
  const trial = await post('/v2/webhooks/trigger', { url: insideUrl, event: 'container.created' })
  assert.equal(trial.status, 422, trial.text)
  assert.match(trial.text, /not at a public address/)
  assert.doesNotMatch(trial.text, /only this machine may see/)
  const attributes = { url: insideUrl, active: true, events: ['container.created'] }
  const webhook = await post('/v2/webhooks', { data: { type: 'webhook', attributes } })
  assert.equal(webhook.status, 422, webhook.text)
  assert.match(webhook.text, /not at a public address/)
  assert.equal(asked, 0)
})

test('metrics are served only on their own port', async () => {
  const own = `http://127.0.0.1:${metricsPort}`
  assert.ok(program.stderr().includes(`Metrics  ${own}/metrics`))
  assert.match(await (await fetch(`${own}/metrics`)).text(), /^landfall_troubles 0$/m)
  assert.equal((await fetch(`${own}/readyz`)).status, 200)
  assert.equal((await fetch(`${program.apiUrl}/metrics`)).status, 404)
  const answer = await fetch(`${program.apiUrl}/healthz`)
  assert.equal(answer.headers.get('strict-transport-security'), 'max-age=31536000')
})

test('the simulated carriers are still polled', async () => {
  const numbers = await fetch(`${program.sandboxUrl}/sandbox/numbers?kind=bill_of_lading&limit=1`)
  const [first] = (await numbers.json()) as readonly { readonly scac: string; readonly number: string }[]
  const attributes = {
    request_type: 'bill_of_lading',
    request_number: first?.number,
    scac: first?.scac,
  }
  const made = await post('/v2/tracking_requests', { data: { type: 'tracking_request', attributes } })
  assert.equal(made.status, 201, made.text)
  const { id } = (JSON.parse(made.text) as { readonly data: { readonly id: string } }).data
  await eventually(
    async () => {
      const answer = await fetch(`${program.apiUrl}/v2/tracking_requests/${id}`, { headers: headers() })
      return /"status":"created"/.test(await answer.text())
    },
    { everyMs: 100, late: () => program.stdout().slice(-2_000) },
  )
})

function headers(): Record<string, string> {
  return { authorization: `Token ${key}`, 'content-type': 'application/json' }
}

async function post(path: string, body: unknown): Promise<{ readonly status: number; readonly text: string }> {
  const response = await fetch(program.apiUrl + path, {
    method: 'POST',
    headers: headers(),
    body: JSON.stringify(body),
  })
  return { status: response.status, text: await response.text() }
}
